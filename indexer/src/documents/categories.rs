//! Index `categories`.

use std::collections::BTreeMap;

use lantern_catalog::documents::categories::CategoryRow;
use lantern_config::Gender;
use serde::Serialize;

use super::{ByLang, Companions, japanese, translated};

#[derive(Debug, Serialize)]
pub struct Category {
    id: i64,
    dir: String,
    title: String,
    titles: ByLang,
    /// Companions of the titles by language.
    words: Companions,
    ja: String,
    position: i32,
    /// Visible videos by gender code, 0 included so that every total can be sorted by.
    total: BTreeMap<&'static str, i64>,
    media_key: Option<String>,
    shot: i16,
}

pub fn document(row: CategoryRow) -> Category {
    Category {
        id: row.id,
        title: row.titles.get("en").cloned().unwrap_or_else(|| row.dir.clone()),
        ja: japanese(row.titles.get("ja").map(String::as_str)),
        total: Gender::ALL
            .iter()
            .map(|gender| (gender.as_str(), row.totals.get(gender.as_str()).copied().unwrap_or(0)))
            .collect(),
        dir: row.dir,
        words: translated(&row.titles),
        titles: row.titles.into_iter().collect(),
        position: row.position,
        media_key: row.media_key,
        shot: row.shot,
    }
}
