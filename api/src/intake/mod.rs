//! What uploads share: their files, and the order of the requests that append to one.

pub mod turns;

use std::sync::Arc;

use lantern_config::Config;
use lantern_media::incoming::Incoming;
use lantern_ratelimit::Limits;
use sqlx::PgPool;

/// Dependencies of uploads.
#[derive(Clone)]
pub struct Intake {
    pub config: Arc<Config>,
    pub pool: PgPool,
    /// Files of uploads.
    pub incoming: Incoming,
    pub limits: Arc<Limits>,
    pub now: fn() -> i64,
}
