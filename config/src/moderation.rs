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
    /// Most uploads of the queue, at least 1.
    pub queue_max: u32,
    /// Most characters of a note.
    pub note_max: usize,
    /// Most bytes of a document's copy.
    pub proof_bytes: usize,
}

impl Moderation {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.reasons.is_empty() {
            return refuse("moderation.reasons", "is empty: whoever rejects an upload says why");
        }
        at_least_one("moderation.session_seconds", self.session_seconds.into())?;
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
