//! `[captions]`: captions of videos. `default.toml` explains each key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one};

/// `[captions]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captions {
    /// Maximum size of a file in bytes.
    pub max_bytes: usize,
    /// Maximum number of cues per track.
    pub max_cues: usize,
    /// Maximum number of tracks per video.
    pub max_tracks: u32,
}

/// Rejects invalid values.
pub(crate) fn check(captions: &Captions) -> Result<(), ConfigError> {
    at_least_one("captions.max_bytes", captions.max_bytes as u64)?;
    at_least_one("captions.max_cues", captions.max_cues as u64)?;
    at_least_one("captions.max_tracks", captions.max_tracks.into())
}
