//! Who is signed in.

use axum::{extract::FromRequestParts, http::request::Parts};
use lantern_catalog::sessions;
use lantern_config::Config;
use sqlx::PgPool;
use time::Duration;

use crate::{
    account::session::{clock, token},
    http::{ApiError, ApiResult},
    state::AppState,
};

/// The member a request comes from. As an extractor it refuses guests with 401 `need_auth`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    pub id: i64,
    pub session_id: i64,
    pub username: String,
    /// 1 ordinary, 6 may manage uploaded videos; never 5, banned members have no session.
    pub status_id: i16,
}

/// The member a request comes from, or a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer(pub Option<Member>);

impl FromRequestParts<AppState> for Viewer {
    type Rejection = ApiError;

    /// Looked up once per request however many extractors want it; guests without a cookie cost nothing.
    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        if let Some(known) = parts.extensions.get::<Self>() {
            return Ok(known.clone());
        }
        let viewer = Self(signed_in(&state.pool, &state.config, (state.now)(), parts).await?);
        parts.extensions.insert(viewer.clone());
        Ok(viewer)
    }
}

impl FromRequestParts<AppState> for Member {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        Viewer::from_request_parts(parts, state).await?.0.ok_or(ApiError::NeedAuth)
    }
}

async fn signed_in(pool: &PgPool, config: &Config, now: i64, parts: &Parts) -> ApiResult<Option<Member>> {
    let Some(token) = token(config, &parts.headers) else { return Ok(None) };
    let clock = clock(config, now)?;
    let Some(session) = sessions::find(pool, &token.hash(), clock).await? else { return Ok(None) };
    if session.last_used_at <= clock.now - Duration::seconds(config.accounts.session_touch_seconds.into()) {
        sessions::touch(pool, session.id, clock.now).await?;
    }
    Ok(Some(Member {
        id: session.user_id,
        session_id: session.id,
        username: session.username,
        status_id: session.status_id,
    }))
}
