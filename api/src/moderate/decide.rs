//! `POST /api/moderate/decide`: approves or rejects a pending upload.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::moderation::uploads::{self, Decision, DecisionOutcome, Verdict};
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

use super::{Moderator, UploadKind, for_decisions, kinds, note};
use crate::action::form::{Id, id};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Word {
    Approve,
    Reject,
}

#[derive(Debug, Deserialize)]
pub struct DecideForm {
    section: UploadKind,
    id: Option<Id>,
    revision: i32,
    verdict: Word,
    reason: Option<String>,
    nobody: Option<bool>,
    note: Option<String>,
}

pub fn doc(config: &Config) -> Doc {
    let settings = &config.moderation;
    let verdicts = json!({ "type": "string", "enum": ["approve", "reject"] });
    let reasons = json!({ "type": "string", "enum": settings.reasons });
    let text = json!({ "type": "string", "maxLength": settings.note_max });
    let doc = Doc::post("moderation", "decide", "/api/moderate/decide", "Approve or reject an upload").about(
        "An upload is approved only if every model in it has a recorded consent or, for an upload without models, `nobody` is \
         set. If its member changed the upload after `revision`, it must be reviewed again. An approved upload with `replaces` becomes \
         the film of that video.",
    );
    for_decisions(doc)
        .field(field("section", "Kind of the upload.", kinds(), "video"))
        .field(field("id", "Id.", id_schema(), 1))
        .field(field("revision", "Reviewed revision.", json!({ "type": "integer", "minimum": 0 }), 0))
        .field(field("verdict", "Decision.", verdicts, "approve"))
        .field(field("reason", "Reason for the rejection, shown to its member.", reasons, ""))
        .field(field("nobody", "Whether an upload without models shows no people.", json!({ "type": "boolean" }), ""))
        .field(field("note", "Note, for the record.", text, ""))
        .answers::<Done>("The decision was carried out and recorded.")
        .refuses(refusal(
            409,
            &[
                ("not_waiting", "already decided, or no such upload"),
                ("changed_meanwhile", "its member changed it after `revision`"),
                ("no_performers", "it has no models, and `nobody` is not set"),
                ("consent_missing", "a model has no recorded consent"),
                (
                    "film_reported",
                    "reports of the video whose film it replaces are open; they are about the film before",
                ),
            ],
        ))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`note` is too long")]))
}

pub async fn decide(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<DecideForm>,
) -> ApiResult<Response> {
    let note = note(&config, "note", sent.note.as_deref())?;
    let verdict = match (sent.verdict, sent.reason.as_deref()) {
        (Word::Approve, _) => Verdict::Approve { nobody: sent.nobody == Some(true) },
        (Word::Reject, Some(reason)) if config.moderation.reasons.iter().any(|known| known == reason) => {
            Verdict::Reject(reason)
        }
        (Word::Reject, Some(_)) => return Err(ApiError::invalid("reason")),
        (Word::Reject, None) => return Err(ApiError::required("reason")),
    };
    let (section, id) = (sent.section.as_str(), id("id", sent.id)?);
    let actor = moderator.decides_on(section, id).await?;
    let decision = Decision { section, id, revision: Some(sent.revision), verdict, note: &note };
    match uploads::decide(&pool, &actor, decision).await? {
        DecisionOutcome::Done => Ok(private::done()),
        DecisionOutcome::NotWaiting => Err(ApiError::Conflict("not_waiting")),
        DecisionOutcome::Changed => Err(ApiError::Conflict("changed_meanwhile")),
        DecisionOutcome::NoPerformers => Err(ApiError::Conflict("no_performers")),
        DecisionOutcome::Reported => Err(ApiError::Conflict("film_reported")),
        DecisionOutcome::NoConsent(_) => Err(ApiError::Conflict("consent_missing")),
    }
}
