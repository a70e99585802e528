//! One request at a time appends to an upload, the latest: a client that lost its line doesn't know that the server still waits for
//! what it was sending, and goes on in another request.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;
use tokio_util::sync::CancellationToken;

/// The uploads to which requests of this process append; a clone is another handle to the same ones.
#[derive(Clone, Default)]
pub struct Turns(Arc<Mutex<HashMap<String, Queue>>>);

#[derive(Default)]
struct Queue {
    latest: CancellationToken,
    turn: Arc<tokio::sync::Mutex<()>>,
    requests: usize,
}

/// A request's place, given up when dropped.
struct TakenTurn {
    turns: Turns,
    upload: String,
}

/// The right to append, until it is dropped.
pub struct Turn {
    replaced: CancellationToken,
    _turn: OwnedMutexGuard<()>,
    // After the guard, so that whoever finds no queue finds nobody at work either.
    _place: TakenTurn,
}

impl Turns {
    /// Asks whoever appends to this upload to end, and waits until it has.
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
    /// Ends when a later request wants to append.
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
    async fn the_latest_request_goes_on_where_the_one_before_ended() {
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
        assert!(turns.0.lock().unwrap().is_empty(), "nothing is kept of who is done");
    }
}
