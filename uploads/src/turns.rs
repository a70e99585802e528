//! Lets only one request at a time append to an upload: the latest one. A client that lost its connection resumes in a new request while
//! the server is still waiting for data from the old one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

/// Uploads to which requests in this process are appending. A clone is another handle.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<String, Queue>>>);

#[derive(Default)]
struct Queue {
    latest: CancellationToken,
    turn: Arc<tokio::sync::Mutex<()>>,
    requests: usize,
}

/// A request's entry in the queue, which is removed when dropped.
struct TakenTurn {
    turns: Turns,
    upload: String,
}

/// Exclusive right to append, which lasts until it is dropped.
pub struct Turn {
    replaced: CancellationToken,
    _turn: OwnedMutexGuard<()>,
    // This is dropped after the guard, so that an absent queue means that no request is appending.
    _place: TakenTurn,
}

impl Turns {
    /// Stops the request that is appending to this upload, and waits until it has ended.
    pub async fn take(&self, upload: &str) -> Turn {
        let replaced = CancellationToken::new();
        let (turn, place) = {
            let mut queues = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let queue = queues.entry(upload.to_owned()).or_default();
            std::mem::replace(&mut queue.latest, replaced.clone()).cancel();
            queue.requests += 1;
            (Arc::clone(&queue.turn), TakenTurn { turns: self.clone(), upload: upload.to_owned() })
        };
        Turn { _turn: turn.lock_owned().await, replaced, _place: place }
    }
}

impl Turn {
    /// Completes when a later request wants to append.
    pub async fn replaced(&self) {
        self.replaced.cancelled().await;
    }
}

impl Drop for TakenTurn {
    fn drop(&mut self) {
        let mut queues = self.turns.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(queue) = queues.get_mut(&self.upload) {
            queue.requests -= 1;
            if queue.requests == 0 {
                queues.remove(&self.upload);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Turns;

    #[tokio::test]
    async fn latest_request_replaces_the_previous_one() {
        let turns = Turns::default();
        let first = turns.take("film").await;
        let other = turns.take("another").await;
        let second = tokio::spawn({
            let turns = turns.clone();
            async move { turns.take("film").await }
        });
        first.replaced().await;
        assert!(!second.is_finished(), "it waits until the first has ended");
        drop(first);
        let second = second.await.unwrap();
        drop((second, other));
        assert!(turns.0.lock().unwrap().is_empty(), "finished requests leave no entry");
    }
}
