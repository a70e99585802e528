//! `[reports]`: complaints and what they weigh.

use serde::Deserialize;

use crate::{ConfigError, refuse};

/// `[reports]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reports {
    /// Most characters of a message.
    pub max_message: usize,
    /// Most characters of a subject.
    pub max_subject: usize,
    /// Most characters of the page a report comes from.
    pub max_ref: usize,
    /// Most characters of an e-mail address.
    pub max_email: usize,
    /// Why an object can be reported.
    pub reasons: Vec<String>,
    /// Those that can hide an object before a person has looked.
    pub severe_reasons: Vec<String>,
    /// Those that are looked at before all others.
    pub urgent_reasons: Vec<String>,
    /// Weight of a guest's report.
    pub guest_weight: i32,
    /// Most that all guests together weigh for one object.
    pub guest_cap: i32,
    /// Weight of a member's report.
    pub member_weight: i32,
    /// Days an account must be old to weigh more than a guest.
    pub member_days: i32,
    /// Added for each report that proved right.
    pub trust_gain: i32,
    /// Taken away for each report that was rejected.
    pub trust_loss: i32,
    /// Most that one report weighs.
    pub max_weight: i32,
    /// Weight from which an object's reports come first.
    pub review_weight: i32,
    /// Weight of severe reports that hides an object.
    pub hide_weight: i32,
    /// Objects a member must have reported rightly for their severe reports to hide one, at least 1.
    pub proven_reports: i32,
    /// Most that all reports of one network weigh for one object, below `hide_weight`.
    pub network_object_weight: i32,
    /// Most that they weigh in a day.
    pub network_weight: i32,
    /// Objects that a network, or accounts that report together, hide in a day before a person has to look, at least 1.
    pub hides_per_group: i32,
}

impl Reports {
    /// Whether reports of this reason can hide an object.
    #[must_use]
    pub fn is_severe(&self, reason: &str) -> bool {
        self.severe_reasons.iter().any(|severe| severe == reason)
    }

    /// Whether reports of this reason come before all others.
    #[must_use]
    pub fn is_urgent(&self, reason: &str) -> bool {
        self.urgent_reasons.iter().any(|urgent| urgent == reason)
    }

    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        // The promise of the section: neither guests nor one member hide an object, nor both together.
        let alone = self.guest_cap.saturating_add(self.max_weight);
        if self.hide_weight <= alone {
            let why =
                format!("is {}, must be above reports.guest_cap plus reports.max_weight ({alone})", self.hide_weight);
            return refuse("reports.hide_weight", why);
        }
        if self.hide_weight <= self.network_object_weight {
            let why =
                format!("is {}, must be below reports.hide_weight ({})", self.network_object_weight, self.hide_weight);
            return refuse("reports.network_object_weight", why);
        }
        for (key, listed) in
            [("reports.severe_reasons", &self.severe_reasons), ("reports.urgent_reasons", &self.urgent_reasons)]
        {
            if let Some(unknown) = listed.iter().find(|reason| !self.reasons.contains(reason)) {
                return refuse(key, format!("names {unknown:?}, which is none of reports.reasons"));
            }
        }
        for (key, value) in
            [("reports.proven_reports", self.proven_reports), ("reports.hides_per_group", self.hides_per_group)]
        {
            if value < 1 {
                return refuse(key, format!("is {value}, must be at least 1"));
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
                return refuse(key, format!("is {weight}, must be at least 0"));
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
    fn no_setting_lets_guests_and_one_member_hide_an_object() {
        assert_eq!(refused(|_| {}), None);
        assert_eq!(refused(|reports| reports.hide_weight = 9), Some("reports.hide_weight"));
        assert_eq!(refused(|reports| reports.guest_cap = 4), Some("reports.hide_weight"));
        assert_eq!(refused(|reports| reports.max_weight = i32::MAX), Some("reports.hide_weight"));
    }

    #[test]
    fn severe_reasons_are_reasons() {
        assert_eq!(refused(|reports| reports.reasons.retain(|r| r != "minor")), Some("reports.severe_reasons"));
        assert_eq!(refused(|reports| reports.trust_loss = -1), Some("reports.trust_loss"));
        assert_eq!(refused(|reports| reports.urgent_reasons.push("rude".to_owned())), Some("reports.urgent_reasons"));
    }

    #[test]
    fn no_setting_lets_a_network_or_a_member_without_a_record_hide_an_object() {
        let key = Some("reports.network_object_weight");
        assert_eq!(refused(|reports| reports.network_object_weight = reports.hide_weight), key);
        assert_eq!(refused(|reports| reports.network_weight = -1), Some("reports.network_weight"));
        assert_eq!(refused(|reports| reports.proven_reports = 0), Some("reports.proven_reports"));
        assert_eq!(refused(|reports| reports.hides_per_group = 0), Some("reports.hides_per_group"));
    }
}
