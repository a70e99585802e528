//! Wall-time clock for governor.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use governor::{clock::Clock, nanos::Nanos};

use crate::rule::nanos;

/// Source of time. Tests supply other implementations.
pub trait TimeSource: Send + Sync {
    /// Returns nanoseconds since 1970. The value never decreases.
    fn unix_nanos(&self) -> u64;
}

/// Wall clock read once at the start and advanced by a monotonic clock.
///
/// Wall-clock adjustments at run time are ignored, because they would shorten or lengthen all windows.
pub struct AnchoredClock<E> {
    start: u64,
    elapsed: E,
}

impl<E: Fn() -> Duration + Send + Sync> AnchoredClock<E> {
    /// Creates a clock that shows `start` (nanoseconds since 1970) plus `elapsed`.
    pub fn new(start: u64, elapsed: E) -> Self {
        Self { start, elapsed }
    }
}

impl<E: Fn() -> Duration + Send + Sync> TimeSource for AnchoredClock<E> {
    fn unix_nanos(&self) -> u64 {
        self.start.saturating_add(nanos((self.elapsed)()))
    }
}

/// Returns the system clock, anchored now.
#[must_use]
pub fn system_clock() -> Arc<dyn TimeSource> {
    // A clock that shows a time before 1970 counts as 1970. Nanoseconds fit into u64 until 2554.
    let start = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, nanos);
    let since = Instant::now();
    Arc::new(AnchoredClock::new(start, move || since.elapsed()))
}

/// Clock that never falls behind the last time recorded in the store, even if the wall clock has since been set back.
///
/// In that case the downtime counts as zero, because its length is unknown. If the wall clock was set forward, it is trusted.
pub(crate) struct ResumedClock {
    source: Arc<dyn TimeSource>,
    ahead: u64,
    tree: sled::Tree,
}

/// Key of the latest recorded time.
const LATEST: &[u8] = b"latest";

impl ResumedClock {
    pub(crate) fn open(db: &sled::Db, source: &Arc<dyn TimeSource>) -> sled::Result<Self> {
        let tree = db.open_tree("clock")?;
        let latest = tree.get(LATEST)?.and_then(|stored| Some(u64::from_be_bytes(stored.as_ref().try_into().ok()?)));
        let ahead = latest.unwrap_or(0).saturating_sub(source.unix_nanos());
        Ok(Self { source: Arc::clone(source), ahead, tree })
    }

    /// Records the current time, which becomes durable with the next flush.
    pub(crate) fn record(&self) -> sled::Result<()> {
        self.tree.insert(LATEST, &self.unix_nanos().to_be_bytes()).map(drop)
    }
}

impl TimeSource for ResumedClock {
    fn unix_nanos(&self) -> u64 {
        self.source.unix_nanos().saturating_add(self.ahead)
    }
}

/// Wall clock whose first reading is 1970.
///
/// governor stores times relative to the first reading. Fixing it keeps stored times valid across restarts.
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
