//! `GET /api/json/friends/{lifetime}/{bucket}/{member_id}.{page}.json`: a member's friends, newest first.
//!
//! Example: `/api/json/friends/7200/0/7.1.json`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{Object, Shows},
    community, members,
    outbox::Entity,
};
use lantern_config::{Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{Segments, Totals, cache::CachedAnswer, openapi::Doc};
use lantern_index::IndexName;
use lantern_listing::MemberPath;
use lantern_search::{
    index::{MemberCard, MemberDoc, Reader, in_order},
    shows,
};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{member::no_member, params, sources::Sources, subscription::list::window};

/// A page of friends.
#[derive(Debug, Serialize, ToSchema)]
pub struct FriendsAnswer {
    #[serde(skip)]
    of: i64,
    /// Friends.
    pub friends: Vec<MemberCard>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

impl Shows for FriendsAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::User, self.of));
        shows::members(&self.friends, objects);
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    Doc::read(
        "community",
        "friends",
        "/api/json/friends/{lifetime}/{bucket}/{member_id}.{page}.json",
        "A member's friends",
    )
    .about(format!("{} per page, newest friendship first.", config.listing.people_page))
    .takes(params::lifetime(lifetimes::LISTS))
    .takes_all([params::bucket(), params::id("member_id", 2), params::page()])
    .answers::<FriendsAnswer>("A page of members.")
    .cached()
    .refuses(no_member())
}

pub(crate) async fn friends(
    State(sources): State<Sources>,
    segments: Segments,
    headers: HeaderMap,
) -> ApiResult<Response> {
    get(&sources, MemberPath::parse(segments.take()?, lifetimes::LISTS)?).await?.respond(&headers)
}

/// Returns a page of friends.
pub async fn get(sources: &Sources, path: MemberPath) -> ApiResult<CachedAnswer<FriendsAnswer>> {
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { load(&pool, &reader, path.member, path.page).await };
    cache.get(&path.canonical("friends"), path.lifetime, compute).await
}

/// Loads a page of friends. The catalog provides the ids and their order, and the index provides the cards.
async fn load(pool: &PgPool, reader: &Reader, member: i64, page: u32) -> ApiResult<FriendsAnswer> {
    if !members::exists(pool, member).await? {
        return Err(ApiError::NotFound("member_not_found"));
    }
    let window = window(&reader.config, page);
    let found = community::friends(pool, member, window).await?;
    let fields = MemberDoc::fields();
    let docs = in_order(&reader.search, IndexName::Members, fields, &found.items, |doc: &MemberDoc| doc.id).await?;
    let now = reader.now();
    Ok(FriendsAnswer {
        of: member,
        totals: Totals::new(found.total, window.limit, docs.len(), "members_not_found"),
        friends: docs.into_iter().map(|doc| MemberCard::new(doc, now)).collect(),
    })
}
