//! `GET /api/json/video_counts/…` and `GET /api/video_counts.php`: how many videos a list would show for each choice of a
//! facet. This is a separate call, so that the list does not wait for the counts.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::{
    changes::{LIST, Object, Shows},
    outbox::Entity,
};
use lantern_config::{Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client, Query, Segments,
    cache::CachedAnswer,
    cost,
    openapi::{Doc, invalid, refusal},
};
use lantern_index::{Filter, IndexName, SearchClient};
use lantern_listing::{FACETS, Facet, Section, VideoList, calls, json_name};
use lantern_ratelimit::Action;
use lantern_search::{
    index::{Reader, VideoQuery, find_many},
    length,
    request::SearchRequest,
    run,
    searches::Searches,
};
use serde::{Serialize, Serializer};
use sqlx::PgPool;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr, Schema},
};

use crate::existence::{all_known, categories_exist};
use crate::{params, search::ask, sources::Sources};

/// Number of videos that a choice would show.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ChoiceCount {
    /// Value in addresses.
    #[schema(example = "short")]
    value: String,
    /// Number of videos with this choice and all other filters.
    #[schema(example = 42, minimum = 0)]
    total: usize,
}

/// Counts by facet, in the order of [`FACETS`].
#[derive(Debug, Clone)]
pub(crate) struct ChoicesAnswer(Vec<(&'static str, Vec<ChoiceCount>)>);

impl Serialize for ChoicesAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(facet, counts)| (facet, counts)))
    }
}

impl PartialSchema for ChoicesAnswer {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new().description(Some("Counts by filter; each ignores its own current choice."));
        let counts = |facet: &Facet| {
            let count = Ref::from_schema_name(ChoiceCount::name());
            ArrayBuilder::new().description(Some(format!("By {}.", facet.name))).items(count)
        };
        FACETS
            .iter()
            .fold(object, |object, facet| object.property(facet.name, counts(facet)).required(facet.name))
            .into()
    }
}

impl ToSchema for ChoicesAnswer {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((ChoiceCount::name().into_owned(), ChoiceCount::schema()));
    }
}

impl Shows for ChoicesAnswer {
    /// Adds no single object, because counts depend on all videos.
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::Video, LIST));
    }
}

const ABOUT: &str = "Each count is for the list with that choice in place of the current one; all other filters apply. With \
    `most-popular`, a day, week or month selects which views count and filters nothing.";

pub fn doc(config: &Config) -> Doc {
    let sections = [("all", ""), ("categories", "travel"), ("model", "nguyen-thu-ha"), ("top-country", "JP")];
    Doc::read("lists", "video_counts", calls::VIDEO_COUNTS, "Counts for the choices of a list of videos")
        .about(format!("{ABOUT} The address is that of the list; its page is ignored."))
        .takes_all([params::lifetime(lifetimes::LISTS), params::gender(), params::video_sort(), params::count(config)])
        .takes_all(params::section(sections, config))
        .takes(params::page_of_list(config))
        .takes_all(params::choices())
        .takes_all(params::narrowing(config))
        .answers::<ChoicesAnswer>("The counts.")
        .cached()
        .refuses(refusal(404, &[("category_not_found", "no such category"), ("model_not_found", "no such model")]))
        .refuses(invalid())
}

pub async fn counts(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, gender, sort, count, file] = segments.take()?;
    let segments = [&*lifetime, &*gender, &*sort, &*count, json_name(&file)?];
    let list = VideoList::parse(segments, |name| query.get(name), lifetimes::LISTS, &sources.config)?;
    get(&sources, list).await?.respond(&headers)
}

async fn get(sources: &Sources, list: VideoList) -> ApiResult<CachedAnswer<ChoicesAnswer>> {
    // Counts don't depend on the language, so the key doesn't contain it.
    let (key, lifetime) = (format!("video_counts/{list}?{}", list.query()), list.lifetime);
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { of_list(&pool, &reader, &list).await };
    cache.get(&key, lifetime, compute).await
}

async fn of_list(pool: &PgPool, reader: &Reader, list: &VideoList) -> ApiResult<ChoicesAnswer> {
    let now = reader.now();
    all_known(pool, reader, &list.names).await?;
    if let Section::Categories(dirs) = &list.section {
        categories_exist(&reader.categories, dirs).await?;
    }
    let query = |list: &VideoList| {
        let (index, filter) = match &list.section {
            // Lists with an owner or a fixed order have no filters, and searches have a separate call.
            Section::Playlist(_) | Section::Channel(_) | Section::Member(_) | Section::Search => return None,
            Section::TopCountry(country) if *country != reader.config.visitors.default_country => {
                let chart = Filter::eq("country", country).and(Filter::eq("gender", list.gender.as_str()));
                (IndexName::Charts, chart.and(list.chart_filter(now)))
            }
            _ => (IndexName::Videos, list.filter(now)),
        };
        Some(VideoQuery { index, fields: &[], counts: &[], ..VideoQuery::new(filter) })
    };
    let queries: Option<Vec<VideoQuery<'_>>> = variants(list).iter().map(query).collect();
    counted(&reader.search, &queries.ok_or(ApiError::NotFound("not_found"))?).await
}

pub fn search_doc(config: &Config) -> Doc {
    let about = format!("What to look for. {}", length::about(&config.listing));
    let doc = Doc::new("search", "search_counts", "/api/video_counts.php", "Counts for the choices of a search")
        .about(format!("{ABOUT} Only videos that match the whole search are counted, not those of relaxed searches."))
        .answers::<ChoicesAnswer>("The counts.");
    ask::asks(doc, &about, config)
}

pub async fn search_counts(State(searches): State<Searches>, client: Client, query: Query) -> ApiResult<Response> {
    searches.limits.check(Action::Search, client.key)?;
    let request = ask::read(&searches.reader.config, &query)?;
    all_known(&searches.pool, &searches.reader, &request.list.names).await?;
    let requests: Vec<SearchRequest> =
        variants(&request.list).into_iter().map(|list| SearchRequest { list, ..request.clone() }).collect();
    let totals = cost::paid(run::totals(&searches.reader, &searches.lexicon, &requests)).await?;
    Ok(([(header::CACHE_CONTROL, "no-cache")], Json(answer(&totals))).into_response())
}

/// Returns the list with each choice, in the order of [`answer`].
fn variants(list: &VideoList) -> Vec<VideoList> {
    let choices = list.choices.variants().flat_map(|(_, words)| words);
    choices.map(|(_, choices)| VideoList { choices, ..list.clone() }).collect()
}

async fn counted(search: &SearchClient, queries: &[VideoQuery<'_>]) -> ApiResult<ChoicesAnswer> {
    let found = find_many(search, queries).await?;
    let totals: Vec<usize> = found.iter().map(|found| found.total).collect();
    Ok(answer(&totals))
}

fn answer(totals: &[usize]) -> ChoicesAnswer {
    let mut totals = totals.iter();
    let mut next = |value| ChoiceCount { value, total: totals.next().copied().unwrap_or_default() };
    ChoicesAnswer(FACETS.iter().map(|facet| (facet.name, facet.words().into_iter().map(&mut next).collect())).collect())
}
