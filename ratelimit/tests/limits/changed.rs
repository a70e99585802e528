//! Tests policies that are changed between two starts, while the store holds attempts that were counted under the old ones.

use std::{path::Path, sync::Arc, time::Duration};

use lantern_config::{Exact, Gcra, Policy};
use lantern_ratelimit::{Action, Key, Limits, TimeSource};

use crate::support::{FakeTime, table, tracked, wait};

const MEMBER: i64 = 7;

/// Opens the store with another policy for comments.
fn open(path: &Path, time: &Arc<FakeTime>, comment: Policy) -> Limits {
    let time: Arc<dyn TimeSource> = Arc::<FakeTime>::clone(time);
    Limits::open(path, &lantern_config::Limits { comment, ..table() }, &time).unwrap()
}

const fn exact(attempts: u16, per_seconds: u64) -> Policy {
    Policy::Exact(Exact { attempts, per_seconds })
}

/// A burst, then one attempt every ten seconds.
const fn burst(burst: u32) -> Policy {
    Policy::Gcra(Gcra { burst, per_seconds: 10, cells: 1, exempt_loopback: false })
}

/// Takes all free slots. Returns their number, and the wait for the next one.
async fn exhaust(limits: &Limits) -> (usize, Duration) {
    let key = Key::member(MEMBER);
    for taken in 0.. {
        let attempt = limits.take(Action::Comment, &key).await;
        if attempt.is_err() {
            return (taken, wait(attempt));
        }
        assert!(taken < 100, "no limit");
    }
    unreachable!()
}

/// Takes all slots under `before`, one every ten seconds, and restarts with `after`. Returns what is free then, and the
/// wait for the next slot.
async fn restarted(before: Policy, after: Policy) -> (usize, u64, Limits, Arc<FakeTime>, tempfile::TempDir) {
    let (folder, time) = (tempfile::tempdir().unwrap(), FakeTime::new());
    let spreads = matches!(before, Policy::Exact(_));
    let limits = open(folder.path(), &time, before);
    while limits.take(Action::Comment, &Key::member(MEMBER)).await.is_ok() {
        if spreads {
            time.forward(10);
        }
    }
    limits.flush().await.unwrap();
    drop(limits);
    let limits = open(folder.path(), &time, after);
    assert_eq!(tracked(&limits, Action::Comment), 1);
    let (free, wait) = exhaust(&limits).await;
    (free, wait.as_secs(), limits, time, folder)
}

#[tokio::test]
async fn lowered_limit_counts_the_latest_attempts() {
    // The attempts were made 50, 40, 30, 20 and 10 seconds ago.
    let (free, wait, limits, time, _folder) = restarted(exact(5, 600), exact(2, 600)).await;
    assert_eq!((free, wait), (0, 580));
    time.forward(580);
    assert_eq!(exhaust(&limits).await, (1, Duration::from_secs(10)));
    time.forward(600);
    assert_eq!(exhaust(&limits).await, (2, Duration::from_secs(600)), "the new limit applies");
}

#[tokio::test]
async fn raised_limit_allows_the_additional_attempts_at_once() {
    let (free, wait, ..) = restarted(exact(5, 600), exact(9, 600)).await;
    assert_eq!((free, wait), (4, 550));
}

#[tokio::test]
async fn changed_window_limits_the_wait() {
    let (free, wait, limits, time, _folder) = restarted(exact(5, 600), exact(5, 60)).await;
    assert_eq!((free, wait), (0, 60), "nobody waits longer than the new window");
    time.forward(60);
    assert_eq!(exhaust(&limits).await, (5, Duration::from_secs(60)));
    // Attempts of the past expire as announced, even if the new window is longer.
    let (free, wait, limits, time, _folder) = restarted(exact(5, 600), exact(5, 6000)).await;
    assert_eq!((free, wait), (0, 550));
    time.forward(600);
    assert_eq!(exhaust(&limits).await, (5, Duration::from_secs(6000)));
}

#[tokio::test]
async fn changed_burst_applies_to_stored_attempts() {
    let (free, wait, ..) = restarted(burst(5), burst(2)).await;
    assert_eq!((free, wait), (0, 10), "not the forty seconds after which the old burst would be below the new one");
    let (free, wait, ..) = restarted(burst(5), burst(8)).await;
    assert_eq!((free, wait), (3, 10));
}

#[tokio::test]
async fn policy_can_change_its_kind() {
    let (free, wait, limits, time, _folder) = restarted(exact(5, 600), burst(3)).await;
    assert_eq!((free, wait), (0, 10));
    time.forward(30);
    assert_eq!(exhaust(&limits).await, (3, Duration::from_secs(10)));
    limits.clear(Action::Comment, &Key::member(MEMBER)).await.unwrap();
    let (free, wait, limits, time, _folder) = restarted(burst(5), exact(2, 60)).await;
    assert_eq!((free, wait), (1, 50));
    time.forward(60);
    assert_eq!(exhaust(&limits).await.0, 2);
    assert_eq!(limits.sweep().await.unwrap(), 0, "recent rows are kept");
}
