//! `GET /api/json/members/{lifetime}/filt{filters}/{sort}/{count}/{page}.json`: the community.
//!
//! For instance `/api/json/members/7200/filt-country~DE,JP-age~25.40-avatar~yes/recent/96/1.json?lang=fr`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::changes::Object;
use lantern_config::{Config, Lang, MemberFilter, MemberSort, lifetimes};
use lantern_index::IndexName;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    cache::{CachedAnswer, Shows, shows},
    http::{
        error::{ApiError, ApiResult},
        extract::{MemberFilters, Query, Segments, json_name, lifetime_of, number, page_of, word},
        totals::Totals,
    },
    index::{self, ListQuery, MemberCard, MemberDoc, member_sort, people_filter},
    openapi::{Doc, errors::invalid, params},
    search::people_facets::{self, Facets, Stats},
    state::AppState,
};

/// A list of members.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MembersAnswer {
    /// Members.
    pub members: Vec<MemberCard>,
    /// How many, and what to say when there are none.
    #[serde(flatten)]
    pub totals: Totals,
    /// Values with counts, by filter.
    #[schema(value_type = std::collections::BTreeMap<String, Vec<people_facets::FacetValue>>, example = json!({"country": [{"value": "JP", "label": "Japan", "total": 12}]}))]
    facets: Facets,
    /// Smallest and largest value, by filter that takes a range.
    #[schema(value_type = std::collections::BTreeMap<String, people_facets::Bounds>, example = json!({"age": {"min": 18, "max": 64}}))]
    stats: Stats,
}

impl Shows for MembersAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        shows::members(&self.members, objects);
    }
}

pub fn doc(config: &Config) -> Doc {
    Doc::read(
        "lists",
        "members",
        "/api/json/members/{lifetime}/filt{filters}/{sort}/{count}/{page}.json",
        "The community, with counts of every filter",
    )
    .about("The counts of a filter ignore its own choice: they say what choosing another value would show.")
    .takes(params::lifetime(lifetimes::LISTS))
    .takes(params::filters::<MemberFilter>("-country~DE,JP-age~20.60"))
    .takes_all([params::member_sort(), params::count(config), params::page_of_list(config), params::lang()])
    .answers::<MembersAnswer>("A page of members.")
    .kept("public, max-age=7200, stale-while-revalidate=720")
    .tagged()
    .refuses(invalid())
}

pub async fn members(
    State(state): State<AppState>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let [lifetime, filters, sort, count, file] = segments.take()?;
    let lifetime = lifetime_of(&lifetime, lifetimes::LISTS)?;
    let filters = MemberFilters::parse(&filters)?;
    let sort: MemberSort = word(&sort)?;
    let count = number(&count, 1..=state.config.listing.max_page_size)?;
    let page = page_of(json_name(&file)?)?;
    get(&state, lifetime, (filters, sort), (page, count), query.lang()?).await?.respond(&headers)
}

/// A page of so many members.
pub async fn get(
    state: &AppState,
    lifetime: u32,
    (filters, sort): (MemberFilters, MemberSort),
    (page, count): (u32, u32),
    lang: Lang,
) -> ApiResult<CachedAnswer<MembersAnswer>> {
    let offset = (page as usize - 1) * count as usize;
    if offset + count as usize > state.config.search.max_total_hits {
        return Err(ApiError::NotFound("not_found"));
    }
    let key = format!("members/{lifetime}/{}/{sort}/{count}/{page}?{lang}", filters.canonical());
    let node = state.clone();
    let compute = async move { list(&node, &filters, sort, (offset, count as usize), lang).await };
    state.cache.get(&key, lifetime, compute).await
}

async fn list(
    state: &AppState,
    filters: &MemberFilters,
    sort: MemberSort,
    (offset, limit): (usize, usize),
    lang: Lang,
) -> ApiResult<MembersAnswer> {
    let now = (state.now)();
    let query = ListQuery {
        index: IndexName::Members,
        filter: people_filter(None, filters, None, now),
        sort: member_sort(sort),
        offset,
        limit,
        fields: MemberDoc::fields(),
    };
    let cards = index::page::<MemberDoc>(&state.search, query);
    let counts = people_facets::facets(state, None, filters, lang);
    let ((found, total_count), (facets, stats)) = tokio::try_join!(cards, counts)?;
    Ok(MembersAnswer {
        totals: Totals::new(total_count, limit, found.len(), "members_not_found"),
        members: found.into_iter().map(|member| MemberCard::new(member, now)).collect(),
        facets,
        stats,
    })
}
