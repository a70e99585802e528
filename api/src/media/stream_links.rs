//! Signed links to film streams.

use std::sync::Arc;

use lantern_catalog::video_codec::VideoCodec;
use lantern_config::Config;
use lantern_media::{
    clips::{self, Manifest},
    links::Signer,
};

use lantern_errors::{ApiError, ApiResult};

/// Signs links to streams.
#[derive(Clone)]
pub struct StreamLinks {
    /// Settings.
    pub config: Arc<Config>,
    /// Signs the links.
    pub signer: Signer,
    /// Returns the current time in Unix seconds.
    pub now: fn() -> i64,
}

impl StreamLinks {
    /// Returns the stream links for a film with this height in pixels and maybe a second set of renditions. They are valid for `media.link_seconds` plus `seconds_more`.
    pub fn sign(
        &self,
        media_key: &str,
        height: u16,
        second: Option<VideoCodec>,
        seconds_more: u32,
    ) -> ApiResult<Manifest> {
        let seconds = self.config.media.link_seconds.saturating_add(seconds_more.into());
        let expires = (self.now)().saturating_add(i64::try_from(seconds).unwrap_or(i64::MAX));
        clips::manifest(&self.signer, media_key, height, second, expires).map_err(ApiError::internal)
    }
}
