//! Plans queries from what this node knows at the moment.

use std::sync::Arc;

use lantern_config::Lang;
use lantern_errors::ApiResult;

use lantern_index::Filter;

use super::{Plan, Sources, build, build_typed, correct, rival, similar};
use crate::{
    index::{Categories, Reader},
    lexicon::Lexicon,
    meaning::graph::Graph,
    words::vocabulary::Vocabulary,
};

/// The words, meanings and labels that are known at the moment.
pub struct Planner {
    pub(crate) vocabulary: Arc<Vocabulary>,
    graph: Arc<Graph>,
    categories: Arc<Categories>,
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

    fn sources(&self) -> Sources<'_> {
        Sources { vocabulary: &self.vocabulary, graph: &self.graph, categories: &self.categories }
    }

    /// Returns the plan of a query by a visitor of the language.
    pub fn plan(&self, query: &str, lang: Lang) -> Plan {
        build(&self.sources(), query, lang)
    }

    /// Returns the plan of a text that is being typed: its last word may be the beginning of a longer one.
    pub fn plan_typed(&self, text: &str, lang: Lang) -> Plan {
        build_typed(&self.sources(), text, lang, true)
    }

    /// Returns the query with unknown words replaced by the nearest known ones, or `None` if there are none.
    pub fn correct(&self, plan: &Plan) -> Option<String> {
        correct(&self.sources(), plan)
    }

    /// Returns the query with rare words replaced by similar ones that are far more frequent, or `None` if there are none.
    pub fn rival(&self, plan: &Plan) -> Option<String> {
        rival(&self.sources(), plan)
    }

    /// Returns words in the visitor's language that begin with the stem of the plan's only word, each with the condition of its videos.
    pub fn similar(&self, plan: &Plan) -> Vec<(String, Filter)> {
        similar(&self.sources(), plan)
    }

    /// Whether titles or meanings in the language have the word.
    pub fn knows(&self, word: &str, lang: Lang) -> bool {
        self.vocabulary.knows(word, lang) || self.graph.knows(word, lang)
    }
}
