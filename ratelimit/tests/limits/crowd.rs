//! Tests concurrent attempts on one node.

use std::sync::Arc;

use futures_util::future::join_all;
use lantern_ratelimit::{Action, Key, Limits};

use crate::{
    oracle::MOST,
    support::{FakeTime, copy_folder, open, outcome},
};

/// Attempts a comment by each of `members` concurrently. Returns how many were accepted.
async fn accepted_comments(limits: &Arc<Limits>, members: impl Iterator<Item = i64>) -> usize {
    let takers = members.map(|id| {
        let limits = Arc::clone(limits);
        tokio::spawn(async move { outcome(limits.take(Action::Comment, &Key::member(id)).await).is_ok() })
    });
    join_all(takers).await.into_iter().filter(|joined| *joined.as_ref().unwrap()).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_attempts_get_exactly_the_available_slots() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Arc::new(open(dir.path(), &FakeTime::new()));
    for id in 0..20 {
        assert_eq!(accepted_comments(&limits, std::iter::repeat_n(id, 64)).await, MOST);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrently_accepted_attempts_survive_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let store = dir.path().join("limits");
    let time = FakeTime::new();
    let limits = Arc::new(open(&store, &time));
    // The attempts come in waves that each end with a kill, so that one wave's flush cannot be mistaken for the next one's.
    for wave in 1..=10 {
        let members = (wave - 1) * 20..wave * 20;
        let attempts = members.flat_map(|id| std::iter::repeat_n(id, MOST));
        assert_eq!(accepted_comments(&limits, attempts.clone()).await, attempts.count());
        let copy = dir.path().join(format!("copy-{wave}"));
        copy_folder(&store, &copy);
        assert_eq!(accepted_comments(&Arc::new(open(&copy, &time)), 0..wave * 20).await, 0, "wave {wave}");
    }
}
