//! `POST /api/moderate/reports`: closes the reports on an object.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::reports::queue::{self, ReportVerdict};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Form,
    openapi::{Doc, field, id_schema, refusal},
    private,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{Moderator, for_decisions, note};
use crate::action::form::{Id, id};

#[derive(Debug, Deserialize)]
pub struct CloseForm {
    id: Option<Id>,
    verdict: Closing,
    note: Option<String>,
}

/// How reports are closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Closing {
    /// The reports were right.
    Resolve,
    /// The reports were wrong.
    Reject,
}

/// Effects of closing reports.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReportsAnswer {
    /// Number of closed reports.
    #[schema(example = 2, minimum = 1)]
    reports: u64,
    /// Whether the object that the reports hid is shown again.
    #[schema(example = false)]
    restored: bool,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let verdicts = json!({ "type": "string", "enum": ["resolve", "reject"] });
    let doc = Doc::post("moderation", "close_reports", "/api/moderate/reports", "Close the reports of an object")
        .about("Closes all pending reports of the same object alike. An object hidden by reports is shown again if none was right.");
    for_decisions(doc)
        .field(field("id", "Id of one of the reports.", id_schema(), 1))
        .field(field("verdict", "`resolve` if the reports were right, `reject` if not.", verdicts, "reject"))
        .field(field("note", "Decision, for the record.", text, ""))
        .answers::<ReportsAnswer>("The reports were closed, and the decision recorded.")
        .refuses(refusal(404, &[("report_not_found", "no such report, or already closed")]))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`note` is too long")]))
}

pub async fn close(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<CloseForm>,
) -> ApiResult<Response> {
    let (id, note) = (id("id", sent.id)?, note(&config, "note", sent.note.as_deref())?);
    let gone = ApiError::NotFound("report_not_found");
    let about = queue::object_of(&pool, id).await?.ok_or(gone.clone())?;
    let actor = match &about {
        Some((section, object_id)) => moderator.decides_on(section, *object_id).await?,
        None => moderator.decides_on("report", id).await?,
    };
    let is_right = sent.verdict == Closing::Resolve;
    let verdict = ReportVerdict { is_right, remove: false, show: false, all: true, note: &note };
    let closed = queue::close(&pool, &actor, id, verdict).await?.ok_or(gone)?;
    Ok(private::answer(ReportsAnswer { reports: closed.reports, restored: closed.restored }))
}
