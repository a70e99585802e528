//! `[page_views]`: page view statistics. `default.toml` explains each key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, reject};

/// `[page_views]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageViews {
    /// Whether page views are counted.
    pub count: bool,
    /// Campaign names accepted in URLs, at most [`CAMPAIGNS_MOST`].
    pub campaigns: Vec<String>,
    /// Seconds between writes of buffered counts, at least 1.
    pub flush_seconds: u64,
    /// Days for which the counts are stored, at least 1.
    pub retention_days: i32,
}

/// Maximum number of campaigns. Each adds a row per day and screen.
pub const CAMPAIGNS_MOST: usize = 200;
/// Maximum length of a campaign name in bytes.
const NAME_MOST: usize = 40;

impl PageViews {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        let is_name = |name: &String| (1..=NAME_MOST).contains(&name.len()) && name.bytes().all(plain) && name != OTHER;
        if self.campaigns.len() > CAMPAIGNS_MOST || !self.campaigns.iter().all(is_name) {
            let why = format!(
                "must be at most {CAMPAIGNS_MOST} names of at most {NAME_MOST} lower-case letters, digits, - and _, none of them {OTHER:?}"
            );
            return reject("page_views.campaigns", why);
        }
        at_least_one("page_views.flush_seconds", self.flush_seconds)?;
        at_least_one("page_views.retention_days", self.retention_days.try_into().unwrap_or(0))
    }

    /// Returns the name that a campaign is counted under. This is the campaign's name if it is listed, and [`OTHER`] otherwise. Without a
    /// campaign, it is empty.
    #[must_use]
    pub fn campaign<'a>(&self, name: &'a str) -> &'a str {
        if name.is_empty() || self.campaigns.iter().any(|known| known == name) { name } else { OTHER }
    }
}

/// Name for unlisted campaigns, because URLs can carry arbitrary values.
pub const OTHER: &str = "other";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn campaign_names_are_plain_and_limited_in_number() {
        let mut views = Config::default().page_views;
        views.check().unwrap();
        views.campaigns = vec!["summer-24".to_owned()];
        views.check().unwrap();
        assert_eq!(
            (views.campaign("summer-24"), views.campaign("winter"), views.campaign("")),
            ("summer-24", OTHER, "")
        );
        for name in ["", "Summer", "a b", OTHER, &"a".repeat(41)] {
            views.campaigns = vec![name.to_owned()];
            assert!(views.check().unwrap_err().to_string().contains("page_views.campaigns"), "{name}");
        }
        views.campaigns = (0..=CAMPAIGNS_MOST).map(|number| number.to_string()).collect();
        assert!(views.check().is_err());
    }
}
