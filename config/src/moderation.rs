//! `[moderation]`: what people decide about uploads; `default.toml` has the reason of every key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[moderation]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moderation {
    /// Why an upload can be rejected, at least one.
    pub reasons: Vec<String>,
    /// Seconds in which a session may decide after the second step, at least 1.
    pub session_seconds: u32,
    /// Whether pictures and texts of profiles wait until a person has looked.
    pub review_profiles: bool,
    /// Grave decisions of a session until it needs a fresh one-time password, at least 1.
    pub step_up_after: u32,
    /// Days a browser is known after the second step, at least 1.
    pub device_days: u32,
    /// Known browsers of a moderator, at least 1.
    pub devices_most: u32,
    /// Days the files of what was taken down stay, so that it can be restored.
    pub quarantine_days: u32,
    /// Most uploads of the queue, at least 1.
    pub queue_max: u32,
    /// Most characters of a note.
    pub note_max: usize,
    /// Most bytes of a document's copy.
    pub proof_bytes: usize,
}

/// `[consents]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Consents {
    /// Days the sealed copy of a document stays after its video or album is gone.
    pub keep_days: u32,
}

impl Moderation {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.reasons.is_empty() {
            return refuse("moderation.reasons", "is empty: whoever rejects an upload says why");
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
    fn there_is_a_reason_at_least() {
        let mut moderation = Config::default().moderation;
        assert!(moderation.check().is_ok());
        moderation.reasons.clear();
        assert!(matches!(moderation.check(), Err(ConfigError::Value { key: "moderation.reasons", .. })));
    }
}
