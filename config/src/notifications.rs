//! `[notifications]`: members' notifications.

use serde::Deserialize;

use crate::{ConfigError, at_least_one};

/// `[notifications]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Notifications {
    /// Notifications per page.
    pub page: u32,
    /// Seconds between polls of the unread count by a page, at least 1.
    pub refresh_seconds: u32,
    /// Maximum stored per member.
    pub max_per_member: u32,
    /// Days they are stored.
    pub keep_days: u32,
    /// Seconds during which a deletion can be undone.
    pub undo_seconds: u32,
    /// Digest mails queued at once.
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
