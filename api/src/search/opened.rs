//! Boosts videos that visitors opened after a search by some places within the first page, so that no video enters or
//! leaves the page.

use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::Client;
use lantern_search::log::{ClickEntry, SearchLog};

use crate::search::searcher;
use crate::{
    action::{
        ActAnswer,
        form::{StatForm, required},
    },
    view::queue::Views,
};

/// `act=found`: counts that the video `object_id` was opened from `position` of the results of the search for `s` in
/// `lang`.
pub fn found(
    search_log: &SearchLog,
    config: &Config,
    views: &Views,
    client: &Client,
    headers: &axum::http::HeaderMap,
    form: &StatForm,
) -> ApiResult<ActAnswer> {
    let query = required("s", form.s.as_deref())?;
    let (lang, place) = (required("lang", form.lang)?, required("position", form.position)?);
    let video_id = form.object()?;
    if let Some(visitor) = searcher::of_click(config, views, client, headers) {
        search_log.record_click(&visitor, ClickEntry { query, lang, video_id, place: place.get() });
    }
    Ok(ActAnswer::done())
}

/// Returns the boosted videos with the number of places. Only for the first page by relevance, and only if nothing was
/// relaxed.
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
