//! `[mail]`: where mails go.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[mail]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// Address of an SMTP server (`smtp://` or `smtps://`); empty writes files.
    pub smtp: String,
    /// Sender, as `Name <address>`.
    pub from: String,
    /// Seconds one delivery may take, at least 1.
    pub timeout: u64,
    /// Seconds between two looks at the queue, at least 1.
    pub poll_seconds: u64,
    /// Seconds to wait after each try of a mail that its reader's server put off.
    pub retry_seconds: Vec<u64>,
    /// Seconds until a mail is tried again that met no server.
    pub outage_seconds: u64,
    /// Hours after which a mail that could not be sent is given up, at least 1.
    pub expire_hours: u32,
}

impl Mail {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if !self.smtp.is_empty() && !["smtp://", "smtps://"].iter().any(|scheme| self.smtp.starts_with(scheme)) {
            // The value itself may hold a password.
            return refuse("mail.smtp", "must be like \"smtps://user:password@mail.example:465\", or empty for files");
        }
        at_least_one("mail.timeout", self.timeout)?;
        at_least_one("mail.expire_hours", self.expire_hours.into())?;
        at_least_one("mail.poll_seconds", self.poll_seconds)
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn a_wrong_server_is_refused_without_repeating_its_password() {
        let mut mail = Config::default().mail;
        mail.check().unwrap();
        "smtps://user:hidden@mail.example:465".clone_into(&mut mail.smtp);
        mail.check().unwrap();
        "user:hidden@mail.example".clone_into(&mut mail.smtp);
        let error = mail.check().unwrap_err().to_string();
        assert!(error.contains("mail.smtp") && !error.contains("hidden"), "{error}");
    }
}
