//! Index `suggestions`. It only contains suggestions that have results.

use lantern_catalog::documents::{self as rows, categories::CategoryRow, models::ModelRow, queries::QueryRow};
use lantern_config::Config;
use lantern_index::{ByLang, IndexName, SuggestionDoc, all_names, text};
use serde_json::value::{RawValue, to_raw_value};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use super::{Built, japanese, translated};
use crate::Error;

/// Number of objects per read when listing all suggestions.
const BATCH: i64 = 1000;
/// Number of bytes of a query's digest in its id. This is enough to rule out collisions among some thousand queries.
const DIGEST_BYTES: usize = 12;

/// Returns the id of the suggestion for an object of `index`, or `None` if that index has no suggestions.
pub fn id_of(index: IndexName, id: i64) -> Option<String> {
    match index {
        IndexName::Categories => Some(format!("category-{id}")),
        IndexName::Models => Some(format!("model-{id}")),
        _ => None,
    }
}

/// Adds the suggestion for a category that has videos, or removes it if the category has none.
pub fn category(row: &CategoryRow, built: &mut Built) -> Result<(), Error> {
    let id = format!("category-{}", row.id);
    let total: i64 = row.totals.values().sum();
    if total == 0 {
        built.suggestions_gone.push(id);
        return Ok(());
    }
    built.suggestions.push(to_raw_value(&SuggestionDoc {
        id,
        kind: "category".to_owned(),
        title: row.titles.get("en").cloned().unwrap_or_else(|| row.dir.clone()),
        words: translated(&row.titles),
        names: Vec::new(),
        ja: japanese(row.titles.get("ja").map(String::as_str)),
        titles: row.titles.clone(),
        aliases: Vec::new(),
        dir: Some(row.dir.clone()),
        lang: None,
        total,
        weight: total,
    })?);
    Ok(())
}

/// Adds the suggestion for a model that has videos, or removes it if the model has none.
pub fn model(row: &ModelRow, built: &mut Built) -> Result<(), Error> {
    let id = format!("model-{}", row.id);
    if row.total_videos == 0 {
        built.suggestions_gone.push(id);
        return Ok(());
    }
    let names = all_names(&row.title, &row.names, &row.aliases);
    built.suggestions.push(to_raw_value(&SuggestionDoc {
        id,
        kind: "model".to_owned(),
        words: translated(&ByLang::new()),
        names: text::names::companions(names.iter().copied()),
        ja: text::names::japanese_companions(names.iter().copied()),
        title: row.title.clone(),
        titles: row.names.0.clone(),
        aliases: row.aliases.clone(),
        dir: Some(row.dir.clone()),
        lang: None,
        total: row.total_videos,
        weight: row.total_videos,
    })?);
    Ok(())
}

fn query(row: QueryRow) -> Result<Box<RawValue>, Error> {
    let digest = Sha256::new().chain_update(&row.lang).chain_update([0]).chain_update(&row.query).finalize();
    Ok(to_raw_value(&SuggestionDoc {
        id: format!("query-{}", hex::encode(&digest[..DIGEST_BYTES])),
        kind: "query".to_owned(),
        words: translated(&[(row.lang.clone(), row.query.clone())].into()),
        names: Vec::new(),
        ja: japanese([row.query.as_str()]),
        title: row.query,
        titles: ByLang::new(),
        aliases: Vec::new(),
        dir: None,
        lang: Some(row.lang),
        total: row.hits.into(),
        weight: row.searches,
    })?)
}

/// Returns all suggestions that should exist.
pub async fn all(conn: &mut PgConnection, config: &Config) -> Result<Vec<Box<RawValue>>, Error> {
    let mut built = Built::default();
    let mut after = 0;
    loop {
        let ids = rows::categories::ids_after(conn, after, BATCH).await?;
        let Some(last) = ids.last() else { break };
        after = *last;
        for row in rows::categories::rows(conn, &ids).await? {
            category(&row, &mut built)?;
        }
    }
    after = 0;
    loop {
        let ids = rows::models::ids_after(conn, after, BATCH).await?;
        let Some(last) = ids.last() else { break };
        after = *last;
        for row in rows::models::rows(conn, &ids).await? {
            model(&row, &mut built)?;
        }
    }
    for row in queries(conn, config).await? {
        built.suggestions.push(query(row)?);
    }
    Ok(built.suggestions)
}

/// Returns the number of suggestions that [`all`] would return, without reading and spelling them.
pub async fn count(conn: &mut PgConnection, config: &Config) -> Result<i64, Error> {
    let categories = rows::categories::count_with_videos(conn).await?;
    let models = rows::models::count_with_videos(conn).await?;
    Ok(categories + models + queries(conn, config).await?.len() as i64)
}

/// Returns the suggested queries.
async fn queries(conn: &mut PgConnection, config: &Config) -> Result<Vec<QueryRow>, Error> {
    let prohibited = text::TermList::of(&config.safety);
    let min_count = config.search_log.min_count.into();
    let mut rows = rows::queries::top(conn, min_count, config.sync.suggested_queries).await?;
    rows.retain(|row| !prohibited.found_in(&row.query));
    Ok(rows)
}
