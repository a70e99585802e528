//! Words and meanings that searches know.

use lantern_index::text::TermList;

use super::{meaning::Meanings, refresh::LearningTime, words::Words};

/// Words, their meanings and the prohibited terms.
pub struct Lexicon {
    /// Words from titles.
    pub words: Words,
    /// Synonyms and translations.
    pub meanings: Meanings,
    /// Terms that are never suggested.
    pub prohibited: TermList,
    /// How long learning takes.
    pub learning_time: LearningTime,
}

impl Lexicon {
    /// Creates an empty lexicon.
    pub fn new(prohibited: TermList) -> Self {
        Self {
            words: Words::default(),
            meanings: Meanings::default(),
            prohibited,
            learning_time: LearningTime::default(),
        }
    }
}
