//! `[notifications]`: what members are told of.

use serde::Deserialize;

use crate::{ConfigError, at_least_one};

/// `[notifications]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notifications {
    /// Notifications of a page.
    pub page: u32,
    /// Seconds after which a page asks anew how many there are, at least 1.
    pub refresh_seconds: u32,
    /// Most that are kept of a member.
    pub max_per_member: u32,
    /// Days they are kept.
    pub keep_days: u32,
    /// Seconds in which one that was taken away can be brought back.
    pub undo_seconds: u32,
    /// Mails that sum up what is new, queued at once.
    pub digests_at_once: u32,
}

impl Notifications {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        at_least_one("notifications.page", self.page.into())?;
        at_least_one("notifications.refresh_seconds", self.refresh_seconds.into())?;
        at_least_one("notifications.max_per_member", self.max_per_member.into())?;
        at_least_one("notifications.keep_days", self.keep_days.into())?;
        at_least_one("notifications.digests_at_once", self.digests_at_once.into())
    }
}
