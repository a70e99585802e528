//! `POST /api/moderate/ban`: bans a member.

use std::sync::Arc;

use axum::{extract::State, response::Response};
use lantern_catalog::moderation::{members, staff};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Form,
    openapi::{Doc, field, refusal},
    private,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::PgPool;
use utoipa::ToSchema;

use super::{Moderator, for_grave_decisions, note};

#[derive(Debug, Deserialize)]
pub struct BanForm {
    username: String,
    reason: Option<String>,
    uploads: Option<bool>,
}

/// Effects of a ban.
#[derive(Debug, Serialize, ToSchema)]
pub struct BanAnswer {
    /// Number of ended sessions.
    #[schema(example = 2, minimum = 0)]
    sessions: u64,
    /// Number of uploads that now await a decision.
    #[schema(example = 0, minimum = 0)]
    uploads: u64,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": config.moderation.note_max });
    let doc = Doc::post("moderation", "ban", "/api/moderate/ban", "Ban a member")
        .about("Ends all sessions of the member and removes their uploads and texts from lists.");
    for_grave_decisions(doc)
        .field(field("username", "Name of the member.", json!({ "type": "string" }), "somebody"))
        .field(field("reason", "Reason, for the record.", text, "spam"))
        .field(field(
            "uploads",
            "Whether to put the member's uploads back to awaiting a decision.",
            json!({ "type": "boolean" }),
            "",
        ))
        .answers::<BanAnswer>("The member was banned, and the decision recorded.")
        .refuses(refusal(404, &[("member_not_found", "no such member, or already banned")]))
        .refuses(refusal(422, &[("required", "a required field is missing"), ("max_length", "`reason` is too long")]))
}

pub async fn ban(
    State(pool): State<PgPool>,
    State(config): State<Arc<Config>>,
    moderator: Moderator,
    Form(sent): Form<BanForm>,
) -> ApiResult<Response> {
    let reason = note(&config, "reason", sent.reason.as_deref())?;
    if reason.is_empty() {
        return Err(ApiError::required("reason"));
    }
    let missing = ApiError::NotFound("member_not_found");
    let (id, _) = staff::member(&pool, &sent.username).await?.ok_or(missing.clone())?;
    let actor = moderator.decides_gravely_on("user", id).await?;
    let uploads = sent.uploads == Some(true);
    let banned = members::ban(&pool, &actor, &sent.username, &reason, uploads).await?.ok_or(missing)?;
    Ok(private::answer(BanAnswer { sessions: banned.sessions, uploads: banned.uploads }))
}
