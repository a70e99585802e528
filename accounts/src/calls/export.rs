//! `GET /api/account_export.php`: exports all data that the site holds about the member.

use axum::{
    extract::State,
    http::{HeaderValue, header},
    response::Response,
};
use lantern_catalog::account_export;
use lantern_config::Config;
use lantern_ratelimit::{Action, Key, Limits};
use serde_json::json;
use sqlx::PgPool;
use std::sync::Arc;

use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    openapi::{Doc, too_often},
    private,
};

use crate::viewer::Member;

pub fn doc(_: &Config) -> Doc {
    let schema = json!({ "type": "object", "required": ["account"] });
    let example = json!({ "account": { "user_id": 1, "username": "demo" } });
    Doc::new("account", "account_export", "/api/account_export.php", "Export all data about the member")
        .about("A JSON file, table by table. Contains no secrets and no private data of others.")
        .for_members()
        .answers_with("The file.", "application/json", &schema, &example)
        .refuses(too_often())
}

pub async fn account_export(
    State(limits): State<Arc<Limits>>,
    State(pool): State<PgPool>,
    member: Member,
) -> ApiResult<Response> {
    limits.take(Action::Act, &Key::member(member.id)).await?;
    let everything = account_export::export(&pool, member.id).await?.ok_or(ApiError::NeedAuth)?;
    let mut response = private::answer(everything);
    let file = HeaderValue::from_static("attachment; filename=\"account.json\"");
    response.headers_mut().insert(header::CONTENT_DISPOSITION, file);
    Ok(response)
}
