//! `act=found`: a visitor opened a video after a search.

use std::num::NonZeroU32;

use lantern_config::{Config, Lang};
use lantern_http::Client;
use lantern_search::log::{ClickEntry, SearchLog};
use serde::Deserialize;
use utoipa::ToSchema;

use super::searcher;
use crate::{
    action::{ActAnswer, form::Id},
    views::queue::Views,
};

/// Counts once per network, search, video and day that a video was opened from the results of a search.
#[derive(Deserialize, ToSchema)]
pub struct Found {
    /// Query of the search.
    s: String,
    /// Language of the search.
    lang: Lang,
    /// Position of the video in the results, from 1.
    #[schema(value_type = u32, minimum = 1)]
    position: NonZeroU32,
    object_id: Id,
}

pub fn found(
    search_log: &SearchLog,
    config: &Config,
    views: &Views,
    client: &Client,
    headers: &axum::http::HeaderMap,
    form: &Found,
) -> ActAnswer {
    if let Some(visitor) = searcher::of_click(config, views, client, headers) {
        let (video_id, place) = (form.object_id.into(), form.position.get());
        search_log.record_click(&visitor, ClickEntry { query: &form.s, lang: form.lang, video_id, place });
    }
    ActAnswer::done()
}
