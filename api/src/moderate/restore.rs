//! `GET /api/moderate/quarantine` and `POST /api/moderate/restore`: list and undo take-downs.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::{
    moderation::quarantine::{self, Quarantined, RestoreOutcome},
    status::UploadStatus,
};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Form,
    openapi::{Doc, field, id_schema, refusal},
    private,
};
use lantern_search::index::rfc3339;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgPool;
use time::Duration;
use utoipa::ToSchema;

use super::{Moderator, UploadKind, for_decisions, for_moderators, kinds, note};
use crate::action::form::{Id, id};

/// Objects that can be restored.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuarantineAnswer {
    /// Latest first.
    objects: Vec<QuarantineItem>,
}

/// A video or album that was taken down.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuarantineItem {
    /// `video` or `album`.
    #[schema(example = "video")]
    section: String,
    /// Id.
    #[schema(example = 3, minimum = 1)]
    id: i64,
    /// Title.
    #[schema(example = "Evenings by the harbour")]
    title: String,
    /// Name of its member; `null` if the account was deleted.
    #[schema(example = "olga")]
    username: Option<String>,
    /// The moderator who took it down; `null` for the operator.
    #[schema(example = "nils")]
    moderator: Option<String>,
    /// When it was taken down, RFC 3339.
    #[schema(example = "2026-09-01T12:00:00Z", format = DateTime)]
    taken_down_at: String,
    /// Until when it can be restored, RFC 3339.
    #[schema(example = "2026-10-01T12:00:00Z", format = DateTime)]
    until: String,
    /// Whether this moderator may restore the object, which is so if another moderator took it down.
    #[schema(example = true)]
    may_restore: bool,
}

#[derive(Debug, Deserialize)]
pub struct RestoreForm {
    section: UploadKind,
    id: Option<Id>,
    note: Option<String>,
}

/// State of a restored object.
#[derive(Debug, Serialize, ToSchema)]
pub struct RestoreAnswer {
    /// Status; 5 if its member had deleted it.
    #[schema(example = 1)]
    status_id: UploadStatus,
}

pub fn list_doc(_: &Config) -> Doc {
    let doc =
        Doc::new("moderation", "quarantine", "/api/moderate/quarantine", "List removed objects that can be restored")
            .about("Files of removed objects are retained for `moderation.quarantine_days`, but not served.");
    for_moderators(doc).answers::<QuarantineAnswer>("The objects, latest first.")
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let doc = Doc::post("moderation", "undo_take_down", "/api/moderate/restore", "Undo a take-down").about(
        "Restores the object's former state and reopens the reports that the take-down resolved. If a consent was revoked meanwhile or \
         its member's account was deleted, the object awaits a decision.",
    );
    for_decisions(doc)
        .field(field("section", "Kind of the upload.", kinds(), "video"))
        .field(field("id", "Id.", id_schema(), 1))
        .field(field("note", "Reason, for the record.", text, ""))
        .answers::<RestoreAnswer>("The object was restored, and the decision recorded.")
        .refuses(refusal(403, &[("second_moderator_needed", "this moderator or the operator took it down")]))
        .refuses(refusal(404, &[("not_quarantined", "it was not taken down, or its files were deleted")]))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`note` is too long")]))
}

pub async fn list(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
) -> ApiResult<Response> {
    let settings = &config.moderation;
    let days = Duration::days(settings.quarantine_days.into());
    let rows = quarantine::list(&pool, settings.queue_max).await?;
    let objects = rows.into_iter().map(|row| QuarantineItem::new(row, moderator.member.id, days)).collect();
    Ok(private::answer(QuarantineAnswer { objects }))
}

pub async fn restore(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<RestoreForm>,
) -> ApiResult<Response> {
    let (section, id, note) = (sent.section.as_str(), id("id", sent.id)?, note(&config, "note", sent.note.as_deref())?);
    let actor = moderator.decides_on(section, id).await?;
    match quarantine::restore(&pool, &actor, section, id, &note).await? {
        RestoreOutcome::Done(status_id) => Ok(private::answer(RestoreAnswer { status_id })),
        RestoreOutcome::NotQuarantined => Err(ApiError::NotFound("not_quarantined")),
        RestoreOutcome::NeedsAnother => Err(ApiError::Forbidden("second_moderator_needed")),
    }
}

impl QuarantineItem {
    fn new(row: Quarantined, moderator_id: i64, days: Duration) -> Self {
        Self {
            may_restore: row.taken_down_by.is_some_and(|id| id != moderator_id),
            section: row.section,
            id: row.id,
            title: row.title,
            username: row.username,
            moderator: row.moderator,
            taken_down_at: rfc3339(row.taken_down_at.unix_timestamp()),
            until: rfc3339((row.taken_down_at + days).unix_timestamp()),
        }
    }
}
