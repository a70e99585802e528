//! What searches know of words.

use lantern_index::text::TermList;

use super::{meaning::Meanings, words::Words};

/// Words, what they mean and what must not be said.
pub struct Lexicon {
    /// Words of titles.
    pub words: Words,
    /// Which words mean the same.
    pub meanings: Meanings,
    /// What is never suggested.
    pub prohibited: TermList,
}

impl Lexicon {
    /// Nothing is learned yet.
    pub fn new(prohibited: TermList) -> Self {
        Self { words: Words::default(), meanings: Meanings::default(), prohibited }
    }
}
