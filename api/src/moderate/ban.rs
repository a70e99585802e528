//! `POST /api/moderate/ban`: a member is banned.

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

/// What the ban did.
#[derive(Debug, Serialize, ToSchema)]
pub struct BanAnswer {
    /// Sessions that ended.
    #[schema(example = 2, minimum = 0)]
    sessions: u64,
    /// Uploads that wait for a decision now.
    #[schema(example = 0, minimum = 0)]
    uploads: u64,
}

pub fn doc(config: &Config) -> Doc {
    let text = json!({ "type": "string", "minLength": 1, "maxLength": config.moderation.note_max });
    let doc = Doc::post("moderation", "ban", "/api/moderate/ban", "Ban a member")
        .about("All sessions end, and what the member shows and wrote is not listed any more.");
    for_grave_decisions(doc)
        .field(field("username", "Name of the member.", json!({ "type": "string" }), "somebody"))
        .field(field("reason", "Why, for the record.", text, "spam"))
        .field(field("uploads", "Whether the member's uploads wait for a decision.", json!({ "type": "boolean" }), ""))
        .answers::<BanAnswer>("The member is banned, and that is recorded.")
        .refuses(refusal(404, &[("member_not_found", "no such member, or banned already")]))
        .refuses(refusal(
            422,
            &[("required", "a field that has to be there is not"), ("max_length", "`reason` has too many characters")],
        ))
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
