//! `[moderation]`: review of uploads. `default.toml` explains each key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// `[moderation]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moderation {
    /// Reasons to reject an upload, at least one.
    pub reasons: Vec<String>,
    /// Seconds for which a session may moderate after the second factor, at least 1.
    pub session_seconds: u32,
    /// Whether profile pictures and texts require review before they are shown.
    pub review_profiles: bool,
    /// Number of severe decisions per session before a fresh one-time password is required, at least 1.
    pub step_up_after: u32,
    /// Days for which a browser is remembered after the second factor, at least 1.
    pub device_days: u32,
    /// Maximum number of known browsers per moderator, at least 1.
    pub devices_most: u32,
    /// Days for which files of taken-down objects are retained for restoration.
    pub quarantine_days: u32,
    /// Maximum number of uploads listed in the queue, at least 1.
    pub queue_max: u32,
    /// Maximum length of a note in characters.
    pub note_max: usize,
    /// Maximum size of a document copy in bytes.
    pub proof_bytes: usize,
}

/// `[consents]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consents {
    /// Days for which the encrypted copy of a document is kept after its video or album is removed.
    pub keep_days: u32,
}

impl Moderation {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.reasons.is_empty() {
            return reject("moderation.reasons", "is empty: rejecting an upload requires a reason");
        }
        for (key, value) in [
            ("moderation.session_seconds", self.session_seconds),
            ("moderation.step_up_after", self.step_up_after),
            ("moderation.device_days", self.device_days),
            ("moderation.devices_most", self.devices_most),
        ] {
            at_least_one(key, value.into())?;
        }
        at_least_one("moderation.queue_max", self.queue_max.into())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, ConfigError};

    #[test]
    fn at_least_one_reason_is_required() {
        let mut moderation = Config::default().moderation;
        assert!(moderation.check().is_ok());
        moderation.reasons.clear();
        assert!(matches!(moderation.check(), Err(ConfigError::Value { key: "moderation.reasons", .. })));
    }
}
