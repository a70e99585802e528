//! `GET /api/videos2.php`: search, with typos forgiven and words of any language.
//!
//! One round trip answers a search that finds enough: videos and groups together. Where little is found a second one asks for
//! everything else that may help at once: other readings, relaxed searches, other spellings.

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_config::{Config, Lang, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query, cost,
    openapi::{Doc, invalid, refusal, too_often},
    request_id,
};
use lantern_index::text;
use lantern_listing::{ListPath, Names, Section};
use lantern_ratelimit::Action;
use lantern_search::{
    exclusions::{Exclusions, ListBounds},
    groups::Groups,
    highlight,
    index::{self, Fallback, Reader, VideosAnswer},
    length,
    log::SearchEntry,
    outcome::Outcome,
    relax::Relaxation,
    request::SearchRequest,
    run::{exactly, run},
    searches::Searches,
};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{params, search::searcher::Searcher, video::list::all_known};

/// The answer: a listing, and what is told about the search itself.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SearchAnswer {
    /// The listing.
    #[serde(flatten)]
    pub list: VideosAnswer,
    /// Names this search in later reports about it.
    #[schema(example = "01a1fd02-c62b-715b-be78-95b1fc93caa6")]
    query_id: Uuid,
    /// Milliseconds in the engine.
    #[schema(example = 4, minimum = 0)]
    processing_ms: usize,
    /// What was given up because nothing or little matched everything, in order; the videos, totals and counts are of what was left.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    relaxed: Vec<Relaxation>,
    /// How many of the videos match everything; there where something was given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 0)]
    exact_count: Option<usize>,
    /// The query with better known spellings, each choice of its words that finds something, or what means the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    shown_for: Vec<String>,
    /// What was given up in vain.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    tried: Vec<Relaxation>,
    /// A better known spelling that finds more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    did_you_mean: Option<String>,
    /// What else is called so; first page only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    groups: Option<Groups>,
}

/// Where it is.
pub const ADDRESS: &str = "/api/videos2.php";

pub fn doc(config: &Config) -> Doc {
    let about = format!("What to look for, in any language; typos are forgiven. {}", length::about(&config.listing));
    let doc = Doc::new("search", "search", ADDRESS, "Videos found by words")
        .about(
            "Every word must match, `-word` and `-\"some words\"` must not. When little does, words that mean the same find more, and \
             behind what has two words follows what has one of them. When nothing does, or only by forgiven slips, words are taken as \
             the better known ones that they resemble, or the duration, the date, the categories and words are given up in that order \
             until something is found, at last what is watched most; `relaxed` says what was. \
             The titles come with what matched in `_formatted`.",
        )
        .answers::<SearchAnswer>("A page of videos.");
    asks(doc, &about, config)
}

/// What calls that are asked as a search is take and refuse; `about` says what is looked for.
pub fn asks(doc: Doc, about: &str, config: &Config) -> Doc {
    doc.takes(params::text("s", about, 1, config, "night market").required())
        .takes(params::search_list(lifetimes::LISTS))
        .takes(params::lang())
        .takes_all(params::names(config))
        .refuses(refusal(
            404,
            &[
                ("not_found", "`params` names a listing outside the contract"),
                ("category_not_found", "no such category"),
                ("model_not_found", "no such model"),
            ],
        ))
        .refuses(refusal(
            422,
            &[
                ("required", "a parameter that must be there is not"),
                ("min_length", "the words are too short"),
                ("max_length", "the words are too long"),
            ],
        ))
        .refuses(invalid())
        .refuses(too_often())
}

pub async fn search(
    State(searches): State<Searches>,
    client: Client,
    searcher: Searcher,
    query: Query,
) -> ApiResult<Response> {
    let answer = find(&searches, &client, searcher, &query).await?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}

/// Searches, and counts that somebody did.
pub async fn find(searches: &Searches, client: &Client, searcher: Searcher, query: &Query) -> ApiResult<SearchAnswer> {
    find_without(searches, client, searcher, query, Exclusions::default()).await
}

/// The same without what the viewer muted.
pub async fn find_without(
    searches: &Searches,
    client: &Client,
    Searcher(searcher): Searcher,
    query: &Query,
    exclusions: Exclusions,
) -> ApiResult<SearchAnswer> {
    searches.limits.check(Action::Search, client.key)?;
    let mut ask = read(&searches.pool, &searches.reader, query).await?;
    ask.allowed = exclusions.within(&ask.list);
    let outcome = cost::paid(run(&searches.reader, &searches.lexicon, &searches.clicks, &ask)).await?;
    // Turning pages is not searching again.
    if let Some(visitor) = searcher.filter(|_| ask.list.page == 1) {
        // What is watched most is not what anybody searched for.
        let is_rescued = !outcome.relaxed.contains(&Relaxation::Popular);
        let rescued_by: Vec<&str> =
            outcome.relaxed.iter().filter(|_| is_rescued).map(|relaxed| relaxed.as_str()).collect();
        let searched = SearchEntry { query: &ask.text, lang: ask.lang, hits: outcome.hits, rescued_by: &rescued_by };
        searches.log.record(&visitor, searched);
    }
    answer(&searches.reader, &ask, outcome).await
}

/// The videos that match everything, for programs that follow a search: nothing is given up, and nobody searched.
pub async fn find_exactly(
    Searches { pool, reader, limits, .. }: &Searches,
    client: &Client,
    query: &Query,
) -> ApiResult<VideosAnswer> {
    limits.check(Action::Search, client.key)?;
    let ask = read(pool, reader, query).await?;
    let found = cost::paid(exactly(reader, &ask)).await?;
    index::answer(&reader.categories, &reader.model_names, found.hits, found.total, &found.counts, &ask.list, ask.lang)
        .await
}

/// What the address asks for.
pub async fn read(pool: &PgPool, reader: &Reader, query: &Query) -> ApiResult<SearchRequest> {
    let lengths = length::lengths(&reader.config.listing, query.get("s").unwrap_or_default());
    let text = query.text("s", lengths)?;
    let lang = query.lang()?;
    let params = query.get("params").ok_or(ApiError::required("params"))?;
    let segments: Vec<&str> = params.split('/').collect();
    let segments = <[&str; 5]>::try_from(segments).map_err(|_| ApiError::invalid("params"))?;
    let path = ListPath::parse(segments, lifetimes::LISTS, &reader.config)?;
    if path.list.section != Section::Search {
        return Err(ApiError::invalid("params"));
    }
    let list = path.named(Names::parse(|name| query.get(name), &reader.config)?).list;
    all_known(pool, reader, &list.names).await?;
    Ok(SearchRequest { text, list, allowed: ListBounds::everything(), lang })
}

/// The page that was found.
pub async fn answer(reader: &Reader, ask: &SearchRequest, outcome: Outcome) -> ApiResult<SearchAnswer> {
    let Outcome { found, hits, shown, relaxed, tried, did_you_mean, groups } = outcome;
    let langs: Vec<Lang> = found.hits.iter().map(|video| video.shown_title(ask.lang).lang).collect();
    let processing_ms = found.took;
    let mut list = index::answer(
        &reader.categories,
        &reader.model_names,
        found.hits,
        found.total,
        &found.counts,
        &ask.list,
        ask.lang,
    )
    .await?;
    let wanted = text::wanted(&shown.join(" "));
    for (card, lang) in list.videos.iter_mut().zip(langs) {
        let title = highlight::html(&card.title, lang, &wanted, ask.lang);
        card.formatted = Some(index::Highlight { title });
    }
    let is_other =
        [Relaxation::Words, Relaxation::Spelling, Relaxation::Meaning].iter().any(|part| relaxed.contains(part));
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
        exact_count: (!relaxed.is_empty()).then_some(hits),
        relaxed,
        shown_for,
        tried,
        did_you_mean,
        groups,
    })
}
