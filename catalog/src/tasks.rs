//! What runs beside the requests: tasks that wait for messages of the state's handles.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::sync::{Mutex, mpsc};

/// A task that ends when the state does, and can be run again should it end earlier. A clone is the same task.
#[derive(Clone)]
pub struct Task {
    /// Its name among the roles of the process.
    pub name: &'static str,
    run: Arc<dyn Fn() -> BoxFuture<'static, ()> + Send + Sync>,
}

impl Task {
    /// `run` on `worker` with the messages it gets. Those that wait outlive a panic.
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

    /// Runs it, inside a tokio runtime.
    pub async fn run(&self) {
        (self.run)().await;
    }
}

/// The tasks of a state.
#[must_use]
pub struct Tasks(pub Vec<Task>);

impl Tasks {
    /// Runs them without supervision, inside a tokio runtime.
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
    async fn a_task_that_panicked_goes_on_with_the_next_message() {
        let (sender, messages) = mpsc::channel(2);
        let (done, mut heard) = mpsc::channel(2);
        let task = Task::new("test", done, messages, |done, messages| {
            Box::pin(async move {
                while let Some(number) = messages.recv().await {
                    assert!(number != 1, "the first message is poison");
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
        assert_eq!(heard.recv().await, Some(2));
    }
}
