//! Background tasks, which process messages sent through the handles of the state.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::{Mutex, mpsc};

/// A task that can be restarted, and ends when the state is dropped. Clones share the same task.
#[derive(Clone)]
pub struct Task {
    /// Name of the task's role in the process.
    pub name: &'static str,
    run: Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>,
}

impl Task {
    /// Creates a task that calls `run` with `worker` and the task's message queue. Queued messages survive a panic.
    pub fn new<W: Send + Sync + 'static, M: Send + 'static>(
        name: &'static str,
        worker: W,
        messages: mpsc::Receiver<M>,
        run: impl for<'a> Fn(&'a W, &'a mut mpsc::Receiver<M>) -> BoxFuture<'a, ()> + Copy + Send + Sync + 'static,
    ) -> Self {
        let shared = Arc::new((worker, Mutex::new(messages)));
        let run = move || -> BoxFuture<'static, ()> {
            let shared = Arc::clone(&shared);
            Box::pin(async move { run(&shared.0, &mut *shared.1.lock().await).await })
        };
        Self { name, run: Arc::new(run) }
    }

    /// Runs the task until it ends. Requires a tokio runtime. A task never runs twice at the same time.
    pub async fn run(&self) {
        (self.run)().await;
    }
}

/// The background tasks of a state. The caller must run them.
#[must_use]
pub struct Tasks(pub Vec<Task>);

impl Tasks {
    /// Spawns all tasks without supervision: a task that panics is not restarted. Requires a tokio runtime.
    pub fn spawn(self) {
        for task in self.0 {
            tokio::spawn(async move { task.run().await });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn restarted_task_resumes_with_next_message_after_panic() {
        let (sender, messages) = mpsc::channel(2);
        let (done, mut received) = mpsc::channel(2);
        let task = Task::new("test", done, messages, |done, messages| {
            Box::pin(async move {
                while let Some(number) = messages.recv().await {
                    assert!(number != 1, "the first message causes a panic");
                    done.send(number).await.unwrap();
                }
            })
        });
        sender.send(1).await.unwrap();
        sender.send(2).await.unwrap();
        drop(sender);
        let first = tokio::spawn({
            let task = task.clone();
            async move { task.run().await }
        });
        assert!(first.await.unwrap_err().is_panic());
        task.run().await;
        assert_eq!(received.recv().await, Some(2));
    }
}
