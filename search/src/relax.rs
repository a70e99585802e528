//! Fixed order in which a search without hits drops filters and words until it finds something. Other filters, such as
//! orientation, models and exclusions, are never dropped.

use lantern_config::{DateRange, VideoSort};
use lantern_index::text;
use lantern_listing::{Duration, VideoList};
use serde::Serialize;
use utoipa::ToSchema;

use super::request::SearchRequest;

/// A part of a search that was dropped or replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Relaxed)]
pub enum Relaxation {
    /// Duration filter.
    Duration,
    /// Date filter.
    Date,
    /// Category filter.
    Category,
    /// Words: every choice of them for short queries, the last ones of longer queries.
    Words,
    /// Spelling of words that no title has.
    Spelling,
    /// Words replaced by synonyms.
    Meaning,
    /// Everything: the most watched videos are shown.
    Popular,
}

impl Relaxation {
    /// Returns the wire name.
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

/// One way to relax a search.
#[derive(Debug, Clone)]
pub struct Step {
    /// Relaxations so far, in order.
    pub relaxed: Vec<Relaxation>,
    /// Remaining searches: one for each choice of words to drop.
    pub searches: Vec<SearchRequest>,
}

/// Maximum number of words for which every choice of words to drop is tried. Each choice is a separate search.
const MAX_CHOICE_WORDS: usize = 4;

/// Returns steps that each drop one more filter.
fn filter_steps(request: &SearchRequest) -> Vec<Step> {
    let list = &request.list;
    // With `most-popular`, a date is the period of the views and hides nothing. A year is the exception, because views
    // have no such period.
    let date_filters = list.sort != VideoSort::MostPopular || list.choices.date == DateRange::Year;
    let filters: [(_, _, fn(&mut VideoList)); 3] = [
        (Relaxation::Duration, list.choices.duration != Duration::All, |list| list.choices.duration = Duration::All),
        (Relaxation::Date, list.choices.date != DateRange::All && date_filters, |list| {
            list.choices.date = DateRange::All
        }),
        (Relaxation::Category, !list.names.categories.is_empty(), |list| list.names.categories.clear()),
    ];
    let (mut steps, mut request, mut relaxed) = (Vec::new(), request.clone(), Vec::new());
    for (filter, _, clear) in filters.into_iter().filter(|(_, is_set, _)| *is_set) {
        clear(&mut request.list);
        relaxed.push(filter);
        steps.push(Step { relaxed: relaxed.clone(), searches: vec![request.clone()] });
    }
    steps
}

/// Returns the search without the filters that may be dropped, and the relaxations that were applied.
pub fn without_filters(request: &SearchRequest) -> (SearchRequest, Vec<Relaxation>) {
    let last = filter_steps(request).pop();
    last.map_or_else(|| (request.clone(), Vec::new()), |step| (step.searches[0].clone(), step.relaxed))
}

/// Returns a search for each word alone, unless there are too many words.
pub fn words_alone(request: &SearchRequest) -> Vec<SearchRequest> {
    let words = text::count_words(&request.text);
    let texts =
        if words <= MAX_CHOICE_WORDS { text::without(&request.text, words.saturating_sub(1)) } else { Vec::new() };
    texts.into_iter().map(|text| request.with_text(text)).collect()
}

/// Returns all steps. Each one drops more than the one before. The steps depend only on the search, so that all its
/// pages use the same step.
pub fn steps(request: &SearchRequest, most_words: usize) -> Vec<Step> {
    let mut steps = filter_steps(request);
    let (request, mut relaxed) = without_filters(request);
    let every_choice = text::count_words(&request.text) <= MAX_CHOICE_WORDS;
    relaxed.push(Relaxation::Words);
    for dropped in 1..=most_words {
        let texts = match every_choice {
            true => text::without(&request.text, dropped),
            false => text::without_last(&request.text, dropped).into_iter().collect(),
        };
        if texts.is_empty() {
            break;
        }
        let searches = texts.into_iter().map(|text| request.with_text(text)).collect();
        steps.push(Step { relaxed: relaxed.clone(), searches });
    }
    steps
}

/// Returns the single words of a query with two words, so that their results can be appended if there are few hits.
/// Longer queries express one idea, which changes if a word is missing.
pub fn each_word(request: &SearchRequest) -> Vec<SearchRequest> {
    if text::count_words(&request.text) == 2 { words_alone(request) } else { Vec::new() }
}
