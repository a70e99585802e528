//! What visitors open after a search moves up in it, by some places within the first page: nothing comes in that the search doesn't
//! find, and nothing is pushed off the page.

use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::Client;

use super::{clicks::Clicks, log::ClickEntry, outcome::Outcome, request::SearchRequest, searcher};
use crate::{
    action::{
        ActAnswer,
        form::{StatForm, required},
    },
    search::log::SearchLog,
    view::queue::Views,
};

/// `act=found`: `object_id` is a video that was opened after a search for `s` in `lang`, where it stood at `position`.
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
