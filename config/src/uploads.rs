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
    /// Bytes of the disk that stay free.
    pub reserve_bytes: u64,
    /// Hours after the last byte until an unfinished upload is removed, at least 1.
    pub expire_hours: u32,
    /// Bytes between two moments at which what has come is made durable, at least 1.
    pub sync_bytes: u64,
    /// Minutes after a form's last bytes until what came of it is removed, at least 1.
    pub form_minutes: u32,
}

/// Largest film the catalog can name, in bytes: constraint `uploads_size_range`.
pub const UPLOAD_MOST: u64 = 10_737_418_240;

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
    at_least_one("uploads.form_minutes", uploads.form_minutes.into())
}
