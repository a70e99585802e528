//! The session cookie: which session a request belongs to.

use axum::http::{HeaderMap, HeaderValue};
use lantern_catalog::sessions::Clock;
use lantern_config::Config;
use time::{Duration, OffsetDateTime};

use super::token::Token;
use crate::{
    cookies,
    error::{ApiError, ApiResult},
    state::Shared,
};

/// With the prefix browsers take it only over https, from this very host, for all paths.
const SECURE_NAME: &str = "__Host-session";
/// Plain http of development knows no such promise.
const PLAIN_NAME: &str = "session";

/// The cookie's name.
#[must_use]
pub fn cookie_name(config: &Config) -> &'static str {
    if config.secure_cookies() { SECURE_NAME } else { PLAIN_NAME }
}

/// The token a request carries, whether or not it opens anything.
#[must_use]
pub fn token(config: &Config, headers: &HeaderMap) -> Option<Token> {
    cookies::get(headers, cookie_name(config)).and_then(Token::parse)
}

/// `Set-Cookie` that hands a token out.
///
/// # Errors
/// Never in practice: a token has only characters a header may have.
pub fn cookie(config: &Config, token: &Token) -> ApiResult<HeaderValue> {
    set(config, token.as_str(), config.accounts.session_seconds)
}

/// `Set-Cookie` that takes the token back.
///
/// # Errors
/// Never in practice.
pub fn no_cookie(config: &Config) -> ApiResult<HeaderValue> {
    set(config, "", 0)
}

fn set(config: &Config, value: &str, seconds: u32) -> ApiResult<HeaderValue> {
    let secure = if config.secure_cookies() { "; Secure" } else { "" };
    let name = cookie_name(config);
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).map_err(ApiError::internal)
}

/// The present, and since when an unused session has ended.
///
/// # Errors
/// When the clock is outside the years 0 to 9999.
pub fn clock(state: &Shared) -> ApiResult<Clock> {
    let now = OffsetDateTime::from_unix_timestamp((state.now)()).map_err(ApiError::internal)?;
    Ok(Clock { now, idle_since: now - Duration::seconds(state.config.accounts.session_idle_seconds.into()) })
}
