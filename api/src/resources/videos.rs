//! `GET /api/json/videos2/…`: every listing of videos.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_config::{Lang, VideoSort, lifetimes};
use lantern_engine::Filter;
use lantern_indexer::IndexName;
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::Deserialize;

use crate::{
    error::{ApiError, ApiResult},
    extract::{ListPath, Query, Section, Segments, VideoList, json_name},
    index::{self, Found, ModelDoc, Ref, VideoDoc, VideoQuery, VideosAnswer},
    state::AppState,
};

/// The handler.
///
/// # Errors
/// 404 for what is outside the contract, unknown categories and models.
pub async fn videos(
    State(state): State<AppState>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, gender, sort, count, file] = segments.take()?;
    let segments = [&*lifetime, &*gender, &*sort, &*count, json_name(&file)?];
    let path = ListPath::parse(segments, lifetimes::LISTS, &state.config)?;
    let lang = query.lang()?;
    // Without words there is nothing to be relevant to; searches have a call of their own.
    if path.list.sort == VideoSort::Relevance || path.list.section == Section::Search {
        return Err(ApiError::NotFound("not_found"));
    }
    let key = format!("{}?{lang}", path.canonical());
    let cache = state.cache.clone();
    let compute = async move { listing(&state, &path.list, lang).await };
    cache.respond(&key, path.lifetime, &headers, compute).await
}

async fn listing(state: &AppState, list: &VideoList, lang: Lang) -> ApiResult<VideosAnswer> {
    let found = match &list.section {
        Section::TopCountry(country) if *country != state.config.visitors.default_country => {
            charted(state, list, country).await?
        }
        // The whole world's chart is the order of all views.
        Section::TopCountry(_) => ordered(state, list, &["viewed:desc", "id:desc"]).await?,
        Section::Categories(dirs) => {
            known(state, dirs).await?;
            by_sort(state, list).await?
        }
        _ => by_sort(state, list).await?,
    };
    if found.total == 0
        && let Section::Model(dir) = &list.section
    {
        model_exists(state, dir).await?;
    }
    index::answer(state, found.hits, found.total, &found.counts, list.count, lang).await
}

/// Refuses categories that don't exist.
pub(super) async fn known(state: &AppState, dirs: &[String]) -> ApiResult<()> {
    let categories = state.categories.current(state).await?;
    if dirs.iter().all(|dir| categories.knows(dir)) { Ok(()) } else { Err(ApiError::NotFound("category_not_found")) }
}

async fn model_exists(state: &AppState, dir: &str) -> ApiResult<()> {
    let index = state.search.index(IndexName::Models.uid());
    let filter = Filter::eq("dir", dir).to_string();
    let found = SearchQuery::new(&index)
        .with_filter(&filter)
        .with_limit(1)
        .with_attributes_to_retrieve(Selectors::Some(ModelDoc::NAME))
        .build()
        .execute::<Ref>()
        .await?;
    if found.hits.is_empty() {
        return Err(ApiError::NotFound("model_not_found"));
    }
    Ok(())
}

async fn by_sort(state: &AppState, list: &VideoList) -> ApiResult<Found<VideoDoc>> {
    let sort = index::video_sort(list).unwrap_or(["viewed:desc", "id:desc"]);
    ordered(state, list, &sort).await
}

async fn ordered(state: &AppState, list: &VideoList, sort: &[&str]) -> ApiResult<Found<VideoDoc>> {
    let query = VideoQuery {
        sort,
        offset: list.offset(),
        limit: list.count as usize,
        ..VideoQuery::new(index::video_filter(list, (state.now)()))
    };
    index::find(state, query).await
}

/// An entry of a country's chart.
#[derive(Debug, Deserialize)]
struct Charted {
    video_id: i64,
}

/// The chart names the videos and their order, the video index what a card shows.
async fn charted(state: &AppState, list: &VideoList, country: &str) -> ApiResult<Found<VideoDoc>> {
    let filter = index::video_filter(list, (state.now)()).and(Filter::eq("country", country));
    let query = VideoQuery {
        index: IndexName::Charts,
        sort: &["viewed:desc", "video_id:desc"],
        offset: list.offset(),
        limit: list.count as usize,
        fields: &["video_id"],
        ..VideoQuery::new(filter)
    };
    let chart: Found<Charted> = index::find(state, query).await?;
    let ids: Vec<i64> = chart.hits.iter().map(|entry| entry.video_id).collect();
    Ok(Found {
        hits: index::videos_by_id(state, &ids).await?,
        total: chart.total,
        counts: chart.counts,
        took: chart.took,
    })
}
