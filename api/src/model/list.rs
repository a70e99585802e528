//! `GET /api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json`: lists models.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::changes::{Object, Shows};
use lantern_config::{Config, Lang, ModelFilter, lifetimes};
use lantern_errors::ApiResult;
use lantern_http::{
    Query, Segments, Totals,
    cache::CachedAnswer,
    openapi::{Doc, invalid},
};
use lantern_index::{Filter, IndexName};
use lantern_listing::{ModelList, SortWord, calls};
use lantern_search::{
    exclusions::Exclusions,
    index::{self, ListQuery, ModelCard, ModelDoc, Reader},
    people_facets::{self, Facets, Stats},
    shows,
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{params, sources::Sources};

/// A list of models.
#[derive(Debug, Serialize, ToSchema)]
pub struct ModelsAnswer {
    /// Models.
    pub models: Vec<ModelCard>,
    /// Totals, and the code for an empty page.
    #[serde(flatten)]
    pub totals: Totals,
    /// Values of each filter, with counts.
    #[schema(value_type = std::collections::BTreeMap<String, Vec<people_facets::FacetValue>>, example = json!({"race": [{"value": "asian", "label": "Asian", "total": 12}]}))]
    facets: Facets,
    /// Smallest and largest value of each range filter.
    #[schema(value_type = std::collections::BTreeMap<String, people_facets::Bounds>, example = json!({"age": {"min": 18, "max": 64}}))]
    stats: Stats,
}

impl Shows for ModelsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        shows::models(&self.models, objects);
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    Doc::read("lists", "models", calls::MODELS, "A list of models, with counts for every filter")
        .about("The counts of a filter ignore its own selection: they show what another value would return.")
        .takes_all([params::lifetime(lifetimes::LISTS), params::gender()])
        .takes(params::filters::<ModelFilter>("-race~asian-age~25.34"))
        .takes_all([params::model_sort(), params::count(config), params::page_of_list(config), params::lang()])
        .answers::<ModelsAnswer>("A page of models.")
        .cached()
        .refuses(invalid())
}

pub(crate) async fn models(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let segments: [String; 6] = segments.take()?;
    let list = ModelList::parse(segments.each_ref().map(|segment| &**segment), &sources.config)?;
    get(&sources, list, query.lang()?).await?.respond(&headers)
}

/// Returns a page of models.
pub async fn get(sources: &Sources, list: ModelList, lang: Lang) -> ApiResult<CachedAnswer<ModelsAnswer>> {
    let Sources { cache, reader, .. } = sources.clone();
    let offset = list.offset(&reader.config)?;
    let (key, lifetime) = (format!("{}?{lang}", list.canonical()), list.lifetime);
    let compute = async move { load(&reader, list.within(), &list, offset, lang).await };
    cache.get(&key, lifetime, compute).await
}

/// Returns the same page without models that the viewer has muted.
pub(crate) async fn without(
    reader: &Reader,
    list: &ModelList,
    lang: Lang,
    exclusions: Exclusions,
) -> ApiResult<ModelsAnswer> {
    let within = list.within().and(exclusions.allowed().models());
    load(reader, within, list, list.offset(&reader.config)?, lang).await
}

async fn load(reader: &Reader, within: Filter, list: &ModelList, offset: usize, lang: Lang) -> ApiResult<ModelsAnswer> {
    let cards = page(reader, within.clone(), list, offset, lang);
    let facets = people_facets::facets(reader, within, &list.filters, lang);
    let ((models, total_count), (facets, stats)) = tokio::try_join!(cards, facets)?;
    let totals = Totals::new(total_count, list.count, models.len(), "models_not_found");
    Ok(ModelsAnswer { models, totals, facets, stats })
}

/// Returns the page of the list's models that match `within`, and their total number.
pub(crate) async fn page(
    reader: &Reader,
    within: Filter,
    list: &ModelList,
    offset: usize,
    lang: Lang,
) -> ApiResult<(Vec<ModelCard>, usize)> {
    let now = reader.now();
    let query = ListQuery {
        index: IndexName::Models,
        filter: list.filters.filter(within, None, now),
        sort: list.sort.keys(),
        offset,
        limit: list.count as usize,
        fields: ModelDoc::fields(),
    };
    let (found, total) = index::page::<ModelDoc>(&reader.search, query).await?;
    Ok((ModelCard::list(&found, lang, now), total))
}
