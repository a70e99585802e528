//! `GET /api/new_videos.php?address=&since=&lang=`: number of videos in a list that were posted since a given time.
//!
//! The list is identified by the address of its page, so the call is the same for members and guests and needs no
//! session.

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_config::{Config, Lang};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query, cost,
    openapi::{Doc, invalid, query, refusal, too_often},
};
use lantern_index::Filter;
use lantern_ratelimit::Action;
use lantern_search::{
    index::{self, VideoQuery},
    run,
};
use serde::{Serialize, de::IgnoredAny};
use serde_json::json;
use utoipa::ToSchema;

use super::list::SavedList;
use crate::{params, state::AppState};

/// Number of new videos in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct NewVideosAnswer {
    /// Number of videos that match the whole search and were posted after `since`.
    #[schema(example = 3, minimum = 0)]
    new_videos: usize,
    /// Path and query of the list's feed.
    #[schema(example = "/search/feed/?s=night+market&lang=en")]
    feed: String,
}

pub fn doc(_: &Config) -> Doc {
    let address = json!({ "type": "string" });
    let since = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX });
    Doc::new("search", "new_videos", "/api/new_videos.php", "Number of new videos in a list")
        .about("Counts exactly, over all pages of the list. Videos that only a relaxed search finds don't count.")
        .takes(
            query(
                "address",
                "Path and query of a page that lists videos, except a country's chart.",
                address,
                "/search/1/?s=night",
            )
            .required(),
        )
        .takes(query("since", "Unix seconds; videos posted later are new.", since, 1_760_000_000).required())
        .takes(params::lang())
        .answers::<NewVideosAnswer>("The count.")
        .refuses(refusal(422, &[("required", "a required parameter is missing")]))
        .refuses(invalid())
        .refuses(too_often())
}

pub async fn news(State(state): State<AppState>, client: Client, query: Query) -> ApiResult<Response> {
    state.limits.check(Action::Search, client.key)?;
    let lang = query.lang()?;
    let address = query.get("address").ok_or(ApiError::required("address"))?;
    let list = SavedList::parse(address, &state.config).ok_or(ApiError::invalid("address"))?;
    let since = query.number("since", 0..=i64::from(u32::MAX))?.ok_or(ApiError::required("since"))?;
    let new_videos = cost::paid(count(&state, &list, since, lang)).await?;
    let answer = NewVideosAnswer { new_videos, feed: list.feed(lang) };
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}

async fn count(state: &AppState, list: &SavedList, since: i64, lang: Lang) -> ApiResult<usize> {
    let reader = &state.reader;
    let posted = Filter::gt("post_date", since);
    if let Some(request) = list.search(lang) {
        return run::count(reader, &state.lexicon, &request, &posted).await;
    }
    let filter = list.list().filter(reader.now()).and(posted);
    let query = VideoQuery { fields: &[], counts: &[], ..VideoQuery::new(filter) };
    Ok(index::find::<IgnoredAny>(reader, query).await?.total)
}
