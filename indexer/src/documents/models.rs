//! Index `models`.

use lantern_catalog::documents::models::ModelRow;
use lantern_index::{ModelDoc, all_names, text};

use super::{decimal, filter_labels, midnight};

/// Returns the first letter of a name if it is A to Z, and `#` otherwise.
fn alphabet(title: &str) -> String {
    match title.chars().next().map(|c| c.to_ascii_uppercase()) {
        Some(letter) if letter.is_ascii_uppercase() => letter.to_string(),
        _ => "#".to_owned(),
    }
}

pub fn from_row(row: ModelRow) -> ModelDoc {
    let names = all_names(&row.title, &row.names, &row.aliases);
    ModelDoc {
        id: row.id,
        names: text::names::companions(names.iter().copied()),
        ja: text::names::japanese_companions(names.iter().copied()),
        alphabet: alphabet(&row.title),
        birth: Some(midnight(row.birth_date)),
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
        titles: row.names.0,
        aliases: row.aliases,
        gender: row.gender,
        country: row.country,
        race: row.race,
        hair_color: row.hair_color,
        tits_size: row.tits_size,
        height: row.height.map(i64::from),
        weight: row.weight.map(i64::from),
        tattoo: row.tattoo,
        piercing: row.piercing,
        about: row.about,
        total_videos: row.total_videos,
        viewed: row.viewed,
        subscribers: row.subscribers.into(),
        standing: decimal(row.standing),
        added_date: row.created_at.unix_timestamp(),
        picture_key: row.picture_key,
    }
}

#[cfg(test)]
mod tests {
    use super::alphabet;

    #[test]
    fn names_in_other_scripts_are_filed_under_the_number_sign() {
        assert_eq!(alphabet("yuki"), "Y");
        assert_eq!(alphabet("雪"), "#");
        assert_eq!(alphabet(""), "#");
    }
}
