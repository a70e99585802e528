//! Members' pictures and personal lists. `default.toml` explains each key.

use serde::{Deserialize, Serialize};

use crate::{ConfigError, reject};

/// `[pictures]`, which is also passed to the decoder process.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pictures {
    /// Maximum size of a file in bytes.
    pub max_bytes: usize,
    /// Maximum side length in pixels.
    pub max_side: u32,
    /// Maximum number of pixels.
    pub max_pixels: u64,
    /// JPEG quality of stored pictures, 1 to 100.
    pub quality: u8,
    /// Minimum width and height of an avatar in pixels.
    pub avatar_min: (u32, u32),
    /// Minimum width and height of a cover in pixels.
    pub cover_min: (u32, u32),
    /// Maximum size of an album picture in bytes.
    pub photo_bytes: usize,
    /// Minimum width and height of an album picture in pixels.
    pub photo_min: (u32, u32),
    /// Minimum width and height of a video's poster in pixels.
    pub poster_min: (u32, u32),
    /// Maximum number of frames in an album picture, at least 1.
    pub photo_frames: u32,
    /// Maximum hash difference in bits of 256 at which a picture matches a banned one.
    pub look_bits: u8,
    /// Minimum hash quality, 0 to 100, at which pictures are compared.
    pub look_quality: u8,
    /// Memory limit for decoding a picture in bytes.
    pub memory: u64,
    /// Processor time limit per picture in seconds.
    pub cpu_seconds: u64,
    /// Total time limit per picture in milliseconds.
    pub time_ms: u64,
    /// Number of pictures decoded concurrently.
    pub concurrency: usize,
    /// Minutes after which an unreferenced file is removed, at least 1.
    pub orphan_minutes: u32,
    /// Minutes between scans for unreferenced files, at least 1.
    pub orphan_sweep_minutes: u32,
}

/// `[member_area]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemberArea {
    /// Number of items per page of a member's personal list.
    pub page: u32,
    /// Number of conversations or messages per page.
    pub messages_page: u32,
    /// Maximum length of a message in characters, at most 1500.
    pub message_max: usize,
    /// Maximum number of followed models, channels and members whose videos appear in the feed.
    pub feed_sources: u32,
    /// Default number of days after which a video is re-added.
    pub readd_days: u32,
    /// Maximum number of days after which a video may be re-added.
    pub readd_days_max: u32,
    /// Maximum number of saved searches per member, at most `page`.
    pub saved_searches: u32,
    /// Maximum length of a saved search's name in characters, at most 100.
    pub saved_name_max: usize,
    /// Minimum playback position in seconds at which a video can be resumed.
    pub resume_from: i32,
    /// Maximum playback position in percent up to which a video can be resumed.
    pub resume_until: i32,
}

/// Rejects invalid values.
pub(crate) fn check(pictures: &Pictures, area: &MemberArea) -> Result<(), ConfigError> {
    if !(1..=100).contains(&pictures.quality) {
        return reject("pictures.quality", "must be 1 to 100");
    }
    if pictures.photo_frames == 0 {
        return reject("pictures.photo_frames", "must be at least 1");
    }
    if pictures.concurrency == 0 {
        return reject("pictures.concurrency", "must be at least 1");
    }
    if pictures.cpu_seconds == 0 || pictures.time_ms == 0 || pictures.memory < pictures.max_pixels.saturating_mul(16) {
        return reject(
            "pictures.memory",
            "must be at least 16 bytes per pixel of pictures.max_pixels; cpu_seconds and time_ms must be at least 1",
        );
    }
    if pictures.look_bits > 96 || pictures.look_quality > 100 {
        return reject(
            "pictures.look_bits",
            "must be at most 96, because unrelated pictures differ in 128 bits on average; look_quality must be at most 100",
        );
    }
    if pictures.orphan_minutes == 0 || pictures.orphan_sweep_minutes == 0 {
        return reject("pictures.orphan_minutes", "and pictures.orphan_sweep_minutes must be at least 1");
    }
    if area.page == 0 || area.messages_page == 0 || area.feed_sources == 0 {
        return reject("member_area", "page, messages_page and feed_sources must be at least 1");
    }
    if !(1..=1500).contains(&area.message_max) {
        return reject("member_area.message_max", "must be 1 to 1500");
    }
    if area.readd_days == 0 || area.readd_days > area.readd_days_max {
        return reject("member_area.readd_days", "must be 1 to member_area.readd_days_max");
    }
    if !(1..=area.page).contains(&area.saved_searches) || !(1..=100).contains(&area.saved_name_max) {
        return reject("member_area.saved_searches", "must be 1 to member_area.page, and saved_name_max 1 to 100");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn invalid_values_are_rejected() {
        let refused = |change: fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            super::check(&config.pictures, &config.member_area).is_err()
        };
        assert!(!refused(|_| {}));
        assert!(refused(|config| config.pictures.quality = 0));
        assert!(refused(|config| config.pictures.photo_frames = 0));
        assert!(refused(|config| config.pictures.concurrency = 0));
        assert!(refused(|config| config.pictures.memory = 1 << 20));
        assert!(refused(|config| config.pictures.time_ms = 0));
        assert!(refused(|config| config.pictures.look_bits = 97));
        assert!(refused(|config| config.pictures.look_quality = 101));
        assert!(refused(|config| config.pictures.orphan_minutes = 0));
        assert!(refused(|config| config.pictures.orphan_sweep_minutes = 0));
        assert!(refused(|config| config.member_area.page = 0));
        assert!(refused(|config| config.member_area.message_max = 1501));
        assert!(refused(|config| config.member_area.readd_days = 366));
        assert!(refused(|config| config.member_area.saved_searches = 61));
        assert!(refused(|config| config.member_area.saved_name_max = 101));
    }
}
