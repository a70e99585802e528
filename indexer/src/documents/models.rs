//! Index `models`.

use std::collections::BTreeMap;

use lantern_catalog::documents::models::ModelRow;
use serde::Serialize;

use super::{filter_labels, midnight};
use crate::text;

#[derive(Debug, Serialize)]
pub struct Model {
    id: i64,
    dir: String,
    title: String,
    aliases: Vec<String>,
    /// Companion of all names.
    names: String,
    /// Japanese companion of all names.
    ja: String,
    gender: String,
    alphabet: String,
    /// Seconds since 1970 of the birth date, negative before; ages are asked as ranges of it.
    birth: i64,
    country: Option<String>,
    race: Option<String>,
    hair_color: Option<String>,
    tits_size: Option<String>,
    height: Option<i16>,
    weight: Option<i16>,
    tattoo: Option<String>,
    piercing: Option<String>,
    about: Option<String>,
    total_videos: i64,
    viewed: i64,
    subscribers: i32,
    rating: f32,
    added_date: i64,
    labels: BTreeMap<&'static str, BTreeMap<&'static str, String>>,
    picture_key: Option<String>,
}

/// First letter A to Z of the name, else `#`.
fn alphabet(title: &str) -> String {
    match title.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some(letter) if letter.is_ascii_uppercase() => letter.to_string(),
        _ => "#".to_owned(),
    }
}

pub fn document(row: ModelRow) -> Model {
    let names = || std::iter::once(&row.title).chain(&row.aliases).map(String::as_str);
    Model {
        id: row.id,
        names: text::names::companion(names()),
        ja: text::names::japanese_companion(names()),
        alphabet: alphabet(&row.title),
        birth: midnight(row.birth_date),
        labels: filter_labels(&[
            ("race", row.race.as_deref()),
            ("country", row.country.as_deref()),
            ("tits_size", row.tits_size.as_deref()),
            ("hair_color", row.hair_color.as_deref()),
            ("tattoo", row.tattoo.as_deref()),
            ("piercing", row.piercing.as_deref()),
        ]),
        dir: row.dir,
        title: row.title,
        aliases: row.aliases,
        gender: row.gender,
        country: row.country,
        race: row.race,
        hair_color: row.hair_color,
        tits_size: row.tits_size,
        height: row.height,
        weight: row.weight,
        tattoo: row.tattoo,
        piercing: row.piercing,
        about: row.about,
        total_videos: row.total_videos,
        viewed: row.viewed,
        subscribers: row.subscribers,
        rating: row.rating,
        added_date: row.created_at.unix_timestamp(),
        picture_key: row.picture_key,
    }
}

#[cfg(test)]
mod tests {
    use super::alphabet;

    #[test]
    fn a_name_in_another_script_stands_under_the_number_sign() {
        assert_eq!(alphabet("yuki"), "Y");
        assert_eq!(alphabet("雪"), "#");
        assert_eq!(alphabet(""), "#");
    }
}
