//! Index `categories`.

use std::collections::BTreeMap;

use crate::document::{ByLang, document};

document! {
    /// A category.
    CategoryDoc {
        /// Id in the catalog.
        id: i64 = [Filterable],
        /// Name in URLs.
        dir: String = [Retrieved, Filterable],
        /// English title.
        title: String = [Retrieved],
        /// Translations, found by typing into the filter of videos.
        titles: ByLang = [Retrieved, FilterableBy("titles.{lang}")],
        /// Companions of the titles by language.
        words: ByLang,
        /// Japanese companions of the title.
        ja: Vec<String>,
        /// Place in lists.
        position: i64,
        /// Visible videos by gender code, 0 included so that every total can be sorted by.
        total: BTreeMap<String, i64> = [FilterableBy("total.str", "total.she", "total.gay")],
        /// Folder of its picture.
        media_key: Option<String> = [Retrieved],
        /// Which screenshot is the picture.
        shot: i64 = [Retrieved],
    }
    searchable: ["words.{lang}", "ja", "title"],
    sortable: ["id", "position", "title", "total.str", "total.she", "total.gay"],
    tie: "position:asc",
}
