//! Rows for the indexer. They are fetched by id, with a few queries per batch and never one per object.
//!
//! Every function returns the current state. `visible` tells whether guests may see the object. The indexer deletes the
//! documents of all objects that they may not see.

/// Defines the function that pages through the ids of a table.
macro_rules! ids_after {
    ($table:literal) => {
        /// Returns up to `limit` ids greater than `after` in ascending order, whether visible or not.
        pub async fn ids_after(conn: &mut sqlx::PgConnection, after: i64, limit: i64) -> crate::Result<Vec<i64>> {
            let query =
                sqlx::query_scalar!("select id from " + $table + " where id > $1 order by id limit $2", after, limit);
            Ok(query.fetch_all(conn).await?)
        }
    };
}

pub mod albums;
pub mod captions;
pub mod categories;
pub mod charts;
pub mod members;
pub mod models;
pub mod playlists;
pub mod queries;
pub mod videos;

use std::collections::BTreeMap;

/// Texts by language code, in a fixed order.
pub type ByLang = BTreeMap<String, String>;

/// A model as contained in the documents of its videos and albums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    /// Path segment.
    pub dir: String,
    /// Name as shown.
    pub title: String,
    /// Other spellings and scripts.
    pub aliases: Vec<String>,
    /// Names by language.
    pub names: ByLang,
}

/// A category as contained in the documents of its videos and albums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryName {
    /// Path segment.
    pub dir: String,
    /// Titles by language.
    pub titles: ByLang,
}
