//! What a search without hits gives up, in a fixed order, until something is found. Orientation, type, models, exclusions and
//! what guests may see are never given up.

use lantern_config::{DateRange, VideoSort};
use lantern_index::text;
use lantern_listing::Duration;
use serde::Serialize;
use utoipa::ToSchema;

use super::request::SearchRequest;

/// A part of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Relaxed)]
pub enum Relaxation {
    /// Bounds of the duration.
    Duration,
    /// Bound of the post date.
    Date,
    /// Categories that had to match.
    Category,
    /// Words: of a few each choice, of many the last ones.
    Words,
    /// Letters of words that no title has.
    Spelling,
    /// Words for which others stand that mean the same.
    Meaning,
    /// All of it: what is watched most is shown.
    Popular,
}

impl Relaxation {
    /// The spelling on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Duration => "duration",
            Self::Date => "date",
            Self::Category => "category",
            Self::Words => "words",
            Self::Spelling => "spelling",
            Self::Meaning => "meaning",
            Self::Popular => "popular",
        }
    }
}

#[derive(Debug, Clone)]
pub struct Step {
    /// What was given up, in order.
    pub relaxed: Vec<Relaxation>,
    /// What is left: where words are given up, each choice of so many is a search of its own.
    pub asks: Vec<SearchRequest>,
}

/// Words of a search up to which each of them may be the one that is too many; each choice is a search.
const CHOSEN: usize = 4;

/// The search without a filter after the other.
fn without_filters(ask: &SearchRequest) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let (mut ask, mut relaxed) = (ask.clone(), Vec::new());
    if ask.list.duration != Duration::All {
        ask.list.duration = Duration::All;
        relaxed.push(Relaxation::Duration);
        steps.push(Step { relaxed: relaxed.clone(), asks: vec![ask.clone()] });
    }
    // With the most popular first a date is the window of the views, which hides nothing; a year has no window.
    let filters = ask.list.sort != VideoSort::MostPopular || ask.list.date == DateRange::Year;
    if ask.list.date != DateRange::All && filters {
        ask.list.date = DateRange::All;
        relaxed.push(Relaxation::Date);
        steps.push(Step { relaxed: relaxed.clone(), asks: vec![ask.clone()] });
    }
    if !ask.list.names.categories.is_empty() {
        ask.list.names.categories.clear();
        relaxed.push(Relaxation::Category);
        steps.push(Step { relaxed: relaxed.clone(), asks: vec![ask.clone()] });
    }
    steps
}

/// The search without any filter that may be given up, and which those were.
pub fn bare(ask: &SearchRequest) -> (SearchRequest, Vec<Relaxation>) {
    let last = without_filters(ask).pop();
    last.map_or_else(|| (ask.clone(), Vec::new()), |step| (step.asks[0].clone(), step.relaxed))
}

/// What is left of a search when nothing was found of it: the whole of it, then each of its words alone.
pub fn remains(ask: &SearchRequest) -> Vec<Vec<SearchRequest>> {
    let words = text::count_words(&ask.text);
    let alone = if words <= CHOSEN { text::without(&ask.text, words.saturating_sub(1)) } else { Vec::new() };
    let alone = alone.into_iter().map(|text| SearchRequest { text, ..ask.clone() }).collect();
    vec![vec![ask.clone()], alone]
}

/// Every step, each giving up more than the one before. They follow from the search alone, so that all pages of a search take
/// the same one.
pub fn steps(ask: &SearchRequest, most_words: usize) -> Vec<Step> {
    let mut steps = without_filters(ask);
    let (ask, mut relaxed) = bare(ask);
    let chosen = text::count_words(&ask.text) <= CHOSEN;
    relaxed.push(Relaxation::Words);
    for dropped in 1..=most_words {
        let texts = match chosen {
            true => text::without(&ask.text, dropped),
            false => text::without_last(&ask.text, dropped).into_iter().collect(),
        };
        if texts.is_empty() {
            break;
        }
        let asks = texts.into_iter().map(|text| SearchRequest { text, ..ask.clone() }).collect();
        steps.push(Step { relaxed: relaxed.clone(), asks });
    }
    steps
}

/// What follows a search of two words that finds little: each of them. More words are one thought, and without one of them another.
pub fn each_word(ask: &SearchRequest) -> Vec<SearchRequest> {
    let texts = if text::count_words(&ask.text) == 2 { text::without(&ask.text, 1) } else { Vec::new() };
    texts.into_iter().map(|text| SearchRequest { text, ..ask.clone() }).collect()
}
