//! `GET /api/json/subscriptions/{lifetime}/{bucket}/{member_id}.{page}.json`: what a member follows, newest first.
//!
//! Example: `/api/json/subscriptions/7200/0/7.1.json?lang=de`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{Object, Shows},
    community::{self, Subscription, Window},
    members,
    outbox::Entity,
};
use lantern_config::{Config, Lang, lifetimes, schemas};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Query, Segments, Totals,
    cache::CachedAnswer,
    openapi::{Doc, invalid},
};
use lantern_listing::MemberPath;
use lantern_media::pictures::picture;
use lantern_search::index::rfc3339;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{member::no_member, params, sources::Sources};

/// A page of subscriptions.
#[derive(Debug, Serialize, ToSchema)]
pub struct SubscriptionsAnswer {
    #[serde(skip)]
    of: i64,
    /// Followed models, channels and members.
    pub subscriptions: Vec<SubscriptionItem>,
    /// Totals, and the code of an empty list.
    #[serde(flatten)]
    pub totals: Totals,
}

impl Shows for SubscriptionsAnswer {
    /// Adds models and members. Channels are not indexed, so no change event names them.
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::User, self.of));
        objects.extend(self.subscriptions.iter().filter_map(|item| Some((item.section.parse().ok()?, item.object_id))));
    }
}

/// A model, channel or member that is followed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Subscription)]
pub struct SubscriptionItem {
    /// `model`, `channel` or `user`.
    #[schema(schema_with = followed)]
    pub section: String,
    /// Id of the followed object.
    #[schema(example = 1, minimum = 1)]
    pub object_id: i64,
    /// Name in URLs; members have none.
    #[schema(example = "night-market")]
    pub dir: Option<String>,
    /// Title to show.
    #[schema(example = "Night market")]
    pub title: String,
    /// Picture, 320 pixels; empty when there is none.
    #[schema(example = "/media/p/demo/01/shot-1-320.webp")]
    pub thumb: String,
    /// When it was followed, RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    added_date: String,
}

fn followed() -> utoipa::openapi::Schema {
    schemas::words("Kind of the followed object.", ["model", "channel", "user"])
}

impl From<Subscription> for SubscriptionItem {
    fn from(subscription: Subscription) -> Self {
        Self {
            section: subscription.section,
            object_id: subscription.object_id,
            dir: subscription.dir,
            title: subscription.title,
            thumb: picture(subscription.picture_key.as_deref()),
            added_date: rfc3339(subscription.created_at.unix_timestamp()),
        }
    }
}

pub(crate) fn doc(config: &Config) -> Doc {
    Doc::read(
        "community",
        "subscriptions",
        "/api/json/subscriptions/{lifetime}/{bucket}/{member_id}.{page}.json",
        "What a member follows",
    )
    .about(format!("Models, channels and members, {} per page, newest first.", config.listing.people_page))
    .takes(params::lifetime(lifetimes::LISTS))
    .takes_all([params::bucket(), params::id("member_id", 2), params::page(), params::lang()])
    .answers::<SubscriptionsAnswer>("A page of subscriptions.")
    .cached()
    .refuses(no_member())
    .refuses(invalid())
}

pub(crate) async fn subscriptions(
    State(sources): State<Sources>,
    segments: Segments,
    query: Query,
    headers: HeaderMap,
) -> ApiResult<Response> {
    get(&sources, MemberPath::parse(segments.take()?, lifetimes::LISTS)?, query.lang()?).await?.respond(&headers)
}

/// Returns a page of what a member follows.
pub async fn get(sources: &Sources, path: MemberPath, lang: Lang) -> ApiResult<CachedAnswer<SubscriptionsAnswer>> {
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { load(&reader.config, &pool, &path, lang).await };
    cache.get(&format!("{}?{lang}", path.canonical("subscriptions")), path.lifetime, compute).await
}

async fn load(config: &Config, pool: &PgPool, path: &MemberPath, lang: Lang) -> ApiResult<SubscriptionsAnswer> {
    let member = path.member;
    if !members::exists(pool, member).await? {
        return Err(ApiError::NotFound("member_not_found"));
    }
    let window = window(config, path.page);
    let found = community::subscriptions(pool, member, window, lang).await?;
    Ok(SubscriptionsAnswer {
        of: member,
        totals: Totals::new(found.total, window.limit, found.items.len(), "subscriptions_not_found"),
        subscriptions: found.items.into_iter().map(SubscriptionItem::from).collect(),
    })
}

/// Returns the window for a page in a list whose address contains no page size.
pub(crate) fn window(config: &Config, page: u32) -> Window {
    let limit = i64::from(config.listing.people_page);
    Window { limit, offset: (i64::from(page) - 1) * limit }
}
