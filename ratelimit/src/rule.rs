//! Expresses policies in governor's terms.

use std::{num::NonZeroU32, time::Duration};

use governor::Quota;
use lantern_config::Policy;

/// Number of cells per key, each of which accepts one attempt per interval and may run ahead of the clock by the tolerance.
///
/// An exact policy has N cells whose interval is the window and whose tolerance is zero, so that no window ever holds more than N attempts.
/// A GCRA policy has one cell whose tolerance is the burst.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub cells: i16,
    pub burst: NonZeroU32,
    pub interval: Duration,
}

impl Rule {
    pub fn new(policy: &Policy) -> Self {
        match policy {
            Policy::Exact(exact) => Self {
                cells: i16::try_from(exact.attempts).unwrap_or(i16::MAX).max(1),
                burst: NonZeroU32::MIN,
                interval: Duration::from_secs(exact.per_seconds.max(1)),
            },
            Policy::Gcra(gcra) => Self::gcra(gcra.burst, gcra.per_seconds, gcra.cells),
        }
    }

    /// Creates the rule for a network, in which `policy` counts each address. The network has `times` the allowance of one address. A
    /// single cell is used even for exact policies, because otherwise every attempt would read a row of hundreds of cells.
    pub fn of_network(policy: &Policy, times: u32) -> Self {
        match policy {
            Policy::Exact(exact) => {
                let attempts = u32::from(exact.attempts).saturating_mul(times);
                Self::gcra(attempts, exact.per_seconds, attempts)
            }
            Policy::Gcra(gcra) => {
                Self::gcra(gcra.burst.saturating_mul(times), gcra.per_seconds, gcra.cells.saturating_mul(times))
            }
        }
    }

    fn gcra(burst: u32, per_seconds: u64, cells: u32) -> Self {
        Self {
            cells: 1,
            burst: NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN),
            interval: (Duration::from_secs(per_seconds) / cells.max(1)).max(Duration::from_nanos(1)),
        }
    }

    /// Returns how far ahead of the clock a cell may be and still accept an attempt.
    pub fn tolerance(&self) -> Duration {
        self.interval.saturating_mul(self.burst.get() - 1)
    }

    /// Returns how far ahead of a correct clock a cell can get, which happens if the whole burst is taken at once.
    pub fn horizon(&self) -> Duration {
        self.interval.saturating_mul(self.burst.get())
    }

    pub fn quota(&self) -> Quota {
        // The interval is never zero, so the fallback is never taken.
        Quota::with_period(self.interval)
            .map_or_else(|| Quota::per_second(self.burst), |quota| quota.allow_burst(self.burst))
    }
}

/// Converts a duration to the unit of stored timestamps.
pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
