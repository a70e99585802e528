//! Session cookies, and how sessions are begun and renewed.

use axum::http::{HeaderMap, HeaderValue};
use lantern_catalog::sessions::{self, Clock, NewSession};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{Client, cookies};
use sqlx::PgConnection;
use time::{Duration, OffsetDateTime};

use super::{agent, token::Token};
use crate::viewer::Member;

/// With this prefix, browsers accept the cookie only over HTTPS, from this exact host and for all paths.
const SECURE_NAME: &str = "__Host-session";
/// Browsers reject the prefix over plain HTTP, which development uses.
const PLAIN_NAME: &str = "session";

/// Returns the name of the session cookie.
pub fn cookie_name(config: &Config) -> &'static str {
    if config.secure_cookies() { SECURE_NAME } else { PLAIN_NAME }
}

/// Returns the session token of a request, valid or not.
pub fn token(config: &Config, headers: &HeaderMap) -> Option<Token> {
    cookies::get(headers, cookie_name(config)).and_then(Token::parse)
}

/// Returns the `Set-Cookie` value that stores a token.
pub fn cookie(config: &Config, token: &Token) -> ApiResult<HeaderValue> {
    set(config, token.as_str(), config.accounts.session_seconds)
}

/// Returns the `Set-Cookie` value that deletes the session cookie.
pub fn no_cookie(config: &Config) -> ApiResult<HeaderValue> {
    set(config, "", 0)
}

fn set(config: &Config, value: &str, seconds: u32) -> ApiResult<HeaderValue> {
    let secure = if config.secure_cookies() { "; Secure" } else { "" };
    let name = cookie_name(config);
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::try_from(cookie).map_err(ApiError::internal)
}

/// Begins a session for a member who has just authenticated. Ends the browser's previous session. An attacker who knew its cookie, for
/// instance because they planted it, thus gains nothing (session fixation).
pub async fn begin(
    config: &Config,
    now: i64,
    conn: &mut PgConnection,
    client: &Client,
    headers: &HeaderMap,
    user_id: i64,
) -> ApiResult<HeaderValue> {
    let accounts = &config.accounts;
    let (fresh, now) = (Token::random()?, clock(config, now)?.now);
    if let Some(former) = token(config, headers) {
        sessions::end_by_token(&mut *conn, &former.hash()).await?;
    }
    let session = NewSession {
        user_id,
        token_hash: &fresh.hash(),
        now,
        expires_at: now + Duration::seconds(accounts.session_seconds.into()),
        agent: &agent::describe(headers),
        country: &client.country,
    };
    sessions::create(&mut *conn, session).await?;
    sessions::end_oldest(conn, user_id, accounts.sessions_most.into()).await?;
    cookie(config, &fresh)
}

/// Ends all other sessions and rotates this one's token, after a change of credentials.
pub async fn renew(config: &Config, conn: &mut PgConnection, member: &Member) -> ApiResult<HeaderValue> {
    let fresh = Token::random()?;
    sessions::end_others(&mut *conn, member.id, member.session_id).await?;
    sessions::rotate(conn, member.session_id, &fresh.hash()).await?;
    cookie(config, &fresh)
}

/// Returns the current time and the idle cutoff. Sessions last used before the cutoff have ended.
pub fn clock(config: &Config, now: i64) -> ApiResult<Clock> {
    let now = self::now(now)?;
    Ok(Clock { now, idle_since: now - Duration::seconds(config.accounts.session_idle_seconds.into()) })
}

/// Converts Unix seconds to a time.
pub fn now(seconds: i64) -> ApiResult<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp(seconds).map_err(ApiError::internal)
}
