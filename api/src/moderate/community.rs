//! `GET /api/moderate/community`: pending profile changes, and reported objects other than uploads.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::{
    moderation::clearing::{self, ReportedObject, ShownReport},
    profile_reviews::{self, WaitingProfile},
};
use lantern_config::Config;
use lantern_errors::ApiResult;
use lantern_http::{openapi::Doc, private};
use lantern_media::pictures::{avatar, cover};
use lantern_search::index::rfc3339;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{Moderator, for_moderators, show::ReportItem};

/// Pending profile changes and reported objects.
#[derive(Debug, Serialize, ToSchema)]
pub struct CommunityAnswer {
    /// Pending profile changes, oldest first.
    profiles: Vec<ProfileItem>,
    /// Reported objects: urgent reasons first, then objects hidden by reports, then severe reasons, then the oldest.
    reported: Vec<ReportedItem>,
}

/// A profile change that only its member sees until it is approved.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProfileItem {
    /// Id of the member.
    #[schema(example = 7, minimum = 1)]
    user_id: i64,
    /// Name of the member.
    #[schema(example = "mona")]
    username: String,
    /// `avatar`, `cover` or `texts`.
    #[schema(example = "avatar")]
    kind: String,
    /// Revision of the change; required to decide on it.
    #[schema(example = 1, minimum = 1)]
    revision: i64,
    /// When it was submitted, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    sent_at: String,
    /// New picture.
    #[schema(example = "/media/p/members/7/0123456789abcdef01234567-320.jpg")]
    picture: Option<String>,
    /// Current public picture.
    #[schema(example = json!(null))]
    before: Option<String>,
    /// New texts.
    texts: Vec<TextItem>,
}

/// A text of a profile.
#[derive(Debug, Serialize, ToSchema)]
pub struct TextItem {
    /// Form field.
    #[schema(example = "about")]
    field: String,
    /// Current public text.
    #[schema(example = json!(null))]
    before: Option<String>,
    /// New text.
    #[schema(example = "Some words about me.")]
    text: String,
}

/// A reported object other than an upload.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportedItem {
    /// `user`, `playlist`, `comment`, `wall`, `message`, `model` or `channel`.
    #[schema(example = "comment")]
    section: String,
    /// Id.
    #[schema(example = 12, minimum = 1)]
    id: i64,
    /// Its text at the time of the report.
    #[schema(example = "Buy watches at watches.example")]
    said: Option<String>,
    /// Whether it is hidden by reports.
    #[schema(example = false)]
    is_hidden: bool,
    /// Id of its member.
    #[schema(example = 7, minimum = 1)]
    user_id: Option<i64>,
    /// Name of its member.
    #[schema(example = "mona")]
    username: Option<String>,
    /// Avatar of a reported member.
    #[schema(example = json!(null))]
    avatar: Option<String>,
    /// Cover of a reported member.
    #[schema(example = json!(null))]
    cover: Option<String>,
    /// Reports, oldest first.
    reports: Vec<ReportItem>,
}

impl From<WaitingProfile> for ProfileItem {
    fn from(waiting: WaitingProfile) -> Self {
        let WaitingProfile { texts, mut before, .. } = waiting;
        let address = |key: Option<&str>| if waiting.kind == "cover" { cover(key) } else { avatar(key) };
        Self {
            user_id: waiting.user_id,
            picture: address(waiting.media_key.as_deref()),
            before: address(waiting.before_key.as_deref()),
            username: waiting.username,
            kind: waiting.kind,
            revision: waiting.revision,
            sent_at: rfc3339(waiting.sent_at.unix_timestamp()),
            texts: texts
                .0
                .into_iter()
                .map(|(field, text)| TextItem { before: before.remove(&field), field, text })
                .collect(),
        }
    }
}

impl From<ReportedObject> for ReportedItem {
    fn from(reported: ReportedObject) -> Self {
        let report = |report: ShownReport| ReportItem {
            id: report.id,
            reason: report.reason,
            message: report.message,
            username: report.username,
            created_at: rfc3339(report.created_at.unix_timestamp()),
        };
        Self {
            section: reported.section,
            id: reported.object_id,
            said: reported.said,
            is_hidden: reported.is_hidden,
            user_id: reported.user_id,
            username: reported.username,
            avatar: avatar(reported.avatar_key.as_deref()),
            cover: cover(reported.cover_key.as_deref()),
            reports: reported.reports.0.into_iter().map(report).collect(),
        }
    }
}

pub fn doc(_: &Config) -> Doc {
    let summary = "List pending profile changes, and reported objects other than uploads";
    for_moderators(Doc::new("moderation", "community", "/api/moderate/community", summary))
        .answers::<CommunityAnswer>("Both lists, most important first.")
}

pub async fn list(State(pool): State<PgPool>, State(config): State<Arc<Config>>, _: Moderator) -> ApiResult<Response> {
    let most = config.moderation.queue_max;
    let profiles = profile_reviews::waiting(&pool, most).await?.into_iter().map(ProfileItem::from).collect();
    let reported = clearing::reported(&pool, most).await?.into_iter().map(ReportedItem::from).collect();
    Ok(private::answer(CommunityAnswer { profiles, reported }))
}
