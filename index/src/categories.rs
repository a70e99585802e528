//! Index `categories`.

use std::collections::BTreeMap;

use crate::document::{ByLang, document};

document! {
    /// Category.
    CategoryDoc {
        /// Id in the catalog.
        id: i64 = [Filterable],
        /// Name in URLs.
        dir: String = [Retrieved, Filterable],
        /// English title.
        title: String = [Retrieved],
        /// Translations, which the category filter for videos searches.
        titles: ByLang = [Retrieved, FilterableBy("titles.{lang}")],
        /// Companions of the titles, by language.
        words: ByLang,
        /// Japanese companions of the title.
        ja: Vec<String>,
        /// Position in lists.
        position: i64,
        /// Number of visible videos by gender code. Zeros are included, so that every total is sortable.
        total: BTreeMap<String, i64> = [FilterableBy("total.str", "total.she", "total.gay")],
        /// Folder of its picture.
        media_key: Option<String> = [Retrieved],
        /// Number of the screenshot used as picture.
        shot: i64 = [Retrieved],
    }
    searchable: ["words.{lang}", "ja", "title"],
    sortable: ["id", "position", "title", "total.str", "total.she", "total.gay"],
    tie: "position:asc",
}
