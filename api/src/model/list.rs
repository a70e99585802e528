//! `GET /api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::changes::Object;
use lantern_config::{Config, Gender, Lang, ModelFilter, ModelSort, lifetimes};
use lantern_index::IndexName;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    cache::{CachedAnswer, Shows, shows},
    http::{
        error::{ApiError, ApiResult},
        extract::{ModelFilters, Query, Segments, json_name, lifetime_of, number, page_of, word},
        totals::Totals,
    },
    index::{self, ListQuery, ModelCard, ModelDoc, people_filter},
    openapi::{Doc, errors::invalid, params},
    search::people_facets::{self, Facets, Stats},
    state::AppState,
};

/// A list of models.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ModelsAnswer {
    /// Models.
    pub models: Vec<ModelCard>,
    /// How many, and what to say when there are none.
    #[serde(flatten)]
    pub totals: Totals,
    /// Values with counts, by filter.
    #[schema(value_type = std::collections::BTreeMap<String, Vec<people_facets::FacetValue>>, example = json!({"race": [{"value": "asian", "label": "Asian", "total": 12}]}))]
    facets: Facets,
    /// Smallest and largest value, by filter that takes a range.
    #[schema(value_type = std::collections::BTreeMap<String, people_facets::Bounds>, example = json!({"age": {"min": 18, "max": 64}}))]
    stats: Stats,
}

impl Shows for ModelsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        shows::models(&self.models, objects);
    }
}

pub fn doc(config: &Config) -> Doc {
    Doc::read(
        "lists",
        "models",
        "/api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json",
        "A list of models, with counts of every filter",
    )
    .about("The counts of a filter ignore its own choice: they say what choosing another value would show.")
    .takes_all([params::lifetime(lifetimes::LISTS), params::gender()])
    .takes(params::filters::<ModelFilter>("-race~asian-age~25.34"))
    .takes_all([params::model_sort(), params::count(config), params::page_of_list(config), params::lang()])
    .answers::<ModelsAnswer>("A page of models.")
    .cached()
    .refuses(invalid())
}

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
    get(&state, lifetime, (gender, filters, sort), (page, count), query.lang()?).await?.respond(&headers)
}

/// A page of so many models.
pub async fn get(
    state: &AppState,
    lifetime: u32,
    (gender, filters, sort): (Gender, ModelFilters, ModelSort),
    (page, count): (u32, u32),
    lang: Lang,
) -> ApiResult<CachedAnswer<ModelsAnswer>> {
    let offset = (page as usize - 1) * count as usize;
    if offset + count as usize > state.config.search.max_total_hits {
        return Err(ApiError::NotFound("not_found"));
    }
    let key = format!("models/{lifetime}/{gender}/{}/{sort}/{count}/{page}?{lang}", filters.canonical());
    let node = state.clone();
    let compute = async move { list(&node, gender, &filters, sort, (offset, count as usize), lang).await };
    state.cache.get(&key, lifetime, compute).await
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
    let facets = people_facets::facets(state, Some(gender), filters, lang);
    let ((models, total_count), (facets, stats)) = tokio::try_join!(cards, facets)?;
    let totals = Totals::new(total_count, count, models.len(), "models_not_found");
    Ok(ModelsAnswer { models, totals, facets, stats })
}

/// One page of models and the number of all.
pub async fn page(
    state: &AppState,
    gender: Gender,
    filters: &ModelFilters,
    sort: ModelSort,
    (offset, count): (usize, usize),
) -> ApiResult<(Vec<ModelCard>, usize)> {
    let now = (state.now)();
    let query = ListQuery {
        index: IndexName::Models,
        filter: people_filter(Some(gender), filters, None, now),
        sort: index::model_sort(sort),
        offset,
        limit: count,
        fields: ModelDoc::fields(),
    };
    let (found, total) = index::page::<ModelDoc>(&state.search, query).await?;
    Ok((found.iter().map(|model| ModelCard::new(model, now)).collect(), total))
}
