//! `[reports]`: reports about objects, and the weights of reports.

use serde::Deserialize;

use crate::{ConfigError, reject};

/// `[reports]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reports {
    /// Maximum length of a message in characters.
    pub max_message: usize,
    /// Maximum length of a subject in characters.
    pub max_subject: usize,
    /// Maximum length in characters of the URL a report was sent from.
    pub max_ref: usize,
    /// Maximum length of an e-mail address in characters.
    pub max_email: usize,
    /// Reasons to report an object.
    pub reasons: Vec<String>,
    /// Reasons that can hide an object before review.
    pub severe_reasons: Vec<String>,
    /// Reasons that are reviewed first.
    pub urgent_reasons: Vec<String>,
    /// Weight of a guest's report.
    pub guest_weight: i32,
    /// Maximum combined weight of guests' reports about an object.
    pub guest_cap: i32,
    /// Weight of a member's report.
    pub member_weight: i32,
    /// Minimum age of an account, in days, for a member's report to outweigh a guest's.
    pub member_days: i32,
    /// Weight gained per confirmed report.
    pub trust_gain: i32,
    /// Weight lost per rejected report.
    pub trust_loss: i32,
    /// Maximum weight of a report.
    pub max_weight: i32,
    /// Weight from which an object's reports are prioritized.
    pub review_weight: i32,
    /// Weight of severe reports at which an object is hidden.
    pub hide_weight: i32,
    /// Number of confirmed reports about different objects before a member's severe reports can hide an object, at least 1.
    pub proven_reports: i32,
    /// Maximum combined weight of one network's reports about an object, below `hide_weight`.
    pub network_object_weight: i32,
    /// Maximum combined weight of one network's reports per day.
    pub network_weight: i32,
    /// Number of objects that a network, or accounts that report together, can hide per day before review is required, at least 1.
    pub hides_per_group: i32,
}

impl Reports {
    /// Whether reports with this reason can hide an object.
    #[must_use]
    pub fn is_severe(&self, reason: &str) -> bool {
        self.severe_reasons.iter().any(|severe| severe == reason)
    }

    /// Whether reports with this reason are reviewed first.
    #[must_use]
    pub fn is_urgent(&self, reason: &str) -> bool {
        self.urgent_reasons.iter().any(|urgent| urgent == reason)
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        // This section guarantees that guests and a single member cannot hide an object, not even together.
        let alone = self.guest_cap.saturating_add(self.max_weight);
        if self.hide_weight <= alone {
            let why =
                format!("is {}, must be above reports.guest_cap plus reports.max_weight ({alone})", self.hide_weight);
            return reject("reports.hide_weight", why);
        }
        if self.hide_weight <= self.network_object_weight {
            let why =
                format!("is {}, must be below reports.hide_weight ({})", self.network_object_weight, self.hide_weight);
            return reject("reports.network_object_weight", why);
        }
        for (key, listed) in
            [("reports.severe_reasons", &self.severe_reasons), ("reports.urgent_reasons", &self.urgent_reasons)]
        {
            if let Some(unknown) = listed.iter().find(|reason| !self.reasons.contains(reason)) {
                return reject(key, format!("holds {unknown:?}, which is not in reports.reasons"));
            }
        }
        for (key, value) in
            [("reports.proven_reports", self.proven_reports), ("reports.hides_per_group", self.hides_per_group)]
        {
            if value < 1 {
                return reject(key, format!("is {value}, must be at least 1"));
            }
        }
        for (key, weight) in [
            ("reports.guest_weight", self.guest_weight),
            ("reports.guest_cap", self.guest_cap),
            ("reports.member_weight", self.member_weight),
            ("reports.member_days", self.member_days),
            ("reports.trust_gain", self.trust_gain),
            ("reports.trust_loss", self.trust_loss),
            ("reports.network_object_weight", self.network_object_weight),
            ("reports.network_weight", self.network_weight),
        ] {
            if weight < 0 {
                return reject(key, format!("is {weight}, must be at least 0"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    fn refused(change: impl FnOnce(&mut Reports)) -> Option<&'static str> {
        let mut reports = Config::default().reports;
        change(&mut reports);
        match reports.check() {
            Err(ConfigError::Value { key, .. }) => Some(key),
            _ => None,
        }
    }

    #[test]
    fn guests_and_one_member_can_never_hide_an_object() {
        assert_eq!(refused(|_| {}), None);
        assert_eq!(refused(|reports| reports.hide_weight = 9), Some("reports.hide_weight"));
        assert_eq!(refused(|reports| reports.guest_cap = 4), Some("reports.hide_weight"));
        assert_eq!(refused(|reports| reports.max_weight = i32::MAX), Some("reports.hide_weight"));
    }

    #[test]
    fn severe_and_urgent_reasons_must_be_reasons() {
        assert_eq!(refused(|reports| reports.reasons.retain(|r| r != "minor")), Some("reports.severe_reasons"));
        assert_eq!(refused(|reports| reports.trust_loss = -1), Some("reports.trust_loss"));
        assert_eq!(refused(|reports| reports.urgent_reasons.push("rude".to_owned())), Some("reports.urgent_reasons"));
    }

    #[test]
    fn network_or_unproven_member_can_never_hide_an_object() {
        let key = Some("reports.network_object_weight");
        assert_eq!(refused(|reports| reports.network_object_weight = reports.hide_weight), key);
        assert_eq!(refused(|reports| reports.network_weight = -1), Some("reports.network_weight"));
        assert_eq!(refused(|reports| reports.proven_reports = 0), Some("reports.proven_reports"));
        assert_eq!(refused(|reports| reports.hides_per_group = 0), Some("reports.hides_per_group"));
    }
}
