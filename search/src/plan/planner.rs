//! What is known about words when a query is planned.

use std::sync::Arc;

use lantern_config::Lang;
use lantern_errors::ApiResult;
use lantern_index::text::{self, function::is_function_word};

use super::tokens::TypedWord;
use crate::{
    index::{Categories, Reader},
    lexicon::Lexicon,
    meaning::graph::Graph,
    words::vocabulary::Vocabulary,
};

/// Plans queries from the words, meanings and labels that this node knows at the moment.
pub struct Planner {
    /// Words from titles.
    pub(crate) vocabulary: Arc<Vocabulary>,
    /// Synonyms and translations.
    pub(crate) graph: Arc<Graph>,
    /// Labels of categories.
    pub(crate) categories: Arc<Categories>,
}

impl Planner {
    /// Reads what is known.
    ///
    /// # Errors
    ///
    /// Fails if the categories are not in memory and the index doesn't respond.
    pub async fn new(reader: &Reader, lexicon: &Lexicon) -> ApiResult<Self> {
        let categories = reader.categories.current().await?;
        Ok(Self { vocabulary: lexicon.words.vocabulary(), graph: lexicon.meanings.graph(), categories })
    }

    /// Whether titles or meanings in the language have the word.
    pub fn knows(&self, word: &str, lang: Lang) -> bool {
        self.vocabulary.knows(word, lang) || self.graph.knows(word, lang)
    }

    /// Returns the languages of the query: only the visitor's if it has every word, otherwise that and the ones with the most words.
    pub(super) fn query_langs(&self, query: &str, words: &[TypedWord], visitor: Lang) -> Vec<Lang> {
        let words: Vec<&str> =
            words.iter().filter(|word| !word.is_japanese).map(|word| &query[word.at.clone()]).collect();
        let is_of = |word: &&&str, lang: Lang| {
            text::langs_of(word, visitor).contains(&lang)
                && (is_function_word(&text::spelled(word), lang) || self.knows(word, lang))
        };
        let count = |lang: Lang| words.iter().filter(|word| is_of(word, lang)).count();
        let own = count(visitor);
        if own == words.len() {
            return vec![visitor];
        }
        let counts: Vec<(usize, Lang)> = Lang::ALL.iter().map(|lang| (count(*lang), *lang)).collect();
        let most = counts.iter().map(|(count, _)| *count).max().unwrap_or_default();
        let others = counts.into_iter().filter(|(count, lang)| *count == most && most > own && *lang != visitor);
        std::iter::once(visitor).chain(others.map(|(_, lang)| lang)).collect()
    }
}
