//! `[uploads]`: video uploads in progress. `default.toml` explains each key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// `[uploads]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uploads {
    /// Folder for unfinished files. If it is empty, the folder is inside the data folder.
    pub folder: String,
    /// Maximum size of a video in bytes, at most [`UPLOAD_MOST`].
    pub max_bytes: u64,
    /// Maximum number of unfinished uploads per member, at least 1.
    pub per_member: u32,
    /// Maximum total size of a member's unprocessed uploads in bytes, whether announced or received. It is at least `max_bytes`.
    pub member_bytes: u64,
    /// Days for which an account counts as new. With 0, no account does.
    pub new_days: u32,
    /// Value that replaces `member_bytes` for new accounts, at least 1.
    pub new_bytes: u64,
    /// Free disk space to preserve, in bytes.
    pub reserve_bytes: u64,
    /// Disk space that a request reserves beyond the received bytes, in bytes, at least twice `sync_bytes`.
    pub ahead_bytes: u64,
    /// Seconds after which the reservation of a silent request expires, at least 10.
    pub ahead_seconds: u64,
    /// Hours after which an unfinished upload is removed, counted from its last byte, at least 1.
    pub expire_hours: u32,
    /// Hours after which an unfinished upload is removed, counted from its start, at least `expire_hours`.
    pub total_hours: u32,
    /// Number of received bytes that extend `expire_hours` by an hour, at least 1.
    pub hour_bytes: u64,
    /// Number of received bytes between syncs to disk, at least 1.
    pub sync_bytes: u64,
    /// Minutes after which an incomplete form is removed, counted from its last byte, at least 1.
    pub form_minutes: u32,
}

/// Maximum size of a video in the catalog, in bytes (constraint `uploads_size_range`).
pub const UPLOAD_MOST: u64 = 10_737_418_240;

/// Minimum reservation in seconds. A reservation is renewed twice before it expires, and the catalog may be busy.
const AHEAD_LEAST: u64 = 10;

/// Rejects invalid values.
pub(crate) fn check(uploads: &Uploads) -> Result<(), ConfigError> {
    if !(1..=UPLOAD_MOST).contains(&uploads.max_bytes) {
        return reject("uploads.max_bytes", format!("is {}, must be 1 to {UPLOAD_MOST}", uploads.max_bytes));
    }
    if uploads.member_bytes < uploads.max_bytes {
        let why = format!("is {}, must be at least uploads.max_bytes ({})", uploads.member_bytes, uploads.max_bytes);
        return reject("uploads.member_bytes", why);
    }
    at_least_one("uploads.per_member", uploads.per_member.into())?;
    at_least_one("uploads.expire_hours", uploads.expire_hours.into())?;
    at_least_one("uploads.sync_bytes", uploads.sync_bytes)?;
    at_least_one("uploads.new_bytes", uploads.new_bytes)?;
    at_least_one("uploads.hour_bytes", uploads.hour_bytes)?;
    if uploads.total_hours < uploads.expire_hours {
        let why =
            format!("is {}, must be at least uploads.expire_hours ({})", uploads.total_hours, uploads.expire_hours);
        return reject("uploads.total_hours", why);
    }
    if uploads.ahead_bytes / 2 < uploads.sync_bytes {
        let why =
            format!("is {}, must be at least twice uploads.sync_bytes ({})", uploads.ahead_bytes, uploads.sync_bytes);
        return reject("uploads.ahead_bytes", why);
    }
    if uploads.ahead_seconds < AHEAD_LEAST {
        return reject(
            "uploads.ahead_seconds",
            format!("is {}, must be at least {AHEAD_LEAST}", uploads.ahead_seconds),
        );
    }
    at_least_one("uploads.form_minutes", uploads.form_minutes.into())
}
