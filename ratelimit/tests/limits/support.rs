//! Simulated clock and a table of policies.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use lantern_config::{Config, Exact, Gcra, Limits as Table, Policy};
use lantern_ratelimit::{Action, Attempt, LimitRefusal, Limits, RetryAfter, TimeSource};

pub const SECOND: u64 = 1_000_000_000;
/// Arbitrary time in 2026.
pub const START: u64 = 1_790_000_000 * SECOND;

pub struct FakeTime(AtomicU64);

impl FakeTime {
    pub fn new() -> Arc<Self> {
        Arc::new(Self(AtomicU64::new(START)))
    }
    pub fn forward(&self, seconds: u64) {
        self.0.fetch_add(seconds * SECOND, Ordering::SeqCst);
    }
    pub fn back(&self, seconds: u64) {
        self.0.fetch_sub(seconds * SECOND, Ordering::SeqCst);
    }
}

impl TimeSource for FakeTime {
    fn unix_nanos(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Returns the table of policies. Searches: 5 at once, then one every 10 s. Suggestions: 2 at once, then one per second. Computation: 1000
/// at once, then 100 per second. Comments: 5 in 10 minutes. A member's other actions: 3 at once, then one every 100 s.
pub fn table() -> Table {
    let policy = |burst, per_seconds, cells| Policy::Gcra(Gcra { burst, per_seconds, cells, exempt_loopback: true });
    let comment = Policy::Exact(Exact { attempts: 5, per_seconds: 600 });
    Table {
        search: policy(5, 50, 5),
        suggest: policy(2, 1, 1),
        compute: policy(1000, 10, 1000),
        comment,
        act: policy(3, 100, 1),
        ..Config::default().limits
    }
}

pub fn open(path: &Path, time: &Arc<FakeTime>) -> Limits {
    let time: Arc<dyn TimeSource> = Arc::<FakeTime>::clone(time);
    Limits::open(path, &table(), &time).unwrap()
}

pub fn tracked(limits: &Limits, action: Action) -> usize {
    limits.figures().find(|figures| figures.action == action).unwrap().tracked
}

/// Returns the wait of a rejected attempt.
pub fn wait<T>(refused: Result<T, LimitRefusal>) -> Duration {
    match refused {
        Err(LimitRefusal::Wait(RetryAfter(wait))) => wait,
        Err(LimitRefusal::Store(error)) => panic!("{error}"),
        Ok(_) => panic!("accepted"),
    }
}

/// Returns the accepted attempt, or the wait of a rejected one.
pub fn outcome(answer: Result<Attempt, LimitRefusal>) -> Result<Attempt, Duration> {
    match answer {
        Ok(taken) => Ok(taken),
        Err(LimitRefusal::Wait(RetryAfter(wait))) => Err(wait),
        Err(LimitRefusal::Store(error)) => panic!("{error}"),
    }
}

/// Copies files in their current state, which is what a killed process leaves behind.
pub fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
