//! What visitors open after a search moves up in it, by some places within the first page: nothing comes in that the search doesn't
//! find, and nothing is pushed off the page.

use crate::{clicks::Clicks, outcome::Outcome, request::SearchRequest};

/// The videos that visitors opened, with the places by which they move up. Only where the engine decides on the order, and everything asked
/// for is in what is shown.
pub fn lifted(clicks: &Clicks, ask: &SearchRequest, outcome: &Outcome) -> Vec<(i64, f64)> {
    let learns = ask.is_ranked_first_page() && outcome.relaxed.is_empty();
    if learns { clicks.lifted(ask.lang, &ask.text) } else { Vec::new() }
}

/// Moves up what visitors opened.
pub fn lift(clicks: &Clicks, ask: &SearchRequest, outcome: &mut Outcome) {
    let videos = lifted(clicks, ask, outcome);
    if videos.is_empty() {
        return;
    }
    let lift = |id: i64| videos.iter().find(|(video, _)| *video == id).map_or(0.0, |(_, places)| *places);
    let hits = std::mem::take(&mut outcome.found.hits);
    let mut placed: Vec<_> =
        hits.into_iter().enumerate().map(|(at, video)| (at as f64 - lift(video.id), video)).collect();
    placed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    outcome.found.hits = placed.into_iter().map(|(_, video)| video).collect();
}
