//! Many takers at once on one node.

use std::sync::Arc;

use futures_util::future::join_all;
use lantern_ratelimit::{Action, Key, Limits};

use crate::{
    oracle::MOST,
    support::{FakeTime, copy_folder, open, outcome},
};

/// Attempts for comments of the members, all at once; says how many were accepted.
async fn crowd(limits: &Arc<Limits>, members: impl Iterator<Item = i64>) -> usize {
    let takers = members.map(|id| {
        let limits = Arc::clone(limits);
        tokio::spawn(async move { outcome(limits.take(Action::Comment, &Key::member(id)).await).is_ok() })
    });
    join_all(takers).await.into_iter().filter(|joined| *joined.as_ref().unwrap()).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_crowd_gets_exactly_the_slots_there_are() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Arc::new(open(dir.path(), &FakeTime::new()));
    for id in 0..20 {
        assert_eq!(crowd(&limits, std::iter::repeat_n(id, 64)).await, MOST);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_a_crowd_was_told_survives_a_kill() {
    let dir = tempfile::tempdir().unwrap();
    let (store, copy) = (dir.path().join("limits"), dir.path().join("copy"));
    let time = FakeTime::new();
    let limits = Arc::new(open(&store, &time));
    let members = 200;
    let attempts = (0..members).flat_map(|id| std::iter::repeat_n(id, MOST));
    assert_eq!(crowd(&limits, attempts.clone()).await, attempts.clone().count());
    copy_folder(&store, &copy);
    let reopened = Arc::new(open(&copy, &time));
    assert_eq!(crowd(&reopened, 0..members).await, 0);
    assert_eq!(reopened.figures().map(|row| row.tracked).sum::<usize>(), 200);
}
