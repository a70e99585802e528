//! The door of the queue: one thread that stores tasks arriving together with one sync to disk.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use tokio::sync::oneshot;

use super::queue::{Queue, TaskRefusal};
use super::{NewTask, Task};
use crate::sync::lock;

type Request = (NewTask, oneshot::Sender<Result<Task, TaskRefusal>>);

/// Most tasks stored with one sync.
const GROUP: usize = 1000;

/// Hands new tasks to the storing thread.
pub struct Intake {
    sender: Mutex<Option<Sender<Request>>>,
}

impl Intake {
    /// Starts the thread; it ends when the intake is closed.
    pub fn start(queue: Arc<Queue>) -> std::io::Result<(Self, JoinHandle<()>)> {
        let (sender, receiver) = channel();
        let thread =
            std::thread::Builder::new().name("engine-intake".into()).spawn(move || store(&queue, &receiver))?;
        Ok((Self { sender: Mutex::new(Some(sender)) }, thread))
    }

    /// Stores `new`; when this answers with a task, the task survives a crash.
    pub async fn accept(&self, new: NewTask) -> Result<Task, TaskRefusal> {
        let (answer, answered) = oneshot::channel();
        let sender = lock(&self.sender).clone().ok_or(TaskRefusal::Closed)?;
        sender.send((new, answer)).map_err(|_| TaskRefusal::Closed)?;
        drop(sender);
        answered.await.map_err(|_| TaskRefusal::Closed)?
    }

    /// Lets the thread end once it has answered everyone.
    pub fn close(&self) {
        lock(&self.sender).take();
    }
}

fn store(queue: &Queue, requests: &Receiver<Request>) {
    while let Ok(first) = requests.recv() {
        let (new, waiting): (Vec<_>, Vec<_>) =
            std::iter::once(first).chain(requests.try_iter().take(GROUP - 1)).unzip();
        for (answer, waiting) in queue.accept(new).into_iter().zip(waiting) {
            // A client that went away doesn't take its task back.
            drop(waiting.send(answer));
        }
    }
}
