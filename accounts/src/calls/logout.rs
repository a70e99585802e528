//! `POST /api/logout.php`: ends the session.

use axum::{
    extract::State,
    http::{HeaderMap, header},
    response::Response,
};
use lantern_catalog::sessions;
use lantern_config::Config;
use sqlx::PgPool;
use std::sync::Arc;

use lantern_errors::{ApiError, ApiResult};
use lantern_http::{Done, cookies, openapi::Doc, private};

use crate::session;

pub fn doc(_: &Config) -> Doc {
    Doc::post("account", "logout", "/api/logout.php", "Sign out")
        .about("Ends the session, if any, and sets the cookie `logout=1`.")
        .answers::<Done>("Signed out.")
}

/// Fails while the catalog is unavailable. The session then still exists, and the response must not claim otherwise.
pub async fn logout(
    State(config): State<Arc<Config>>,
    State(pool): State<PgPool>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    if let Some(token) = session::token(&config, &headers) {
        sessions::end_by_token(&mut *pool.acquire().await?, &token.hash()).await?;
    }
    let mut response = private::done();
    response.headers_mut().append(header::SET_COOKIE, session::no_cookie(&config)?);
    let left = cookies::set(&config, cookies::LOGOUT, "1").ok_or(ApiError::Malformed("cookie"))?;
    response.headers_mut().append(header::SET_COOKIE, left);
    Ok(response)
}
