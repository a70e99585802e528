//! `GET /api/spoken.php`: videos in which the words of a search are said. The page of a search asks for it separately, so that it need not
//! wait.

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{Client, Query, cost, openapi::Doc};
use lantern_ratelimit::Action;
use lantern_search::{
    exclusions::Exclusions,
    length,
    request::SearchRequest,
    searches::Searches,
    spoken::{SpokenVideo, find_spoken},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::ask;
use crate::existence::all_known;

/// Path of the call.
pub(crate) const ADDRESS: &str = "/api/spoken.php";

/// Videos in which the words of a search are said.
#[derive(Debug, Serialize, ToSchema)]
pub struct SpokenAnswer {
    /// The videos, best first.
    pub videos: Vec<SpokenVideo>,
}

pub(crate) fn doc(config: &Config) -> Doc {
    let about = format!("Query, in any language. {}", length::about(&config.listing));
    let doc = Doc::new("search", "spoken", ADDRESS, "Videos in which a search is said")
        .about(format!(
            "Looks in captions: one line, or two in succession, must have all words, in any language in which their meaning is known; \
             `-word` must not occur near them. At most {} videos that the list may show, those with captions in the visitor's language \
             first. Its order and page are ignored.",
            config.listing.spoken_items
        ))
        .answers::<SpokenAnswer>("The videos, each with the line and its second.");
    ask::asks(doc, &about, config)
}

pub(crate) async fn spoken(State(searches): State<Searches>, client: Client, query: Query) -> ApiResult<Response> {
    searches.limits.check(Action::Search, client.key)?;
    let request = ask::read(&searches.reader.config, &query)?;
    let answer = find_without(&searches, request, Exclusions::default()).await?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}

/// Finds the videos, without what the viewer has muted.
pub(crate) async fn find_without(
    Searches { pool, reader, lexicon, .. }: &Searches,
    mut request: SearchRequest,
    exclusions: Exclusions,
) -> ApiResult<SpokenAnswer> {
    all_known(pool, reader, &request.list.names).await?;
    request.allowed = exclusions.within(&request.list);
    Ok(SpokenAnswer { videos: cost::paid(find_spoken(reader, lexicon, &request)).await? })
}
