//! `[uploads]`: films on their way in; `default.toml` has the reason of every key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[uploads]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uploads {
    /// Folder of unfinished files; empty means below the data folder.
    pub folder: String,
    /// Bytes of a film at most, up to [`UPLOAD_MOST`].
    pub max_bytes: u64,
    /// Unfinished uploads of a member at most, at least 1.
    pub per_member: u32,
    /// Bytes of a member's uploads, announced or come, of which nothing was made yet; at least `max_bytes`.
    pub member_bytes: u64,
    /// Days that an account is new, 0 for none.
    pub new_days: u32,
    /// Bytes as `member_bytes` while it is, at least 1.
    pub new_bytes: u64,
    /// Bytes of the disk that stay free.
    pub reserve_bytes: u64,
    /// Bytes that a request has room for beyond what has come, at least two times `sync_bytes`.
    pub ahead_bytes: u64,
    /// Seconds after which a request that is never heard of again has that room no more, at least 10.
    pub ahead_seconds: u64,
    /// Hours after the last byte until an unfinished upload is removed, at least 1.
    pub expire_hours: u32,
    /// Hours after its beginning until an upload is removed that isn't whole, at least `expire_hours`.
    pub total_hours: u32,
    /// Bytes for which it is kept another hour beyond `expire_hours`, at least 1.
    pub hour_bytes: u64,
    /// Bytes between two moments at which what has come is made durable, at least 1.
    pub sync_bytes: u64,
    /// Minutes after a form's last bytes until what came of it is removed, at least 1.
    pub form_minutes: u32,
}

/// Largest film the catalog can name, in bytes: constraint `uploads_size_range`.
pub const UPLOAD_MOST: u64 = 10_737_418_240;

/// Room is taken anew twice in its time, by a catalog that may be busy.
const AHEAD_LEAST: u64 = 10;

/// Refuses values the program could not work with.
pub(crate) fn check(uploads: &Uploads) -> Result<(), ConfigError> {
    if !(1..=UPLOAD_MOST).contains(&uploads.max_bytes) {
        return refuse("uploads.max_bytes", format!("is {}, must be 1 to {UPLOAD_MOST}", uploads.max_bytes));
    }
    if uploads.member_bytes < uploads.max_bytes {
        let why = format!("is {}, must be at least uploads.max_bytes ({})", uploads.member_bytes, uploads.max_bytes);
        return refuse("uploads.member_bytes", why);
    }
    at_least_one("uploads.per_member", uploads.per_member.into())?;
    at_least_one("uploads.expire_hours", uploads.expire_hours.into())?;
    at_least_one("uploads.sync_bytes", uploads.sync_bytes)?;
    at_least_one("uploads.new_bytes", uploads.new_bytes)?;
    at_least_one("uploads.hour_bytes", uploads.hour_bytes)?;
    if uploads.total_hours < uploads.expire_hours {
        let why =
            format!("is {}, must be at least uploads.expire_hours ({})", uploads.total_hours, uploads.expire_hours);
        return refuse("uploads.total_hours", why);
    }
    if uploads.ahead_bytes / 2 < uploads.sync_bytes {
        let why =
            format!("is {}, must be at least twice uploads.sync_bytes ({})", uploads.ahead_bytes, uploads.sync_bytes);
        return refuse("uploads.ahead_bytes", why);
    }
    if uploads.ahead_seconds < AHEAD_LEAST {
        return refuse(
            "uploads.ahead_seconds",
            format!("is {}, must be at least {AHEAD_LEAST}", uploads.ahead_seconds),
        );
    }
    at_least_one("uploads.form_minutes", uploads.form_minutes.into())
}
