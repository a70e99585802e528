//! Index `suggestions`: completions for the search box.

use crate::document::{ByLang, document};

document! {
    /// Category, model or frequent query.
    SuggestionDoc {
        /// Kind and id of the suggested object, or digest of the query.
        id: String = [Retrieved, Filterable],
        /// `query`, `category` or `model`. (No suggestion has a gender, but removing it from the settings would rebuild the index.)
        kind as "type": String = [Retrieved, FilterableBy("type", "gender")],
        /// Language of a query; categories and models are suggested in every language.
        #[serde(skip_serializing_if = "Option::is_none")]
        lang: Option<String> = [Filterable],
        /// Text in its original language.
        title: String = [Retrieved],
        /// Translations of a category.
        titles: ByLang = [Retrieved],
        /// Other names of a model.
        aliases: Vec<String>,
        /// Companions of the titles by language; of a query in its own.
        words: ByLang,
        /// Companions of a model's names.
        names: Vec<String>,
        /// Japanese companions of titles and names.
        ja: Vec<String>,
        /// Name in URLs of a category or model.
        #[serde(skip_serializing_if = "Option::is_none")]
        dir: Option<String> = [Retrieved],
        /// Visible videos; for a query, the number of results of its latest search.
        total: i64 = [Retrieved],
        /// Order among equally good matches: the total; for a query, its number of searches.
        weight: i64 = [Retrieved],
    }
    searchable: ["words.{lang}", "names", "ja", "title"],
    sortable: ["id", "weight"],
    tie: "weight:desc",
}
