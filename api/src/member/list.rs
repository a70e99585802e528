//! `GET /api/json/members/{lifetime}/filt{filters}/{sort}/{count}/{page}.json`: lists the members.
//!
//! Example: `/api/json/members/7200/filt-country~DE,JP-age~25.40-avatar~yes/recent/96/1.json?lang=fr`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{Object, Shows},
    community::{self, Window},
    members,
    outbox::Entity,
};
use lantern_config::{Config, Lang, MemberFilter, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments, Totals,
    cache::CachedAnswer,
    openapi::{Doc, invalid},
};
use lantern_index::{Filter, IndexName};
use lantern_listing::{MemberList, SortWord, calls};
use lantern_search::{
    index::{self, ListQuery, MemberCard, MemberDoc, Reader},
    people_facets::{self, Facets, Stats},
    shows,
};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{member::no_member, params, sources::Sources};

/// A list of members.
#[derive(Debug, Serialize, ToSchema)]
pub struct MembersAnswer {
    /// Member whose friends are listed, if any.
    #[serde(skip)]
    of: Option<i64>,
    /// Members.
    pub members: Vec<MemberCard>,
    /// Totals, and the code for an empty page.
    #[serde(flatten)]
    pub totals: Totals,
    /// Values of each filter, with counts.
    #[schema(value_type = std::collections::BTreeMap<String, Vec<people_facets::FacetValue>>, example = json!({"country": [{"value": "JP", "label": "Japan", "total": 12}]}))]
    facets: Facets,
    /// Smallest and largest value of each range filter.
    #[schema(value_type = std::collections::BTreeMap<String, people_facets::Bounds>, example = json!({"age": {"min": 18, "max": 64}}))]
    stats: Stats,
}

impl Shows for MembersAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.extend(self.of.map(|member| (Entity::User, member)));
        shows::members(&self.members, objects);
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    Doc::read(
        "lists",
        "members",
        calls::MEMBERS,
        "A list of members, with counts for every filter",
    )
    .about(
        "The counts of a filter ignore its own selection: they show what another value would return. With `object_id` only the \
         friends of that member are listed and counted.",
    )
    .takes(params::lifetime(lifetimes::LISTS))
    .takes(params::filters::<MemberFilter>("-country~DE,JP-age~20.60"))
    .takes_all([params::member_sort(), params::count(config), params::page_of_list(config), params::lang()])
    .answers::<MembersAnswer>("A page of members.")
    .cache_control("public, max-age=7200, stale-while-revalidate=720")
    .tagged()
    .refuses(no_member())
    .refuses(invalid())
}

pub(crate) async fn members(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let segments: [String; 5] = segments.take()?;
    let list = MemberList::parse(segments.each_ref().map(|segment| &**segment), &sources.config)?;
    get(&sources, list, query.lang()?).await?.respond(&headers)
}

/// Returns a page of members.
pub async fn get(sources: &Sources, list: MemberList, lang: Lang) -> ApiResult<CachedAnswer<MembersAnswer>> {
    let Sources { cache, pool, reader, .. } = sources.clone();
    let offset = list.offset(&reader.config)?;
    let (key, lifetime) = (format!("{}?{lang}", list.canonical()), list.lifetime);
    let compute = async move { load(&pool, &reader, &list, offset, lang).await };
    cache.get(&key, lifetime, compute).await
}

async fn load(
    pool: &PgPool,
    reader: &Reader,
    list: &MemberList,
    offset: usize,
    lang: Lang,
) -> ApiResult<MembersAnswer> {
    let (now, of) = (reader.now(), list.filters.friends_of());
    let within = match of {
        Some(member) => friends_of(pool, &reader.config, member).await?,
        None => Filter::all([]),
    };
    let query = ListQuery {
        index: IndexName::Members,
        filter: list.filters.filter(within.clone(), None, now),
        sort: list.sort.keys(),
        offset,
        limit: list.count as usize,
        fields: MemberDoc::fields(),
    };
    let cards = index::page::<MemberDoc>(&reader.search, query);
    let counts = people_facets::facets(reader, within, &list.filters, lang);
    let ((found, total_count), (facets, stats)) = tokio::try_join!(cards, counts)?;
    Ok(MembersAnswer {
        of,
        totals: Totals::new(total_count, list.count, found.len(), "members_not_found"),
        members: found.into_iter().map(|member| MemberCard::new(member, now)).collect(),
        facets,
        stats,
    })
}

/// Returns a filter for a member's friends, who are known only to the catalog. Fails with 404 if there is no such member.
async fn friends_of(pool: &PgPool, config: &Config, member: i64) -> ApiResult<Filter> {
    if !members::exists(pool, member).await? {
        return Err(ApiError::NotFound("member_not_found"));
    }
    let all = Window { limit: i64::try_from(config.search.max_total_hits).unwrap_or(i64::MAX), offset: 0 };
    Ok(Filter::in_("id", community::friends(pool, member, all).await?.items))
}
