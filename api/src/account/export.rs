//! `GET /api/account_export.php`: everything the site knows of the member, as a file.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::Response,
};
use lantern_catalog::account_export;
use lantern_config::Config;
use lantern_ratelimit::{Action, Key};
use serde_json::json;

use crate::{
    http::{
        error::{ApiError, ApiResult},
        extract::Member,
        private,
    },
    openapi::{Doc, errors::too_often},
    state::AppState,
};

pub fn doc(_: &Config) -> Doc {
    let schema = json!({ "type": "object", "required": ["account"] });
    let example = json!({ "account": { "user_id": 1, "username": "demo" } });
    Doc::new("account", "account_export", "/api/account_export.php", "Everything the site knows of the member")
        .about("A file of JSON, table by table. Without secrets, and without what others keep to themselves.")
        .for_members()
        .answers_with("The file.", "application/json", &schema, &example)
        .refuses(too_often())
}

/// The handler.
///
/// # Errors
/// 401 `need_auth`, 429 `too_many_attempts`.
pub async fn account_export(State(state): State<AppState>, member: Member) -> ApiResult<Response> {
    state.limits.take(Action::Act, &Key::member(member.id)).await?;
    let everything = account_export::export(&state.pool, member.id).await?.ok_or(ApiError::NeedAuth)?;
    let mut response = private::answer(everything);
    let file = HeaderValue::from_static("attachment; filename=\"account.json\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, file);
    Ok(response)
}
