//! `GET /api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json`: lists models.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::changes::{Object, Shows};
use lantern_config::{Config, Gender, Lang, ModelFilter, ModelSort, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments, Totals,
    cache::CachedAnswer,
    openapi::{Doc, invalid},
};
use lantern_index::{Filter, IndexName, SearchClient};
use lantern_listing::{ModelFilters, json_name, lifetime_of, number, page_of, word};
use lantern_search::{
    exclusions::Exclusions,
    index::{self, ListQuery, ModelCard, ModelDoc, Reader, models_of, people_filter},
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

/// Path template of the call.
pub const ADDRESS: &str = "/api/json/models/{lifetime}/{gender}/filt{filters}/{sort}/{count}/{page}.json";

pub(crate) fn doc(config: &Config) -> Doc {
    Doc::read("lists", "models", ADDRESS, "A list of models, with counts for every filter")
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
    let (lifetime, list, page) = read(segments.each_ref().map(|segment| &**segment), &sources.config)?;
    get(&sources, lifetime, list, page, query.lang()?).await?.respond(&headers)
}

/// Orientation, filters and order of a list of models.
type ModelChoice = (Gender, ModelFilters, ModelSort);

/// Parses the path into the lifetime, the choice of models, and the results page with its size.
pub(crate) fn read(segments: [&str; 6], config: &Config) -> ApiResult<(u32, ModelChoice, (u32, u32))> {
    let [lifetime, gender, filters, sort, count, file] = segments;
    let lifetime = lifetime_of(lifetime, lifetimes::LISTS)?;
    let chosen = (word(gender)?, ModelFilters::parse(filters)?, word(sort)?);
    let count = number(count, 1..=config.listing.max_page_size)?;
    Ok((lifetime, chosen, (page_of(json_name(file)?)?, count)))
}

/// Returns a results page of `count` models.
pub async fn get(
    sources: &Sources,
    lifetime: u32,
    (gender, filters, sort): ModelChoice,
    (page, count): (u32, u32),
    lang: Lang,
) -> ApiResult<CachedAnswer<ModelsAnswer>> {
    let Sources { cache, reader, .. } = sources.clone();
    let offset = offset(&reader.config, page, count)?;
    let key = format!("models/{lifetime}/{gender}/{}/{sort}/{count}/{page}?{lang}", filters.canonical());
    let compute = async move { list(&reader, models_of(gender), &filters, sort, (offset, count as usize), lang).await };
    cache.get(&key, lifetime, compute).await
}

/// Returns the same page without models that the viewer has muted.
pub(crate) async fn without(
    reader: &Reader,
    (gender, filters, sort): ModelChoice,
    (page, count): (u32, u32),
    lang: Lang,
    exclusions: Exclusions,
) -> ApiResult<ModelsAnswer> {
    let offset = offset(&reader.config, page, count)?;
    let within = models_of(gender).and(exclusions.allowed().models());
    list(reader, within, &filters, sort, (offset, count as usize), lang).await
}

/// Returns the offset of a results page. Fails with 404 for pages beyond `search.max_total_hits`.
fn offset(config: &Config, page: u32, count: u32) -> ApiResult<usize> {
    let offset = (page as usize - 1) * count as usize;
    if offset + count as usize > config.search.max_total_hits {
        return Err(ApiError::NotFound("not_found"));
    }
    Ok(offset)
}

async fn list(
    reader: &Reader,
    within: Filter,
    filters: &ModelFilters,
    sort: ModelSort,
    (offset, count): (usize, usize),
    lang: Lang,
) -> ApiResult<ModelsAnswer> {
    let cards = page(&reader.search, reader.now(), within.clone(), filters, sort, (offset, count));
    let facets = people_facets::facets(reader, within, filters, lang);
    let ((models, total_count), (facets, stats)) = tokio::try_join!(cards, facets)?;
    let totals = Totals::new(total_count, count, models.len(), "models_not_found");
    Ok(ModelsAnswer { models, totals, facets, stats })
}

/// Returns a results page of the models that match `within` and `filters`, and their total number.
pub(crate) async fn page(
    search: &SearchClient,
    now: i64,
    within: Filter,
    filters: &ModelFilters,
    sort: ModelSort,
    (offset, count): (usize, usize),
) -> ApiResult<(Vec<ModelCard>, usize)> {
    let query = ListQuery {
        index: IndexName::Models,
        filter: people_filter(within, filters, None, now),
        sort: index::model_sort(sort),
        offset,
        limit: count,
        fields: ModelDoc::fields(),
    };
    let (found, total) = index::page::<ModelDoc>(search, query).await?;
    Ok((found.iter().map(|model| ModelCard::new(model, now)).collect(), total))
}
