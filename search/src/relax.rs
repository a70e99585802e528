//! What a search without hits drops. Orientation, models and exclusions are never dropped.

use lantern_config::{DateRange, VideoSort};
use lantern_listing::{Duration, VideoList};
use serde::Serialize;
use utoipa::ToSchema;

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
            Self::Popular => "popular",
        }
    }
}

/// Returns lists that each lack one more filter, with everything that was dropped.
pub fn filter_steps(list: &VideoList) -> Vec<(VideoList, Vec<Relaxation>)> {
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
    let (mut steps, mut list, mut relaxed) = (Vec::new(), list.clone(), Vec::new());
    for (filter, _, clear) in filters.into_iter().filter(|(_, is_set, _)| *is_set) {
        clear(&mut list);
        relaxed.push(filter);
        steps.push((list.clone(), relaxed.clone()));
    }
    steps
}
