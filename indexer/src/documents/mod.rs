//! Converts catalog rows to the documents of [`lantern_index`].
//!
//! Filters use language-neutral codes, and facet counts are by code. The codes' labels in each language are stored only where there are few
//! documents: in the categories index, and under `labels.<lang>` in models and members, where the filter's search box finds them. Only
//! fields named here reach the index, so it contains no mail addresses and no private objects.

mod albums;
pub mod captions;
mod categories;
mod charts;
mod companions;
mod members;
mod models;
mod objects;
mod playlists;
mod suggestions;
mod videos;

use std::{mem, panic::resume_unwind, thread};

use lantern_catalog::documents as rows;
use lantern_config::{Config, Lang, labels, niceness};
use lantern_index::{ByLang, IndexName, Labels, PASSAGE_LINES};
use serde::{Deserialize, Serialize};
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};
use sqlx::PgConnection;
use time::{Date, Time};
use tokio::task::spawn_blocking;

pub use companions::Spellings;
use companions::{common, japanese, names, shown_names, tags, translated, with_words};
use objects::Objects;
pub use suggestions::all as all_suggestions;
pub use videos::counts;

use crate::Error;

/// Documents that an index should contain for given objects.
#[derive(Debug, Default)]
pub struct Built {
    pub documents: Vec<Box<RawValue>>,
    /// Ids of documents to delete.
    pub gone: Vec<String>,
    /// Suggestions for these objects.
    pub suggestions: Vec<Box<RawValue>>,
    /// Ids of suggestions to delete.
    pub suggestions_gone: Vec<String>,
}

impl Built {
    fn push(&mut self, document: &impl Serialize) -> Result<(), Error> {
        self.documents.push(to_raw_value(document)?);
        Ok(())
    }
}

/// Page of a full build.
#[derive(Debug)]
pub struct Page {
    pub documents: Vec<Box<RawValue>>,
    /// Id after which the next page starts, or `None` at the end.
    pub last_id: Option<i64>,
}

/// Videos with captions for each thousand documents of a page: an hour of dialogue is a hundred passages.
const CAPTIONED_PER_THOUSAND: i64 = 20;

/// Builds the documents of `ids` for an index with documents of catalog rows. Ids that have no row, or whose row is hidden from guests, are
/// returned in `gone`, except for captions: their documents have other ids ([`captions::keep_changes`]).
pub async fn build(index: IndexName, conn: &mut PgConnection, ids: &[i64]) -> Result<Built, Error> {
    let objects = Objects::read(index, conn, ids).await?;
    let (mut built, seen) = spawn_blocking(|| objects.documents(&mut Spellings::default())).await??;
    for id in ids.iter().filter(|id| index != IndexName::Captions && !seen.contains(id)) {
        built.gone.push(id.to_string());
        built.suggestions_gone.extend(suggestions::id_of(index, *id));
    }
    Ok(built)
}

/// Builds the page of a full build that starts after `after`. Suggestions and charts don't correspond to catalog rows. They are returned in
/// numbered parts, and the number takes the place of the id.
pub async fn page(
    index: IndexName,
    conn: &mut PgConnection,
    after: i64,
    limit: i64,
    config: &Config,
    spelled: &mut Spellings,
) -> Result<Page, Error> {
    let ids = match index {
        IndexName::Videos => rows::videos::ids_after(conn, after, limit).await?,
        IndexName::Albums => rows::albums::ids_after(conn, after, limit).await?,
        IndexName::Models => rows::models::ids_after(conn, after, limit).await?,
        IndexName::Categories => rows::categories::ids_after(conn, after, limit).await?,
        IndexName::Playlists => rows::playlists::ids_after(conn, after, limit).await?,
        IndexName::Members => rows::members::ids_after(conn, after, limit).await?,
        IndexName::Captions => {
            let videos = (limit * CAPTIONED_PER_THOUSAND / 1000).max(1);
            rows::captions::ids_after(conn, after, videos).await?
        }
        IndexName::Suggestions if after == 0 => {
            return Ok(Page { documents: suggestions::all(conn, config).await?, last_id: Some(1) });
        }
        IndexName::Charts => return charts::page(conn, after, config).await,
        IndexName::Suggestions => Vec::new(),
    };
    let objects = Objects::read(index, conn, &ids).await?;
    // Pages are built ahead of time with the lowest priority, so that the engine and visitors are served first.
    let mut known = mem::take(spelled);
    let make = move || (objects.documents(&mut known), known);
    let (built, known) = spawn_blocking(|| with_niceness(niceness::MOST, make)).await?;
    *spelled = known;
    let (built, _) = built?;
    Ok(Page { documents: built.documents, last_id: ids.last().copied() })
}

/// Runs `work` with this niceness. It runs on a separate thread, because a thread cannot lower its niceness again.
fn with_niceness<T: Send>(niceness: u8, work: impl FnOnce() -> T + Send) -> T {
    let worked = thread::scope(|scope| {
        let work = move || {
            if let Err(error) = niceness::stand_back(niceness) {
                tracing::warn!(
                    error,
                    "cannot set the niceness of the thread that builds documents; using normal priority"
                );
            }
            work()
        };
        scope.spawn(work).join()
    });
    worked.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Returns the number of documents in a full index.
pub async fn count(index: IndexName, conn: &mut PgConnection, config: &Config) -> Result<u64, Error> {
    let count = match index {
        IndexName::Videos => rows::videos::count(conn).await?,
        IndexName::Albums => rows::albums::count(conn).await?,
        IndexName::Models => rows::models::count(conn).await?,
        IndexName::Categories => rows::categories::count(conn).await?,
        IndexName::Playlists => rows::playlists::count(conn).await?,
        IndexName::Members => rows::members::count(conn).await?,
        IndexName::Suggestions => suggestions::count(conn, config).await?,
        IndexName::Charts => rows::charts::count(conn, config.sync.chart_size).await?,
        IndexName::Captions => rows::captions::count(conn, PASSAGE_LINES as i32).await?,
    };
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Returns the maximum number of documents that one object has in an index.
pub async fn most_per_object(index: IndexName, conn: &mut PgConnection) -> Result<u64, Error> {
    Ok(match index {
        IndexName::Captions => {
            u64::try_from(rows::captions::most_per_video(conn, PASSAGE_LINES as i32).await?).unwrap_or(1)
        }
        _ => 1,
    })
}

/// Returns the id of a document as text.
pub fn id(document: &RawValue) -> Result<String, Error> {
    #[derive(Deserialize)]
    struct Id {
        id: Value,
    }
    Ok(match serde_json::from_str::<Id>(document.get())?.id {
        Value::String(id) => id,
        id => id.to_string(),
    })
}

/// Returns midnight UTC of a date in Unix seconds.
fn midnight(date: Date) -> i64 {
    date.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp()
}

/// Converts a rating via its shortest decimal representation, which Postgres displays too. This avoids spurious digits.
fn decimal(rating: f32) -> f64 {
    rating.to_string().parse().unwrap_or_else(|_| rating.into())
}

/// Returns `labels.<lang>.<filter>` for an object's codes.
fn filter_labels(codes: &[(&str, Option<&str>)]) -> ByLang<Labels> {
    let of_lang = |lang: &Lang| {
        let label = |(filter, code): &(&str, Option<&str>)| {
            code.map(|code| ((*filter).to_owned(), labels::label(filter, code, *lang).to_owned()))
        };
        (lang.to_string(), codes.iter().filter_map(label).collect())
    };
    Lang::ALL.iter().map(of_lang).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_keep_their_digits() {
        for rating in [0.0, 4.5, 4.333_333_5, 3.1, 5.0_f32] {
            let [written, read] =
                [to_raw_value(&rating), to_raw_value(&decimal(rating))].map(|json| json.expect("JSON").to_string());
            assert_eq!(written, read);
        }
    }
}
