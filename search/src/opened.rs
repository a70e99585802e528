//! Moves videos that visitors opened after a search up by some places. They stay within the first page, so that no
//! video enters or leaves it.

use crate::{clicks::Clicks, outcome::Outcome, request::SearchRequest};

/// Returns the boosted videos, each with the number of places by which it moves up. There are none unless this is the
/// first page by relevance and nothing was relaxed.
pub fn boosts(clicks: &Clicks, request: &SearchRequest, outcome: &Outcome) -> Vec<(i64, f64)> {
    let is_applicable = request.is_ranked_first_page() && outcome.relaxed.is_empty();
    if is_applicable { clicks.of(request.lang, &request.text) } else { Vec::new() }
}

/// Moves boosted videos up.
pub fn apply_boosts(clicks: &Clicks, request: &SearchRequest, outcome: &mut Outcome) {
    let videos = boosts(clicks, request, outcome);
    if videos.is_empty() {
        return;
    }
    let places = |id: i64| videos.iter().find(|(video, _)| *video == id).map_or(0.0, |(_, places)| *places);
    let hits = std::mem::take(&mut outcome.found.hits);
    let mut placed: Vec<_> =
        hits.into_iter().enumerate().map(|(at, video)| (at as f64 - places(video.id), video)).collect();
    placed.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    outcome.found.hits = placed.into_iter().map(|(_, video)| video).collect();
}
