//! `POST /api/moderate/profile`: what a member changed in the own profile is shown to everybody, or dropped.

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
    let doc =
        Doc::post("moderation", "decide_profile", "/api/moderate/profile", "Show a change of a profile, or drop it")
            .about("What its member changed since `revision` was seen has to be looked at anew.");
    for_decisions(doc)
        .field(field("user_id", "The member.", id_schema(), 1))
        .field(field("kind", "What was changed.", kinds, "avatar"))
        .field(field("revision", "Number of the change that was seen.", json!({ "type": "integer", "minimum": 1 }), 1))
        .field(field("verdict", "What becomes of it.", verdicts, "approve"))
        .field(field("note", "Anything else, for the record.", text, ""))
        .answers::<Done>("It is done, and recorded.")
        .refuses(refusal(
            409,
            &[
                ("not_waiting", "somebody decided already, or nothing of the kind waits"),
                ("changed_meanwhile", "its member changed it since `revision`"),
            ],
        ))
        .refuses(refusal(
            422,
            &[("required", "a field that has to be there is not"), ("max_length", "`note` has too many characters")],
        ))
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
