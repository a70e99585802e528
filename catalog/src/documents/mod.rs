//! Rows as the indexer reads them: by ids, a few queries per batch, never one per object.
//!
//! Every function reads what is true now. `visible` tells whether guests may see the object; the indexer
//! turns anything else into a deletion.

pub mod albums;
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

/// A model as it appears in the documents of its videos and albums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    /// Path segment.
    pub dir: String,
    /// Name as shown.
    pub title: String,
    /// Other spellings and scripts.
    pub aliases: Vec<String>,
}

/// A category as it appears in the documents of its videos and albums.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryName {
    /// Path segment.
    pub dir: String,
    /// Titles by language.
    pub titles: ByLang,
}
