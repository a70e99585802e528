//! Extractors for the signed-in member.

use std::sync::Arc;

use axum::{
    extract::{FromRef, FromRequestParts},
    http::request::Parts,
};
use lantern_catalog::{sessions, status::MemberStatus};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use sqlx::PgPool;
use time::Duration;

use crate::session::{clock, token};

/// The member who sent the request. As an extractor, it refuses guests with 401 `need_auth`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Id of the member.
    pub id: i64,
    /// Id of the session.
    pub session_id: i64,
    /// Name of the member.
    pub username: String,
    /// Never [`MemberStatus::Banned`], because banned members have no session.
    pub status_id: MemberStatus,
}

/// The member who sent the request, or a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer(pub Option<Member>);

/// Looks up sessions.
#[derive(Clone)]
pub struct Sessions {
    /// Settings.
    pub config: Arc<Config>,
    /// Catalog.
    pub pool: PgPool,
    /// Returns the time in Unix seconds.
    pub now: fn() -> i64,
}

impl<S: Sync> FromRequestParts<S> for Viewer
where
    Sessions: FromRef<S>,
{
    type Rejection = ApiError;

    /// Looks up the session at most once per request, and not at all without a cookie.
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        if let Some(known) = parts.extensions.get::<Self>() {
            return Ok(known.clone());
        }
        let viewer = Self(Sessions::from_ref(state).member(parts).await?);
        parts.extensions.insert(viewer.clone());
        Ok(viewer)
    }
}

impl<S: Sync> FromRequestParts<S> for Member
where
    Sessions: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        Viewer::from_request_parts(parts, state).await?.0.ok_or(ApiError::NeedAuth)
    }
}

impl Sessions {
    /// Returns the member to whom the session cookie belongs.
    async fn member(&self, parts: &Parts) -> ApiResult<Option<Member>> {
        let Some(token) = token(&self.config, &parts.headers) else { return Ok(None) };
        let clock = clock(&self.config, (self.now)())?;
        let Some(session) = sessions::find(&self.pool, &token.hash(), clock).await? else { return Ok(None) };
        let touch_before = clock.now - Duration::seconds(self.config.accounts.session_touch_seconds.into());
        if session.last_used_at <= touch_before {
            sessions::touch(&self.pool, session.id, clock.now).await?;
        }
        Ok(Some(Member {
            id: session.user_id,
            session_id: session.id,
            username: session.username,
            status_id: session.status_id,
        }))
    }
}
