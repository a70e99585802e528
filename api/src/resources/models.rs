//! `GET /api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json`.

use std::collections::BTreeMap;

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::changes::Object;
use lantern_config::{Gender, Lang, ModelSort, lifetimes};
use lantern_indexer::IndexName;
use meilisearch_sdk::search::{SearchQuery, Selectors};
use serde::Serialize;

use super::model_facets::{self, Bounds, FacetValue};
use super::shows;
use crate::{
    cache::Shows,
    error::{ApiError, ApiResult},
    extract::{ModelFilters, Query, Segments, json_name, lifetime_of, number, page_of, word},
    index::{self, ModelCard, ModelDoc},
    state::AppState,
};

#[derive(Debug, Serialize)]
struct ModelsAnswer {
    models: Vec<ModelCard>,
    total_count: usize,
    pages: usize,
    facets: BTreeMap<&'static str, Vec<FacetValue>>,
    stats: BTreeMap<&'static str, Bounds>,
}

impl Shows for ModelsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        shows::models(&self.models, objects);
    }
}

/// The handler.
///
/// # Errors
/// 404 for what is outside the contract.
pub async fn models(
    State(state): State<AppState>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, gender, filters, sort, count, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::LISTS)?;
    let (gender, sort): (Gender, ModelSort) = (word(&gender)?, word(&sort)?);
    let filters = ModelFilters::parse(&filters)?;
    let count = number(&count, 1..=state.config.listing.max_page_size)?;
    let page = page_of(json_name(&file)?)?;
    let offset = (page as usize - 1) * count as usize;
    if offset + count as usize > state.config.search.max_total_hits {
        return Err(ApiError::NotFound("not_found"));
    }
    let lang = query.lang()?;
    let key = format!("models/{lifetime}/{gender}/{}/{sort}/{count}/{page}?{lang}", filters.canonical());
    let cache = state.cache.clone();
    let compute = async move { list(&state, gender, &filters, sort, (offset, count as usize), lang).await };
    cache.respond(&key, lifetime, &headers, compute).await
}

async fn list(
    state: &AppState,
    gender: Gender,
    filters: &ModelFilters,
    sort: ModelSort,
    (offset, count): (usize, usize),
    lang: Lang,
) -> ApiResult<ModelsAnswer> {
    let cards = page(state, gender, filters, sort, (offset, count));
    let facets = model_facets::facets(state, gender, filters, lang);
    let ((models, total_count), (facets, stats)) = tokio::try_join!(cards, facets)?;
    Ok(ModelsAnswer { models, total_count, pages: total_count.div_ceil(count), facets, stats })
}

/// One page of models and the number of all.
///
/// # Errors
/// When the engine can't answer.
pub async fn page(
    state: &AppState,
    gender: Gender,
    filters: &ModelFilters,
    sort: ModelSort,
    (offset, count): (usize, usize),
) -> ApiResult<(Vec<ModelCard>, usize)> {
    let now = (state.now)();
    let index = state.search.index(IndexName::Models.uid());
    let filter = index::model_filter(gender, filters, None, now).to_string();
    let found = SearchQuery::new(&index)
        .with_filter(&filter)
        .with_sort(&index::model_sort(sort))
        .with_offset(offset)
        .with_limit(count)
        .with_attributes_to_retrieve(Selectors::Some(ModelDoc::CARD))
        .build()
        .execute::<ModelDoc>()
        .await?;
    let cards = found.hits.iter().map(|hit| ModelCard::new(&hit.result, now)).collect();
    Ok((cards, found.estimated_total_hits.unwrap_or_default()))
}
