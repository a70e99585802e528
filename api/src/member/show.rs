//! `GET /api/json/member/{lifetime}/{bucket}/{member_id}.json`: a member's public profile.
//!
//! Example: `/api/json/member/7200/0/7.json`.

use axum::{extract::State, http::HeaderMap, response::Response};
use lantern_catalog::{
    changes::{Object, Shows},
    members::{self, MemberPage},
    outbox::Entity,
};
use lantern_config::{Config, lifetimes};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Segments,
    cache::CachedAnswer,
    openapi::{Doc, refusal},
};
use lantern_listing::ObjectPath;
use lantern_media::pictures::cover;
use lantern_search::index::{MemberCard, MemberDoc};
use serde::Serialize;
use sqlx::PgPool;
use time::Time;
use utoipa::ToSchema;

use crate::{params, sources::Sources};

/// A member.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemberAnswer {
    /// The member.
    pub member: MemberProfile,
}

impl Shows for MemberAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.push((Entity::User, self.member.card.user_id));
    }
}

/// Public profile of a member: codes and free text, never a mail address or a birth date.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Member)]
pub struct MemberProfile {
    /// Fields that lists show, too.
    #[serde(flatten)]
    pub card: MemberCard,
    /// Picture above the profile; null if there is none.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    cover: Option<String>,
    /// Code.
    #[schema(example = "single")]
    relationship: Option<String>,
    /// Code.
    #[schema(example = "straight")]
    orientation: Option<String>,
    /// Free text.
    #[schema(example = "university")]
    education: Option<String>,
    /// URL.
    #[schema(example = "https://member.example/")]
    website: Option<String>,
    /// Free text of several sentences.
    #[schema(example = "Some words about me.")]
    pub about: Option<String>,
    /// Free text.
    #[schema(example = "Osaka")]
    pub city: Option<String>,
    /// Free text.
    #[schema(example = "Trains")]
    pub interests: Option<String>,
    /// Free text.
    #[schema(example = "Gardener")]
    pub occupation: Option<String>,
    /// Public counts.
    statistics: MemberStatistics,
}

/// Public counts of a member.
#[derive(Debug, Serialize, ToSchema)]
struct MemberStatistics {
    /// Total views.
    #[schema(example = 1204, minimum = 0)]
    viewed: i64,
    /// Number of subscribers.
    #[schema(example = 17, minimum = 0)]
    subscribers: i32,
    /// Videos.
    #[schema(example = 12, minimum = 0)]
    videos: i64,
    /// Albums.
    #[schema(example = 1, minimum = 0)]
    albums: i64,
    /// Playlists.
    #[schema(example = 2, minimum = 0)]
    playlists: i64,
    /// Friends.
    #[schema(example = 5, minimum = 0)]
    friends: i64,
}

pub(crate) fn doc(_: &Config) -> Doc {
    Doc::read("objects", "member", "/api/json/member/{lifetime}/{bucket}/{member_id}.json", "A member's public profile")
        .takes(params::lifetime(lifetimes::LISTS))
        .takes_all([params::bucket(), params::id("member_id", 2)])
        .answers::<MemberAnswer>("The member.")
        .cached()
        .refuses(refusal(
            404,
            &[("member_not_found", "no such member, the wrong bucket, or an account that is closed or unconfirmed")],
        ))
}

pub(crate) async fn member(
    State(sources): State<Sources>,
    segments: Segments,
    headers: HeaderMap,
) -> ApiResult<Response> {
    get(&sources, ObjectPath::parse(segments.take()?, "member_not_found")?).await?.respond(&headers)
}

/// Returns a member as their page shows them. Fails with 404 for an unknown or removed member.
pub async fn get(sources: &Sources, path: ObjectPath) -> ApiResult<CachedAnswer<MemberAnswer>> {
    let Sources { cache, pool, reader, .. } = sources.clone();
    let compute = async move { load(reader.now(), &pool, path.id).await };
    cache.get(&path.canonical("member"), path.lifetime, compute).await
}

async fn load(now: i64, pool: &PgPool, id: i64) -> ApiResult<MemberAnswer> {
    let page = members::find(pool, id).await?.ok_or(ApiError::NotFound("member_not_found"))?;
    Ok(MemberAnswer { member: show(page, now) })
}

fn show(page: MemberPage, now: i64) -> MemberProfile {
    let statistics = MemberStatistics {
        viewed: page.viewed,
        subscribers: page.subscribers,
        videos: page.total_videos,
        albums: page.total_albums,
        playlists: page.total_playlists,
        friends: page.total_friends,
    };
    let doc = MemberDoc {
        id: page.id,
        username: page.username,
        avatar_key: page.avatar_key,
        gender: page.gender,
        birth: page.birth_date.map(|day| day.with_time(Time::MIDNIGHT).assume_utc().unix_timestamp()),
        country: page.country,
        added_date: page.created_at.unix_timestamp(),
        viewed: page.viewed,
        subscribers: page.subscribers.into(),
        total_videos: page.total_videos,
        ..MemberDoc::default()
    };
    MemberProfile {
        card: MemberCard::new(doc, now),
        cover: cover(page.cover_key.as_deref()),
        relationship: page.relationship,
        orientation: page.orientation,
        education: page.education,
        website: page.website,
        about: page.about,
        city: page.city,
        interests: page.interests,
        occupation: page.occupation,
        statistics,
    }
}
