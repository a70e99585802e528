//! What the upload calls share.

use std::sync::Arc;

use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_media::{incoming::Incoming, stores::Stores};
use lantern_ratelimit::Limits;
use sqlx::PgPool;
use time::{Duration, OffsetDateTime};

use crate::turns::Turns;

/// State of the upload calls.
#[derive(Clone)]
pub struct Intake {
    /// Settings.
    pub config: Arc<Config>,
    /// Catalog.
    pub pool: PgPool,
    /// Files of uploads on this node.
    pub incoming: Incoming,
    /// Stores, to which pieces of uploads are sent if they don't stay on this node.
    pub stores: Stores,
    /// Serializes requests that append to the same upload.
    pub turns: Turns,
    /// Limits per client.
    pub limits: Arc<Limits>,
    /// Returns the current time in Unix seconds.
    pub now: fn() -> i64,
}

impl Intake {
    /// Returns when an upload expires if nothing more is added to it.
    pub fn expires_at(&self) -> ApiResult<OffsetDateTime> {
        Ok(self.now()? + self.patience())
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> ApiResult<OffsetDateTime> {
        OffsetDateTime::from_unix_timestamp((self.now)()).map_err(ApiError::internal)
    }

    /// Returns how long an upload waits for its next piece.
    pub(crate) fn patience(&self) -> Duration {
        Duration::hours(self.config.uploads.expire_hours.into())
    }
}
