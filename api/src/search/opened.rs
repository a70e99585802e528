//! `act=found`: a visitor opened a video after a search.

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
