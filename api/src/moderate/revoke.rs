//! `POST /api/moderate/revoke_consent`: revokes a model's consent to a video or album.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::moderation::consents;
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

use super::{Moderator, UploadKind, for_grave_decisions, kinds, note};
use crate::action::form::{Id, id};

#[derive(Debug, Deserialize)]
pub struct RevokeForm {
    section: UploadKind,
    id: Option<Id>,
    model: String,
    note: Option<String>,
}

/// Effects of a revocation.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevokeAnswer {
    /// Whether the upload was shown until now.
    #[schema(example = true)]
    hidden: bool,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let doc = Doc::post(
        "moderation",
        "revoke_consent",
        "/api/moderate/revoke_consent",
        "Revoke a model's consent",
    )
    .about("Hides the upload immediately until a new decision. Approving it again requires a consent signed later, or other models.");
    for_grave_decisions(doc)
        .field(field("section", "Kind of the upload.", kinds(), "video"))
        .field(field("id", "Id.", id_schema(), 1))
        .field(field("model", "Name of the model in URLs.", json!({ "type": "string" }), "mika-sato"))
        .field(field("note", "Reason, for the record.", text, ""))
        .answers::<RevokeAnswer>("The consent was revoked, and the decision recorded.")
        .refuses(refusal(404, &[("consent_not_found", "no such consent, or already revoked")]))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`note` is too long")]))
}

pub async fn revoke(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<RevokeForm>,
) -> ApiResult<Response> {
    let object = (sent.section.as_str(), id("id", sent.id)?);
    let note = note(&config, "note", sent.note.as_deref())?;
    let actor = moderator.decides_gravely_on(object.0, object.1).await?;
    let hidden = consents::revoke(&pool, &actor, object, &sent.model, &note).await?;
    let hidden = hidden.ok_or(ApiError::NotFound("consent_not_found"))?;
    Ok(private::answer(RevokeAnswer { hidden }))
}
