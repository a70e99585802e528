//! The clock governor reads, on wall time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{SystemTime, UNIX_EPOCH},
};

use governor::{clock::Clock, nanos::Nanos};

/// Where the time comes from; tests pass their own.
pub trait TimeSource: Send + Sync {
    /// Nanoseconds since 1970.
    fn unix_nanos(&self) -> u64;
}

/// The machine's wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl TimeSource for SystemClock {
    fn unix_nanos(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        // A clock before 1970 reads as 1970; u64 nanoseconds last until 2554.
        since.map_or(0, |d| u64::try_from(d.as_nanos()).unwrap_or(u64::MAX))
    }
}

/// A wall clock whose first answer is 1970.
///
/// governor stores times relative to the answer it gets when the limiter is made. With that
/// answer fixed, what was stored before a restart still means the same moment after it.
pub(crate) struct WallClock {
    source: Arc<dyn TimeSource>,
    origin_given: AtomicBool,
}

impl WallClock {
    pub(crate) fn new(source: Arc<dyn TimeSource>) -> Self {
        Self { source, origin_given: AtomicBool::new(false) }
    }
}

impl Clock for WallClock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        if self.origin_given.swap(true, Ordering::Relaxed) {
            Nanos::from(self.source.unix_nanos())
        } else {
            Nanos::from(0)
        }
    }
}
