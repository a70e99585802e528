//! `[downloads]`

use serde::Deserialize;

/// `[downloads]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Downloads {
    /// Seconds that a guest waits for a link.
    pub guest_wait: u32,
    /// Seconds that a member waits for a link.
    pub member_wait: u32,
    /// Seconds after the wait during which the link can be requested.
    pub ticket_seconds: u32,
    /// Seconds for which the link is valid.
    pub link_seconds: u32,
}
