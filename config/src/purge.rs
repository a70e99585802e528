//! `[purge]`: telling a cache outside what changed.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[purge]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purge {
    /// Where the calls go (`http://` or `https://`); empty tells nobody.
    pub url: String,
    /// Method of the calls.
    pub method: String,
    /// Header that proves who calls.
    pub header: String,
    /// Its value; empty sends none.
    pub key: String,
    /// Header in which the tags stand; empty sends them as JSON.
    pub tags_header: String,
    /// Most tags of one call, at least 1.
    pub tags: u32,
    /// Milliseconds a call may take, at least 1.
    pub timeout_ms: u64,
    /// Milliseconds between two polls for tags to be sent, at least 1.
    pub poll_ms: u64,
    /// Seconds to wait after each failed call, at least one of them; the last one counts for all that follow.
    pub retry_seconds: Vec<u32>,
    /// Seconds after which a tag that could not be sent is given up.
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
            // The address itself may hold a key.
            return refuse("purge.url", "must be like \"https://cdn.example/purge\", or empty to tell nobody");
        }
        if self.retry_seconds.is_empty() {
            return refuse("purge.retry_seconds", "is empty, must have at least one pause");
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
    fn what_could_not_work_is_refused_without_repeating_a_key() {
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
