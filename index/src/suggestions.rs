//! Index `suggestions`: what the search box offers.

use crate::document::{ByLang, document};

document! {
    /// A category, a model or a frequent query.
    SuggestionDoc {
        /// What it stands for, and which of them.
        id: String = [Retrieved, Filterable],
        /// `query`, `category` or `model`. (No suggestion has a gender; other settings would have the index built anew.)
        kind as "type": String = [Retrieved, FilterableBy("type", "gender")],
        /// Language of a query; categories and models are offered in every language.
        #[serde(skip_serializing_if = "Option::is_none")]
        lang: Option<String> = [Filterable],
        /// Text in its own language.
        title: String = [Retrieved],
        /// Translations (categories).
        titles: ByLang = [Retrieved],
        /// Other names (models).
        aliases: Vec<String>,
        /// Companions of the titles by language, of a query in its own.
        words: ByLang,
        /// Companions of a model's names.
        names: Vec<String>,
        /// Japanese companions of titles and names.
        ja: Vec<String>,
        /// Name in URLs, of categories and models.
        #[serde(skip_serializing_if = "Option::is_none")]
        dir: Option<String> = [Retrieved],
        /// Visible videos, of a query the results of its latest search.
        total: i64 = [Retrieved],
        /// Order among equally good matches: the total, of a query how often it was searched.
        weight: i64 = [Retrieved],
    }
    searchable: ["words.{lang}", "names", "ja", "title"],
    sortable: ["id", "weight"],
    tie: "weight:desc",
}
