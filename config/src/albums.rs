//! `[albums]`: members' albums. `default.toml` explains each key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// `[albums]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Albums {
    /// Maximum number of pictures per album, at least 1.
    pub max_photos: usize,
    /// Maximum number of pictures per form, at least 1.
    pub form_photos: usize,
    /// Maximum size of a form in bytes. It must have room for at least one picture and the text fields.
    pub form_bytes: usize,
    /// Seconds allowed for receiving a form, at least 1.
    pub form_seconds: u64,
    /// Maximum number of a member's albums awaiting review, at least 1.
    pub undecided: u32,
    /// Days after which a draft is deleted, at least 1.
    pub draft_days: u32,
    /// Hours for which the files of deleted albums are retained.
    pub grace_hours: u32,
}

impl Albums {
    /// Rejects invalid values. `largest` is the size of a form with a single picture of maximum size.
    pub(crate) fn check(&self, largest: usize) -> Result<(), ConfigError> {
        if self.form_bytes < largest {
            let why = format!(
                "is {}, must be at least {largest}: pictures.photo_bytes and server.body_limit",
                self.form_bytes
            );
            return reject("albums.form_bytes", why);
        }
        at_least_one("albums.max_photos", self.max_photos as u64)?;
        at_least_one("albums.form_photos", self.form_photos as u64)?;
        at_least_one("albums.form_seconds", self.form_seconds)?;
        at_least_one("albums.undecided", self.undecided.into())?;
        at_least_one("albums.draft_days", self.draft_days.into())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Config, ConfigError};

    #[test]
    fn form_holds_at_least_one_picture() {
        let mut albums = Config::default().albums;
        assert!(albums.check(albums.form_bytes).is_ok());
        let refused = albums.check(albums.form_bytes + 1);
        assert!(matches!(refused, Err(ConfigError::Value { key: "albums.form_bytes", .. })));
        albums.undecided = 0;
        assert!(albums.check(1).is_err());
    }
}
