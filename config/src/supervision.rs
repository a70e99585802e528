//! `[supervision]`: restarts of background tasks.

use std::time::Duration;

use serde::Deserialize;

use crate::{ConfigError, at_least_one};

/// `[supervision]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Supervision {
    /// Milliseconds before the first restart.
    pub restart_ms: u64,
    /// Maximum number of seconds before a restart.
    pub restart_max_seconds: u64,
    /// Number of restarts within the window at which the node becomes unhealthy.
    pub restarts: usize,
    /// Length of the window in minutes.
    pub window_minutes: u64,
}

impl Supervision {
    /// Returns the window in which restarts are counted.
    #[must_use]
    pub const fn window(&self) -> Duration {
        Duration::from_secs(60 * self.window_minutes)
    }

    /// Returns the pause before the first restart.
    #[must_use]
    pub const fn first_pause(&self) -> Duration {
        Duration::from_millis(self.restart_ms)
    }

    /// Returns the pause that follows `pause`. It is twice as long, up to the maximum.
    #[must_use]
    pub fn next_pause(&self, pause: Duration) -> Duration {
        pause.saturating_mul(2).min(Duration::from_secs(self.restart_max_seconds))
    }
}

pub fn check(supervision: &Supervision) -> Result<(), ConfigError> {
    at_least_one("supervision.restart_ms", supervision.restart_ms)?;
    at_least_one("supervision.restart_max_seconds", supervision.restart_max_seconds)?;
    at_least_one("supervision.restarts", supervision.restarts as u64)?;
    at_least_one("supervision.window_minutes", supervision.window_minutes)
}
