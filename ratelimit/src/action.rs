//! What can be limited, and how much of it.

use std::time::Duration;

use lantern_config::Policy;

/// Something a client may do only so often.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// A search of the video index.
    Search,
    /// A suggestion or facet look-up while typing.
    Suggest,
}

impl Action {
    /// Every action, in the order of their discriminants.
    pub const ALL: [Self; 2] = [Self::Search, Self::Suggest];

    /// The name used for the stored tree, in logs and in the configuration.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Suggest => "suggest",
        }
    }

    /// The row of the policy table that governs this action.
    #[must_use]
    pub fn policy(self, table: &lantern_config::Limits) -> &Policy {
        match self {
            Self::Search => &table.search,
            Self::Suggest => &table.suggest,
        }
    }
}

/// Time until one more attempt is let through once the burst is used up; never zero.
pub(crate) fn interval(policy: &Policy) -> Duration {
    let period = Duration::from_secs(policy.per_seconds);
    (period / policy.cells.max(1)).max(Duration::from_nanos(1))
}
