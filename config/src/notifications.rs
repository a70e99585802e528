//! `[notifications]`: members' notifications.

use serde::Deserialize;

use crate::{ConfigError, at_least_one};

/// `[notifications]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notifications {
    /// Number of notifications per page.
    pub page: u32,
    /// Seconds between a page's polls of the unread count, at least 1.
    pub refresh_seconds: u32,
    /// Maximum number of notifications stored per member.
    pub max_per_member: u32,
    /// Days for which notifications are stored.
    pub keep_days: u32,
    /// Seconds during which a deletion can be undone.
    pub undo_seconds: u32,
    /// Number of digest mails queued at once.
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
