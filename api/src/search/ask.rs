//! `GET /api/videos2.php`: searches for videos. The query may contain typos and words in any language.
//!
//! A search takes one round trip, for videos and groups together. A search without hits takes a second one, which runs all fallbacks at
//! once, and a search with few hits takes a second one for partial matches.

use std::collections::HashMap;

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_config::{Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query, cost,
    openapi::{Doc, invalid, refusal, too_often},
    request_id,
};
use lantern_listing::{Section, VideoList};
use lantern_ratelimit::Action;
use lantern_search::{
    chapters,
    exclusions::{Exclusions, ListBounds},
    groups::Groups,
    highlight,
    index::{self, ChapterHit, Fallback, PartialMatches, Reader, VideoCard, VideosAnswer},
    length,
    log::SearchEntry,
    outcome::{Outcome, Partial},
    relax::Relaxation,
    request::SearchRequest,
    run::{find_exact, run},
    searches::Searches,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{existence::all_known, params, search::searcher::Searcher};

/// A results page and information about the search.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchAnswer {
    /// The results page.
    #[serde(flatten)]
    pub list: VideosAnswer,
    /// Id of this search for later reports about it.
    #[schema(example = "01a1fd02-c62b-715b-be78-95b1fc93caa6")]
    query_id: Uuid,
    /// Milliseconds spent in the engine.
    #[schema(example = 4, minimum = 0)]
    processing_ms: usize,
    /// Parts of the search that were relaxed because it had no hits, in order; videos, totals and counts are those of the relaxed
    /// search.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    relaxed: Vec<Relaxation>,
    /// Queries shown instead: a better known spelling, or each choice of words with hits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    shown_for: Vec<String>,
    /// Parts of the search that were relaxed without finding anything.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    tried: Vec<Relaxation>,
    /// A better known spelling with more hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    did_you_mean: Option<String>,
    /// Matching models, categories and playlists; first page only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    groups: Option<Groups>,
}

/// Path of the call.
pub const ADDRESS: &str = "/api/videos2.php";

pub(crate) fn doc(config: &Config) -> Doc {
    let about = format!("Query, in any language; typos are tolerated. {}", length::about(&config.listing));
    let doc = Doc::new("search", "search", ADDRESS, "Search videos")
        .about(
            "Every word must match, in any language in which its meaning is known; articles and prepositions need not. `-word` and \
             `-\"some words\"` must not match. Without hits, the search tries the nearest known spelling, then drops duration, date, \
             categories and words in that order until something matches; at last it returns the most watched videos. `relaxed` lists \
             what was dropped or replaced. `_formatted` holds titles with matches marked, and `chapter` the chapter that matches rather than the title.",
        )
        .answers::<SearchAnswer>("A page of videos.");
    asks(doc, &about, config)
}

/// Documents the parameters and errors for calls that take a search. `about` describes the query.
pub(crate) fn asks(doc: Doc, about: &str, config: &Config) -> Doc {
    doc.takes(params::text("s", about, 1, config, "night market").required())
        .takes(params::search_list(lifetimes::LISTS))
        .takes(params::lang())
        .takes_all(params::narrowing(config))
        .refuses(refusal(
            404,
            &[
                ("not_found", "`params` is not the path of a listing"),
                ("category_not_found", "no such category"),
                ("model_not_found", "no such model"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "a required parameter is missing"),
                ("min_length", "the query is too short"),
                ("max_length", "the query is too long"),
            ],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

pub(crate) async fn search(
    State(searches): State<Searches>,
    client: Client,
    searcher: Searcher,
    query: Query,
) -> ApiResult<Response> {
    searches.limits.check(Action::Search, client.key)?;
    let answer = find(&searches, searcher, read(&searches.reader.config, &query)?).await?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}

/// Runs a search and counts it.
pub async fn find(searches: &Searches, searcher: Searcher, request: SearchRequest) -> ApiResult<SearchAnswer> {
    find_without(searches, searcher, request, Exclusions::default()).await
}

/// Like [`find`], but without what the viewer has muted.
pub(crate) async fn find_without(
    searches: &Searches,
    Searcher(searcher): Searcher,
    mut request: SearchRequest,
    exclusions: Exclusions,
) -> ApiResult<SearchAnswer> {
    all_known(&searches.pool, &searches.reader, &request.list.names).await?;
    request.allowed = exclusions.within(&request.list);
    let outcome = cost::paid(run(&searches.reader, &searches.lexicon, &searches.clicks, &request)).await?;
    // Requesting a later results page is not a new search.
    if let Some(visitor) = searcher.filter(|_| request.list.page == 1) {
        // If only the most watched videos are shown, the search has not been rescued.
        let is_rescued = !outcome.relaxed.contains(&Relaxation::Popular);
        let rescued_by: Vec<&str> =
            outcome.relaxed.iter().filter(|_| is_rescued).map(|relaxed| relaxed.as_str()).collect();
        let searched =
            SearchEntry { query: &request.text, lang: request.lang, hits: outcome.hits, rescued_by: &rescued_by };
        searches.log.record(&visitor, searched);
    }
    answer(&searches.reader, &request, outcome).await
}

/// Returns the videos that match the whole search, for programs that follow it. Nothing is relaxed, and nothing is counted.
pub async fn find_exactly(
    Searches { pool, reader, lexicon, .. }: &Searches,
    request: &SearchRequest,
) -> ApiResult<VideosAnswer> {
    all_known(pool, reader, &request.list.names).await?;
    let found = cost::paid(find_exact(reader, lexicon, request)).await?;
    index::answer(reader, found, &request.list, request.lang).await
}

/// Parses the parameters of a search.
pub fn read(config: &Config, query: &Query) -> ApiResult<SearchRequest> {
    let lengths = length::lengths(&config.listing, query.get("s").unwrap_or_default());
    let text = query.text("s", lengths)?;
    let lang = query.lang()?;
    let params = query.get("params").ok_or(ApiError::required("params"))?;
    let segments: Vec<&str> = params.split('/').collect();
    let segments = <[&str; 5]>::try_from(segments).map_err(|_| ApiError::invalid("params"))?;
    let list = VideoList::parse(segments, |name| query.get(name), lifetimes::LISTS, config)?;
    if list.section != Section::Search {
        return Err(ApiError::invalid("params"));
    }
    Ok(SearchRequest { text, list, allowed: ListBounds::everything(), lang })
}

/// Builds the response to a search.
pub(crate) async fn answer(reader: &Reader, request: &SearchRequest, outcome: Outcome) -> ApiResult<SearchAnswer> {
    let Outcome { found, hits, shown, words, relaxed, tried, did_you_mean, groups, partial } = outcome;
    let processing_ms = found.took;
    let chapters: HashMap<i64, ChapterHit> =
        found.hits.iter().filter_map(|video| Some((video.id, chapters::hit(video, &words)?))).collect();
    let mut list = index::answer(reader, found, &request.list, request.lang).await?;
    if let Some(Partial { videos, shown: shown_for }) = partial {
        let names = reader.categories.current().await?;
        let videos = videos.into_iter().map(|video| VideoCard::new(video, &names, request.lang)).collect();
        list.partial = Some(PartialMatches { videos, shown_for });
    }
    for card in &mut list.videos {
        card.chapter = chapters.get(&card.video_id).cloned();
    }
    let partial = list.partial.iter_mut().flat_map(|partial| &mut partial.videos);
    for card in list.videos.iter_mut().chain(partial) {
        let lang = card.title_lang.parse().unwrap_or(request.lang);
        let words = words.get(&lang).map_or("", String::as_str);
        let title = highlight::html(&card.title, lang, words, lang);
        card.formatted = Some(index::Highlight { title });
    }
    let is_other = [Relaxation::Words, Relaxation::Spelling].iter().any(|part| relaxed.contains(part));
    let shown_for = if is_other { shown } else { Vec::new() };
    list.fallback = (hits == 0).then(|| match &*relaxed {
        [] => Fallback::Nothing,
        [.., Relaxation::Popular] => Fallback::Popular,
        _ if is_other => Fallback::Other(shown_for.clone()),
        _ => Fallback::Unfiltered,
    });
    Ok(SearchAnswer {
        list,
        query_id: request_id::next(),
        processing_ms,
        relaxed,
        shown_for,
        tried,
        did_you_mean,
        groups,
    })
}
