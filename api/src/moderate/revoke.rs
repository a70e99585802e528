//! `POST /api/moderate/revoke_consent`: a model takes their consent to a video or an album back.

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

/// What revoking came to.
#[derive(Debug, Serialize, ToSchema)]
pub struct RevokeAnswer {
    /// Whether it was shown until now.
    #[schema(example = true)]
    hidden: bool,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "maxLength": config.moderation.note_max });
    let doc = Doc::post(
        "moderation",
        "revoke_consent",
        "/api/moderate/revoke_consent",
        "Record that a model took their consent back",
    )
    .about("It is hidden at once and waits; letting it out again needs a consent that was signed since, or another list of models.");
    for_grave_decisions(doc)
        .field(field("section", "What it is.", kinds(), "video"))
        .field(field("id", "Its id.", id_schema(), 1))
        .field(field("model", "Name in URLs of the model.", json!({ "type": "string" }), "mika-sato"))
        .field(field("note", "Why, for the record.", text, ""))
        .answers::<RevokeAnswer>("It is revoked, and that is recorded.")
        .refuses(refusal(404, &[("consent_not_found", "no such consent, or it is revoked")]))
        .refuses(refusal(
            422,
            &[("required", "a field that has to be there is not"), ("max_length", "`note` has too many characters")],
        ))
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
