//! Entry to the queue. One thread stores all tasks that arrive at the same time, with a single sync to disk.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use super::queue::{Queue, TaskRefusal};
use super::{NewTask, Task};
use crate::sync::lock;

type Request = (NewTask, oneshot::Sender<Result<Task, TaskRefusal>>);

/// Maximum number of tasks per sync.
const GROUP: usize = 1000;

/// Passes new tasks to the storing thread.
pub struct Intake {
    sender: Mutex<Option<Sender<Request>>>,
}

impl Intake {
    /// Starts the thread, which ends when the intake is closed.
    pub fn start(queue: Arc<Queue>) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (sender, receiver) = channel();
        let thread =
            std::thread::Builder::new().name("engine-intake".into()).spawn(move || store(&queue, &receiver))?;
        Ok((Self { sender: Mutex::new(Some(sender)) }, thread))
    }

    /// Stores `new`. Once this has returned the task, the task survives a crash.
    pub async fn accept(&self, new: NewTask) -> Result<Task, TaskRefusal> {
        let (answer, answered) = oneshot::channel();
        let sender = lock(&self.sender).clone().ok_or(TaskRefusal::Closed)?;
        sender.send((new, answer)).map_err(|_| TaskRefusal::Closed)?;
        drop(sender);
        answered.await.map_err(|_| TaskRefusal::Closed)?
    }

    /// Closes the intake. The thread ends after it has answered all requests.
    pub fn close(&self) {
        lock(&self.sender).take();
    }
}

fn store(queue: &Queue, requests: &Receiver<Request>) {
    while let Ok(first) = requests.recv() {
        let (new, waiting): (Vec<_>, Vec<_>) =
            std::iter::once(first).chain(requests.try_iter().take(GROUP - 1)).unzip();
        for (answer, waiting) in queue.accept(new).into_iter().zip(waiting) {
            // The task stays in the queue even if its client has disconnected.
            drop(waiting.send(answer));
        }
    }
}
