//! `[purge]`: purging an external cache.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// `[purge]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purge {
    /// URL of the purge endpoint (`http://` or `https://`). If it is empty, purging is disabled.
    pub url: String,
    /// HTTP method.
    pub method: String,
    /// Name of the authentication header.
    pub header: String,
    /// Value of the authentication header. If it is empty, the header is omitted.
    pub key: String,
    /// Header that carries the tags. If it is empty, they are sent as JSON.
    pub tags_header: String,
    /// Maximum number of tags per request, at least 1.
    pub tags: u32,
    /// Timeout of a request in milliseconds, at least 1.
    pub timeout_ms: u64,
    /// Milliseconds between polls for pending tags, at least 1.
    pub poll_ms: u64,
    /// Pauses in seconds after failed requests. There is at least one, and the last one repeats.
    pub retry_seconds: Vec<u32>,
    /// Seconds after which an unsent tag is dropped.
    pub keep_seconds: u32,
}

impl Purge {
    /// Whether a cache is configured.
    #[must_use]
    pub fn is_on(&self) -> bool {
        !self.url.is_empty()
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        if self.is_on() && !["http://", "https://"].iter().any(|scheme| self.url.starts_with(scheme)) {
            // Don't echo the value, because it may contain a key.
            return reject("purge.url", "must be like \"https://cdn.example/purge\", or empty to disable purging");
        }
        if self.retry_seconds.is_empty() {
            return reject("purge.retry_seconds", "is empty, must have at least one pause");
        }
        at_least_one("purge.tags", self.tags.into())?;
        at_least_one("purge.timeout_ms", self.timeout_ms)?;
        at_least_one("purge.poll_ms", self.poll_ms)
    }
}

#[cfg(test)]
mod tests {
    use crate::Config;

    #[test]
    fn invalid_values_are_rejected_without_echoing_the_key() {
        let purge = Config::default().purge;
        purge.check().unwrap();
        assert!(!purge.is_on());
        let mut wrong = purge.clone();
        "cdn.example/hidden".clone_into(&mut wrong.url);
        let error = wrong.check().unwrap_err().to_string();
        assert!(error.contains("purge.url") && !error.contains("hidden"), "{error}");
        let mut wrong = purge.clone();
        wrong.retry_seconds.clear();
        assert!(wrong.check().unwrap_err().to_string().contains("purge.retry_seconds"));
        let mut wrong = purge;
        wrong.tags = 0;
        assert!(wrong.check().unwrap_err().to_string().contains("purge.tags"));
    }
}
