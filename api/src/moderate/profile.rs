//! `POST /api/moderate/profile`: approves or rejects a profile change.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::profile_reviews::{self, ReviewDecision, ReviewKind, ReviewOutcome};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Done, Form,
    openapi::{Doc, field, id_schema, refusal},
    private,
};
use serde::Deserialize;
use serde_json::json;
use sqlx::PgPool;

use super::{Moderator, for_decisions, note};
use crate::action::form::{Id, id};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Approve,
    Reject,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Avatar,
    Cover,
    Texts,
}

#[derive(Debug, Deserialize)]
pub struct ProfileForm {
    user_id: Option<Id>,
    kind: Kind,
    revision: i64,
    verdict: Verdict,
    note: Option<String>,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let kinds = json!({ "type": "string", "enum": ReviewKind::ALL.map(ReviewKind::as_str) });
    let verdicts = json!({ "type": "string", "enum": ["approve", "reject"] });
    let doc = Doc::post("moderation", "decide_profile", "/api/moderate/profile", "Approve or reject a profile change")
        .about("If the member has changed the profile again after `revision`, the new change must be reviewed.");
    for_decisions(doc)
        .field(field("user_id", "Id of the member.", id_schema(), 1))
        .field(field("kind", "Kind of the change.", kinds, "avatar"))
        .field(field("revision", "Reviewed revision.", json!({ "type": "integer", "minimum": 1 }), 1))
        .field(field("verdict", "Decision.", verdicts, "approve"))
        .field(field("note", "Note, for the record.", text, ""))
        .answers::<Done>("The decision was carried out and recorded.")
        .refuses(refusal(
            409,
            &[
                ("not_waiting", "already decided, or no such pending change"),
                ("changed_meanwhile", "its member changed it after `revision`"),
            ],
        ))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`note` is too long")]))
}

pub async fn decide(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<ProfileForm>,
) -> ApiResult<Response> {
    let (user_id, note) = (id("user_id", sent.user_id)?, note(&config, "note", sent.note.as_deref())?);
    let kind = match sent.kind {
        Kind::Avatar => ReviewKind::Avatar,
        Kind::Cover => ReviewKind::Cover,
        Kind::Texts => ReviewKind::Texts,
    };
    let actor = moderator.decides_on("profile", user_id).await?;
    let approve = sent.verdict == Verdict::Approve;
    let decision = ReviewDecision { user_id, kind, revision: sent.revision, approve, note: &note };
    match profile_reviews::decide(&pool, &actor, decision).await? {
        ReviewOutcome::Done => Ok(private::done()),
        ReviewOutcome::NotWaiting => Err(ApiError::Conflict("not_waiting")),
        ReviewOutcome::Changed => Err(ApiError::Conflict("changed_meanwhile")),
    }
}
