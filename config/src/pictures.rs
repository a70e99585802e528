//! Pictures of members; `default.toml` has the reason of every key.

use serde::{Deserialize, Serialize};

use crate::{ConfigError, refuse};

/// `[pictures]`; the process that decodes is told them.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Pictures {
    /// Bytes of a file at most.
    pub max_bytes: usize,
    /// Pixels of a side at most.
    pub max_side: u32,
    /// Pixels of a picture at most.
    pub max_pixels: u64,
    /// JPEG quality of what is stored, 1 to 100.
    pub quality: u8,
    /// Smallest width and height of an avatar in pixels.
    pub avatar_min: (u32, u32),
    /// Smallest width and height of a cover in pixels.
    pub cover_min: (u32, u32),
    /// Bytes of an album's picture at most.
    pub photo_bytes: usize,
    /// Smallest width and height of an album's picture in pixels.
    pub photo_min: (u32, u32),
    /// Smallest width and height of a video's picture in pixels.
    pub poster_min: (u32, u32),
    /// Frames of an album's picture at most, at least 1.
    pub photo_frames: u32,
    /// Bits of 256 in which a picture may differ from a banned one and still be taken for it.
    pub look_bits: u8,
    /// From which quality on, 0 to 100, the looks of a picture are compared.
    pub look_quality: u8,
    /// Bytes of memory one picture may take while it is decoded.
    pub memory: u64,
    /// Seconds of processor time one picture may take.
    pub cpu_seconds: u64,
    /// Milliseconds one picture may take in all.
    pub time_ms: u64,
    /// Pictures decoded at the same time.
    pub concurrency: usize,
    /// Minutes after which a file that nothing names is removed, at least 1.
    pub orphan_minutes: u32,
    /// Minutes between two looks for such files, at least 1.
    pub orphan_sweep_minutes: u32,
}

/// `[member_area]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemberArea {
    /// Items of a page of a member's own list.
    pub page: u32,
    /// Conversations or messages of a page.
    pub messages_page: u32,
    /// Most characters of a message, at most 1500.
    pub message_max: usize,
    /// Followed models, channels and members whose videos are in the feed.
    pub feed_sources: u32,
    /// Days after which a video is re-added when none are named.
    pub readd_days: u32,
    /// Most days after which a video may be re-added.
    pub readd_days_max: u32,
    /// Most saved lists of a member, at most a page of an own list.
    pub saved_searches: u32,
    /// Most characters of the name of one, at most 100.
    pub saved_name_max: usize,
    /// Seconds of a video from which on it is gone on with.
    pub resume_from: i32,
    /// Per cent of a video up to which it is gone on with.
    pub resume_until: i32,
}

/// Refuses values the program could not work with.
pub(crate) fn check(pictures: &Pictures, area: &MemberArea) -> Result<(), ConfigError> {
    if !(1..=100).contains(&pictures.quality) {
        return refuse("pictures.quality", "must be 1 to 100");
    }
    if pictures.photo_frames == 0 {
        return refuse("pictures.photo_frames", "must be at least 1");
    }
    if pictures.concurrency == 0 {
        return refuse("pictures.concurrency", "must be at least 1");
    }
    if pictures.cpu_seconds == 0 || pictures.time_ms == 0 || pictures.memory < pictures.max_pixels.saturating_mul(16) {
        return refuse(
            "pictures.memory",
            "must be at least 16 bytes for each of pictures.max_pixels, cpu_seconds and time_ms at least 1",
        );
    }
    if pictures.look_bits > 96 || pictures.look_quality > 100 {
        return refuse(
            "pictures.look_bits",
            "must be at most 96: unrelated pictures differ in 128 on average; look_quality at most 100",
        );
    }
    if pictures.orphan_minutes == 0 || pictures.orphan_sweep_minutes == 0 {
        return refuse("pictures.orphan_minutes", "and pictures.orphan_sweep_minutes must be at least 1");
    }
    if area.page == 0 || area.messages_page == 0 || area.feed_sources == 0 {
        return refuse("member_area", "page, messages_page and feed_sources must be at least 1");
    }
    if !(1..=1500).contains(&area.message_max) {
        return refuse("member_area.message_max", "must be 1 to 1500");
    }
    if area.readd_days == 0 || area.readd_days > area.readd_days_max {
        return refuse("member_area.readd_days", "must be 1 to member_area.readd_days_max");
    }
    if !(1..=area.page).contains(&area.saved_searches) || !(1..=100).contains(&area.saved_name_max) {
        return refuse("member_area.saved_searches", "must be 1 to member_area.page, and saved_name_max 1 to 100");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn values_that_cannot_work_are_refused() {
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
