//! `POST /api/moderate/decide`: an upload that waits is let out, or rejected.

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
    let doc = Doc::post("moderation", "decide", "/api/moderate/decide", "Let an upload out, or reject it").about(
        "Each model of an upload must have a record of consent, and one that names no model must be said to show `nobody`. \
         What its member changed since `revision` was seen has to be looked at anew.",
    );
    for_decisions(doc)
        .field(field("section", "Kind of the upload.", kinds(), "video"))
        .field(field("id", "Its id.", id_schema(), 1))
        .field(field(
            "revision",
            "Number of the revision that was seen.",
            json!({ "type": "integer", "minimum": 0 }),
            0,
        ))
        .field(field("verdict", "What becomes of it.", verdicts, "approve"))
        .field(field("reason", "Why it is rejected; its member reads that.", reasons, ""))
        .field(field("nobody", "Whether an upload without models shows nobody.", json!({ "type": "boolean" }), ""))
        .field(field("note", "Anything else, for the record.", text, ""))
        .answers::<Done>("It is done, and recorded.")
        .refuses(refusal(
            409,
            &[
                ("not_waiting", "somebody decided already, or there is no such upload"),
                ("changed_meanwhile", "its member changed it since `revision`"),
                ("no_performers", "it names no model, and `nobody` isn't 1"),
                ("consent_missing", "a model has no record of consent"),
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
        DecisionOutcome::NoConsent(_) => Err(ApiError::Conflict("consent_missing")),
    }
}
