//! `[page_views]`: how often pages are visited; `default.toml` has the reason of every key.

use serde::Deserialize;

use crate::{ConfigError, at_least_one, refuse};

/// `[page_views]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PageViews {
    /// Whether visits are counted.
    pub count: bool,
    /// Names an address may carry of who sent the visitor, at most [`CAMPAIGNS_MOST`].
    pub campaigns: Vec<String>,
    /// Seconds counts wait in memory to be written together, at least 1.
    pub flush_seconds: u64,
    /// Days the sums are stored, at least 1.
    pub retention_days: i32,
}

/// Most campaigns: each is a row a day for every screen.
pub const CAMPAIGNS_MOST: usize = 200;
/// Longest name of one.
const NAME_MOST: usize = 40;

impl PageViews {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        let is_name = |name: &String| (1..=NAME_MOST).contains(&name.len()) && name.bytes().all(plain) && name != OTHER;
        if self.campaigns.len() > CAMPAIGNS_MOST || !self.campaigns.iter().all(is_name) {
            let why = format!(
                "must be at most {CAMPAIGNS_MOST} names of at most {NAME_MOST} small letters, digits, - and _, and none of them {OTHER:?}"
            );
            return refuse("page_views.campaigns", why);
        }
        at_least_one("page_views.flush_seconds", self.flush_seconds)?;
        at_least_one("page_views.retention_days", self.retention_days.try_into().unwrap_or(0))
    }

    /// What a campaign counts as: its name, [`OTHER`] for one that nobody announced, nothing for none.
    #[must_use]
    pub fn campaign<'a>(&self, name: &'a str) -> &'a str {
        if name.is_empty() || self.campaigns.iter().any(|known| known == name) { name } else { OTHER }
    }
}

/// Campaigns that are not announced: anybody can write anything into an address.
pub const OTHER: &str = "other";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn names_of_campaigns_are_plain_and_few() {
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
