//! `GET /api/videos2.php`: search, with typos forgiven and words of any language.

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_config::{Lang, lifetimes};
use lantern_engine::Filter;
use lantern_indexer::{IndexName, settings, text};
use lantern_ratelimit::Action;
use meilisearch_sdk::search::MatchingStrategies;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::videos::known;
use crate::{
    error::{ApiError, ApiResult},
    extract::{Client, ListPath, Query, Section, VideoList, category_dirs, has_words},
    highlight,
    index::{self, Found, VideoDoc, VideoQuery, VideosAnswer},
    state::AppState,
};

/// The answer: a listing, and what is told about the search itself.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SearchAnswer {
    /// The listing.
    #[serde(flatten)]
    list: VideosAnswer,
    /// Names this search in later reports about it.
    #[schema(example = "01a1fd02-c62b-715b-be78-95b1fc93caa6")]
    query_id: Uuid,
    /// Milliseconds in the engine.
    #[schema(example = 4, minimum = 0)]
    processing_ms: usize,
    /// What was given up because nothing matched everything: `words`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    relaxed: Option<&'static str>,
}

/// What is asked.
struct Ask {
    text: String,
    list: VideoList,
    filter: Filter,
    lang: Lang,
}

/// The handler.
///
/// # Errors
/// 422 for a text too short or long, 404 for a listing outside the contract, 429 when too often.
pub async fn search(State(state): State<AppState>, client: Client, query: Query) -> ApiResult<Response> {
    state.limits.check(Action::Search, client.key)?;
    let ask = read(&state, &query).await?;
    let (found, relaxed) = run(&state, &ask).await?;
    state.search_log.record(&ask.text, ask.lang, found.total);
    let answer = SearchAnswer {
        processing_ms: found.took,
        list: listing(&state, &ask, found).await?,
        query_id: Uuid::now_v7(),
        relaxed,
    };
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer)).into_response())
}

async fn read(state: &AppState, query: &Query) -> ApiResult<Ask> {
    let bounds = state.config.listing.search_min..=state.config.listing.search_max;
    let text = query.text("s", bounds)?;
    let lang = query.lang()?;
    let params = query.get("params").ok_or(ApiError::Field { field: "params", code: "required", bound: None })?;
    let segments: Vec<&str> = params.split('/').collect();
    let segments = <[&str; 5]>::try_from(segments).map_err(|_| ApiError::invalid("params"))?;
    let list = ListPath::parse(segments, lifetimes::LISTS, &state.config)?.list;
    if list.section != Section::Search {
        return Err(ApiError::invalid("params"));
    }
    let mut filter = index::video_filter(&list, (state.now)());
    if let Some(dirs) = query.get("categories") {
        let dirs = category_dirs(dirs, &state.config)?;
        known(state, &dirs).await?;
        filter = dirs.iter().fold(filter, |all, dir| all.and(Filter::eq("category_dirs", dir)));
    }
    if let Some(dirs) = query.get("models") {
        for dir in model_dirs(dirs, state.config.listing.max_categories)? {
            filter = filter.and(Filter::eq("model_dirs", dir));
        }
    }
    Ok(Ask { text, list, filter, lang })
}

fn model_dirs(text: &str, most: usize) -> ApiResult<Vec<String>> {
    let dirs: Vec<&str> = text.split(',').collect();
    if dirs.len() > most {
        return Err(ApiError::invalid("models"));
    }
    dirs.into_iter().map(|dir| crate::extract::dir(dir, "model_not_found")).collect()
}

/// Every word must match, in what the visitor can read, else in any language; when nothing does, words are given up from the end, and the answer says so.
async fn run(state: &AppState, ask: &Ask) -> ApiResult<(Found<VideoDoc>, Option<&'static str>)> {
    if !has_words(&ask.text) {
        return Ok((Found::default(), None));
    }
    let readings = text::readings(&ask.text, ask.lang);
    let (own, all) = [Some(ask.lang), None].map(|lang| settings::searched(IndexName::Videos, lang)).into();
    let mut found = ask.find(state, &readings[0], &own, MatchingStrategies::ALL).await?;
    for reading in &readings {
        if found.total > 0 {
            return Ok((found, None));
        }
        found = ask.find(state, reading, &all, MatchingStrategies::ALL).await?;
    }
    if found.total > 0 || !readings[0].contains(' ') {
        return Ok((found, None));
    }
    let relaxed = ask.find(state, &readings[0], &all, MatchingStrategies::LAST).await?;
    let said = (relaxed.total > 0).then_some("words");
    Ok((relaxed, said))
}

impl Ask {
    async fn find(
        &self,
        state: &AppState,
        words: &str,
        search_on: &[String],
        strategy: MatchingStrategies,
    ) -> ApiResult<Found<VideoDoc>> {
        let search_on: Vec<&str> = search_on.iter().map(String::as_str).collect();
        let sort = index::video_sort(&self.list);
        let query = VideoQuery {
            text: Some(words),
            sort: sort.as_ref().map_or(&[], |sort| sort),
            offset: self.list.offset(),
            limit: self.list.count as usize,
            search_on: &search_on,
            strategy,
            ..VideoQuery::new(self.filter.clone())
        };
        index::find(state, query).await
    }
}

async fn listing(state: &AppState, ask: &Ask, found: Found<VideoDoc>) -> ApiResult<VideosAnswer> {
    let langs: Vec<Lang> = found.hits.iter().map(|video| video.shown_lang(ask.lang)).collect();
    let mut list = index::answer(state, found.hits, found.total, &found.counts, ask.list.count, ask.lang).await?;
    for (card, lang) in list.videos.iter_mut().zip(langs) {
        let title = highlight::html(&card.title, lang, &ask.text, ask.lang);
        card.formatted = Some(index::Formatted { title });
    }
    Ok(list)
}
