//! Looking at tasks.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::Arc;

use milli_core::heed::{self, RoTxn, WithoutTls};

use super::super::journal::Entry;
use super::super::{Status, Task, TaskId};
use super::{Queue, Running};
use crate::sync::lock;

/// The tasks of one moment: those of LMDB, and those that were unsaved just before. A task that moved in between is in
/// both, and LMDB knows better.
pub struct Snapshot {
    unsaved: Arc<BTreeMap<TaskId, Arc<Entry>>>,
    txn: RoTxn<'static, WithoutTls>,
}

impl Deref for Snapshot {
    type Target = RoTxn<'static, WithoutTls>;

    fn deref(&self) -> &Self::Target {
        &self.txn
    }
}

impl Queue {
    /// The queue as it is now.
    pub fn read(&self) -> heed::Result<Snapshot> {
        let unsaved = Arc::clone(&lock(&self.state).unsaved);
        Ok(Snapshot { unsaved, txn: self.env()?.static_read_txn()? })
    }

    /// The task `uid`.
    pub fn task(&self, at: &Snapshot, uid: TaskId) -> heed::Result<Option<Task>> {
        let running = self.running();
        let saved = self.tasks.get(at, &uid)?;
        let task = saved.or_else(|| at.unsaved.get(&uid).map(|entry| entry.task.clone()));
        Ok(task.map(|task| mark_running(task, running.as_ref())))
    }

    /// Tasks from the newest (or the oldest, with `oldest_first`).
    pub fn all<'t>(
        &self,
        at: &'t Snapshot,
        oldest_first: bool,
    ) -> heed::Result<Box<dyn Iterator<Item = heed::Result<Task>> + 't>> {
        let running = self.running();
        let view = move |task: heed::Result<Task>| task.map(|task| mark_running(task, running.as_ref()));
        let unsaved = at.unsaved.values().map(|entry| &entry.task);
        Ok(if oldest_first {
            let saved = self.tasks.iter(at)?.map(|entry| entry.map(|(_, task)| task));
            Box::new(merged(saved, unsaved, |a, b| a < b).map(view))
        } else {
            let saved = self.tasks.rev_iter(at)?.map(|entry| entry.map(|(_, task)| task));
            Box::new(merged(saved, unsaved.rev(), |a, b| a > b).map(view))
        })
    }

    /// How many tasks there are.
    pub fn len(&self, at: &Snapshot) -> heed::Result<u64> {
        let mut count = self.tasks.len(at)?;
        for uid in at.unsaved.keys() {
            count += u64::from(self.tasks.remap_data_type::<heed::types::DecodeIgnore>().get(at, uid)?.is_none());
        }
        Ok(count)
    }

    /// The payload of a waiting task.
    pub fn payload<'t>(&self, at: &'t Snapshot, uid: TaskId) -> heed::Result<Option<&'t [u8]>> {
        match at.unsaved.get(&uid) {
            Some(entry) => Ok(entry.payload.as_deref()),
            None => self.payloads.get(at, &uid),
        }
    }
}

/// Both lists in the order of `before`; where both have a task, the saved one.
fn merged<'t>(
    saved: impl Iterator<Item = heed::Result<Task>> + 't,
    unsaved: impl Iterator<Item = &'t Task> + 't,
    before: fn(TaskId, TaskId) -> bool,
) -> impl Iterator<Item = heed::Result<Task>> + 't {
    let (mut saved, mut unsaved) = (saved.peekable(), unsaved.peekable());
    std::iter::from_fn(move || {
        let Some(waiting) = unsaved.peek() else { return saved.next() };
        match saved.peek() {
            Some(Ok(task)) if task.uid == waiting.uid => {
                unsaved.next();
                saved.next()
            }
            Some(Ok(task)) if before(task.uid, waiting.uid) => saved.next(),
            Some(Err(_)) => saved.next(),
            _ => unsaved.next().map(|task| Ok(task.clone())),
        }
    })
}

/// The disk says "enqueued" until a batch is done; who is in the running batch is known in memory only.
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
