//! Index `categories`.

use lantern_catalog::documents::categories::CategoryRow;
use lantern_config::Gender;
use lantern_index::CategoryDoc;

use super::{japanese, translated};

pub fn from_row(row: CategoryRow) -> CategoryDoc {
    CategoryDoc {
        id: row.id,
        title: row.titles.get("en").cloned().unwrap_or_else(|| row.dir.clone()),
        ja: japanese(row.titles.get("ja").map(String::as_str)),
        total: Gender::ALL
            .iter()
            .map(|gender| (gender.to_string(), row.totals.get(gender.as_str()).copied().unwrap_or(0)))
            .collect(),
        dir: row.dir,
        words: translated(&row.titles),
        titles: row.titles,
        position: row.position.into(),
        media_key: row.media_key,
        shot: row.shot.into(),
    }
}
