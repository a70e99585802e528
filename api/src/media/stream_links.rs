//! Signed links to the streams of films.

use std::sync::Arc;

use lantern_config::Config;
use lantern_media::{
    clips::{self, Manifest},
    links::Signer,
};

use lantern_errors::{ApiError, ApiResult};

/// What signs them, and for how long.
#[derive(Clone)]
pub struct StreamLinks {
    pub config: Arc<Config>,
    pub signer: Signer,
    pub now: fn() -> i64,
}

impl StreamLinks {
    /// The streams of a film of this height in pixels: good for `media.link_seconds`, and for these seconds more.
    pub fn sign(&self, media_key: &str, height: u16, seconds_more: u32) -> ApiResult<Manifest> {
        let seconds = self.config.media.link_seconds.saturating_add(seconds_more.into());
        let expires = (self.now)().saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX));
        clips::manifest(&self.signer, media_key, height, expires).map_err(ApiError::internal)
    }
}
