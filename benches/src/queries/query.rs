//! Queries, and the classes by which their scores are reported.

use lantern_config::Lang;

/// How a query differs from the words of the title.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Words as they are.
    Same,
    /// Words as they are, by a visitor with another language in which the video has a title.
    Other,
    /// A title without one of its content words.
    Dropped,
    /// A word in another form.
    Inflected,
    /// A misspelled word.
    Misspelled,
    /// Function words between the words.
    Function,
    /// Words in another order.
    Shuffled,
}

impl Class {
    pub const ALL: [Self; 7] =
        [Self::Same, Self::Other, Self::Dropped, Self::Inflected, Self::Misspelled, Self::Function, Self::Shuffled];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Other => "other",
            Self::Dropped => "dropped",
            Self::Inflected => "inflected",
            Self::Misspelled => "misspelled",
            Self::Function => "function",
            Self::Shuffled => "shuffled",
        }
    }
}

/// A query with its meaning.
#[derive(Debug, Clone)]
pub struct DrawnQuery {
    pub class: Class,
    /// Language of the words.
    pub lang: Lang,
    /// Language of the visitor.
    pub visitor: Lang,
    /// Text that is searched for.
    pub text: String,
    /// Folded words that a good result has in its title in `lang`.
    pub sought: Vec<String>,
}
