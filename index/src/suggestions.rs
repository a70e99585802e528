//! Index `suggestions`: completions for the search box.

use crate::document::{ByLang, document};

document! {
    /// Category, model or frequent query.
    SuggestionDoc {
        /// Kind and id of the suggested object, or digest of the query.
        id: String = [Retrieved, Filterable],
        /// `query`, `category` or `model`. (No suggestion has a gender, but removing it from the settings would rebuild the index.)
        kind as "type": String = [Retrieved, FilterableBy("type", "gender")],
        /// Language of a query. Categories and models are suggested in every language, so they have none.
        #[serde(skip_serializing_if = "Option::is_none")]
        lang: Option<String> = [Filterable],
        /// Text in its original language.
        title: String = [Retrieved],
        /// Translations of a category, or names of a model by language.
        titles: ByLang = [Retrieved],
        /// Other names of a model.
        aliases: Vec<String>,
        /// Companions of the titles by language. A query has a companion only in its language.
        words: ByLang,
        /// Companions of a model's names.
        names: Vec<String>,
        /// Japanese companions of titles and names.
        ja: Vec<String>,
        /// A category's or model's name in URLs.
        #[serde(skip_serializing_if = "Option::is_none")]
        dir: Option<String> = [Retrieved],
        /// Number of visible videos. For a query, number of results of its latest search.
        total: i64 = [Retrieved],
        /// Value that equally good matches are sorted by: the total or, for a query, the number of searches for it.
        weight: i64 = [Retrieved],
    }
    searchable: ["words.{lang}", "names", "ja", "title"],
    sortable: ["id", "weight"],
    tie: "weight:desc",
}
