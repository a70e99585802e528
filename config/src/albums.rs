//! `[albums]`: albums that members make; `default.toml` has the reason of every key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[albums]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Albums {
    /// Pictures of an album at most, at least 1.
    pub max_photos: usize,
    /// Pictures of one form at most, at least 1.
    pub form_photos: usize,
    /// Bytes of one form at most, at least those of one picture and a form's texts.
    pub form_bytes: usize,
    /// Seconds one form may take to come, at least 1.
    pub form_seconds: u64,
    /// Albums of a member that nobody decided on, at least 1.
    pub undecided: u32,
    /// Days after which a draft is deleted, at least 1.
    pub draft_days: u32,
    /// Hours that files of deleted albums stay.
    pub grace_hours: u32,
}

impl Albums {
    /// `largest` is a form with the largest picture alone.
    pub(crate) fn check(&self, largest: usize) -> Result<(), ConfigError> {
        if self.form_bytes < largest {
            let why = format!(
                "is {}, must be at least {largest}: pictures.photo_bytes and server.body_limit",
                self.form_bytes
            );
            return refuse("albums.form_bytes", why);
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
    fn one_picture_fits_a_form_at_least() {
        let mut albums = Config::default().albums;
        assert!(albums.check(albums.form_bytes).is_ok());
        let refused = albums.check(albums.form_bytes + 1);
        assert!(matches!(refused, Err(ConfigError::Value { key: "albums.form_bytes", .. })));
        albums.undecided = 0;
        assert!(albums.check(1).is_err());
    }
}
