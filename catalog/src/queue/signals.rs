//! Signals to the task of a queue.

use tokio::sync::{mpsc, oneshot};

/// Capacity of the channel.
const SIGNALS: usize = 16;

/// Message to [`Queue::run`].
#[derive(Debug)]
pub enum Signal {
    /// Starts a round now instead of after [`Queue::poll`].
    Wake,
    /// Like `Wake`. Acknowledged once every due job has been attempted, or in an outage.
    Flush(oneshot::Sender<()>),
}

/// Sends signals. The queue's task ends when all clones are dropped.
#[derive(Debug, Clone)]
pub struct Signals(mpsc::Sender<Signal>);

/// The task of the queue has ended.
#[derive(Debug, thiserror::Error)]
#[error("the task of the queue has ended")]
pub struct TaskEnded;

/// Creates a channel for signals.
#[must_use]
pub fn signals() -> (Signals, mpsc::Receiver<Signal>) {
    let (sender, receiver) = mpsc::channel(SIGNALS);
    (Signals(sender), receiver)
}

impl Signals {
    /// Starts a round.
    pub fn wake(&self) {
        // A full channel already holds a wake-up.
        let _ = self.0.try_send(Signal::Wake);
    }

    /// Waits until every due job has been attempted. Stops early in an outage.
    ///
    /// # Errors
    /// The task panicked or has ended.
    pub async fn flush(&self) -> Result<(), TaskEnded> {
        let (done, flushed) = oneshot::channel();
        self.0.send(Signal::Flush(done)).await.map_err(|_| TaskEnded)?;
        flushed.await.map_err(|_| TaskEnded)
    }
}
