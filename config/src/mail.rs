//! `[mail]`: mail delivery.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// `[mail]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mail {
    /// URL of an SMTP server (`smtp://` or `smtps://`). If it is empty, mails are written to files.
    pub smtp: String,
    /// Sender in the form `Name <address>`.
    pub from: String,
    /// Timeout of a delivery in seconds, at least 1.
    pub timeout: u64,
    /// Seconds between polls of the queue, at least 1.
    pub poll_seconds: u64,
    /// Pauses in seconds between attempts after a temporary rejection by the recipient's server.
    pub retry_seconds: Vec<u64>,
    /// Seconds before a retry if the server is unreachable.
    pub outage_seconds: u64,
    /// Hours after which an undelivered mail is dropped, at least 1.
    pub expire_hours: u32,
}

impl Mail {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if !self.smtp.is_empty() && !["smtp://", "smtps://"].iter().any(|scheme| self.smtp.starts_with(scheme)) {
            // Don't echo the value, because it may contain a password.
            return reject("mail.smtp", "must be like \"smtps://user:password@mail.example:465\", or empty for files");
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
    fn invalid_server_is_rejected_without_echoing_its_password() {
        let mut mail = Config::default().mail;
        mail.check().unwrap();
        "smtps://user:hidden@mail.example:465".clone_into(&mut mail.smtp);
        mail.check().unwrap();
        "user:hidden@mail.example".clone_into(&mut mail.smtp);
        let error = mail.check().unwrap_err().to_string();
        assert!(error.contains("mail.smtp") && !error.contains("hidden"), "{error}");
    }
}
