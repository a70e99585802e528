//! Reads tasks.

use milli_core::heed::{self, RoTxn, WithoutTls};

use super::super::{Status, Task, TaskId};
use super::{Queue, Running};

impl Queue {
    /// Opens a snapshot of the queue.
    pub fn read(&self) -> heed::Result<RoTxn<'static, WithoutTls>> {
        self.env()?.static_read_txn()
    }

    /// Returns the task `uid`.
    pub fn task(&self, at: &RoTxn<'_>, uid: TaskId) -> heed::Result<Option<Task>> {
        let running = self.running();
        Ok(self.tasks.get(at, &uid)?.map(|task| mark_running(task, running.as_ref())))
    }

    /// Iterates over the tasks, newest first, or oldest first with `oldest_first`.
    pub fn all<'t>(
        &self,
        at: &'t RoTxn<'_>,
        oldest_first: bool,
    ) -> heed::Result<Box<dyn Iterator<Item = heed::Result<Task>> + 't>> {
        let running = self.running();
        let view =
            move |entry: heed::Result<(TaskId, Task)>| entry.map(|(_, task)| mark_running(task, running.as_ref()));
        Ok(if oldest_first {
            Box::new(self.tasks.iter(at)?.map(view))
        } else {
            Box::new(self.tasks.rev_iter(at)?.map(view))
        })
    }

    /// Returns the number of tasks.
    pub fn len(&self, at: &RoTxn<'_>) -> heed::Result<u64> {
        self.tasks.len(at)
    }

    /// Returns the payload of a waiting task.
    pub fn payload<'t>(&self, at: &'t RoTxn<'_>, uid: TaskId) -> heed::Result<Option<&'t [u8]>> {
        self.payloads.get(at, &uid)
    }
}

/// Marks a task as "processing" if it belongs to the running batch. On disk, a task stays "enqueued" until its batch is done, so the
/// running batch's tasks are known only in memory.
fn mark_running(mut task: Task, running: Option<&Running>) -> Task {
    if let Some(running) = running
        && !task.status.is_final()
        && running.uids.binary_search(&task.uid).is_ok()
    {
        task.status = Status::Processing;
        task.started_at = Some(running.started_at);
        task.batch_uid = Some(running.batch_uid);
    }
    task
}
