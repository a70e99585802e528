//! `act=found`: a visitor opened a video after a search.

use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::Client;
use lantern_search::log::{ClickEntry, SearchLog};

use super::searcher;
use crate::{
    action::{
        ActAnswer,
        form::{StatForm, required},
    },
    views::queue::Views,
};

/// `act=found`: counts that the video `object_id` was opened from `position` in the results of the search for `s` in
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
