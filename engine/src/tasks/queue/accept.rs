//! Accepts new tasks.

use std::sync::Arc;
use std::time::Instant;

use bytes::Bytes;
use milli_core::heed;
use time::OffsetDateTime;

use super::super::{Kind, NewTask, Status, Task, TaskId};
use super::{Queue, State, TaskRefusal};
use crate::index::failure;
use crate::sync::lock;

/// Fraction of the map (an eighth) that stays free, so that outcomes can be recorded when the queue is full.
const RESERVE: u64 = 8;

/// A task and its payload.
struct Entry {
    task: Task,
    payload: Option<Bytes>,
}

impl Queue {
    /// Stores `new` durably, in order, and returns a result for each.
    pub fn accept(&self, new: Vec<NewTask>) -> Vec<Result<Task, TaskRefusal>> {
        let mut next_uid = lock(&self.next_uid);
        let answers = self.admit(*next_uid, new);
        let stored = self.store(answers.iter().flatten()).or_else(|error| match error {
            heed::Error::Mdb(heed::MdbError::MapFull) => {
                self.reclaim_freed_pages()?;
                self.store(answers.iter().flatten())
            }
            other => Err(other),
        });
        let answers: Vec<_> = match stored {
            Ok(()) => answers.into_iter().map(|answer| answer.map(|entry| entry.task)).collect(),
            // The tasks may exceed the free space only together.
            Err(heed::Error::Mdb(heed::MdbError::MapFull)) if answers.len() > 1 => self.store_each(*next_uid, answers),
            Err(error) => {
                let error = Arc::new(failure::clear_store_error(error, &self.folder));
                answers
                    .into_iter()
                    .map(|answer| answer.and_then(|_| Err(TaskRefusal::Store(Arc::clone(&error)))))
                    .collect()
            }
        };
        *next_uid += TaskId::try_from(answers.iter().flatten().count()).unwrap_or(TaskId::MAX);
        self.enlist(answers.iter().flatten());
        answers
    }

    /// Stores the entries one by one, with numbers starting at `uid`.
    fn store_each(&self, mut uid: TaskId, entries: Vec<Result<Entry, TaskRefusal>>) -> Vec<Result<Task, TaskRefusal>> {
        let mut store = |mut entry: Entry| {
            entry.task.uid = uid;
            self.store(std::iter::once(&entry))
                .map_err(|error| TaskRefusal::Store(Arc::new(failure::clear_store_error(error, &self.folder))))?;
            uid += 1;
            Ok(entry.task)
        };
        entries.into_iter().map(|entry| entry.and_then(&mut store)).collect()
    }

    /// Assigns numbers, starting at `uid`, to as many of `new` as there is room for.
    fn admit(&self, mut uid: TaskId, new: Vec<NewTask>) -> Vec<Result<Entry, TaskRefusal>> {
        let state = lock(&self.state);
        let (mut waiting, mut bytes) = (state.waiting.len(), state.waiting_bytes);
        let stopped = state.stop;
        drop(state);
        let mut admit = |new: NewTask| {
            let size = new.payload.as_ref().map_or(0, Bytes::len);
            let room = waiting < self.caps.waiting_tasks && bytes.saturating_add(size) <= self.caps.waiting_bytes;
            if stopped {
                return Err(TaskRefusal::Closed);
            }
            if !room {
                return Err(TaskRefusal::Full(waiting));
            }
            let task = enqueued(uid, new.index_uid, new.kind, size);
            (uid, waiting, bytes) = (uid + 1, waiting + 1, bytes + size);
            Ok(Entry { task, payload: new.payload })
        };
        new.into_iter().map(&mut admit).collect()
    }

    fn store<'e>(&self, entries: impl Iterator<Item = &'e Entry> + Clone) -> heed::Result<()> {
        if entries.clone().next().is_none() {
            return Ok(());
        }
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        for Entry { task, payload } in entries.clone() {
            self.tasks.put(&mut txn, &task.uid, task)?;
            if let Some(payload) = payload {
                self.payloads.put(&mut txn, &task.uid, payload)?;
            }
        }
        self.check_reserve(entries.map(|entry| entry.task.payload_bytes as u64).sum())?;
        txn.commit()
    }

    /// Commits a transaction, because pages that one transaction frees only become available to the second one after it. A refused task
    /// commits nothing, so the space freed by the last outcome would otherwise stay unavailable.
    fn reclaim_freed_pages(&self) -> heed::Result<()> {
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        self.payloads.put(&mut txn, &TaskId::MAX, &[])?;
        self.payloads.delete(&mut txn, &TaskId::MAX)?;
        txn.commit()
    }

    /// Returns the error for a full map if less than the reserve would remain free after `coming` more bytes.
    fn check_reserve(&self, coming: u64) -> heed::Result<()> {
        let env = self.env()?;
        let size = env.info().map_size as u64;
        let limit = (size - size / RESERVE).saturating_sub(coming);
        // Deleted payloads leave free pages, which only the second, more expensive figure includes.
        if env.real_disk_size()? > limit && env.non_free_pages_size()? > limit {
            return Err(heed::Error::Mdb(heed::MdbError::MapFull));
        }
        Ok(())
    }

    fn enlist<'t>(&self, tasks: impl Iterator<Item = &'t Task>) {
        let mut state = lock(&self.state);
        for task in tasks {
            state.waiting_bytes += task.payload_bytes;
            state.burst_at = state.continues_burst(task).then(Instant::now);
            state.waiting.push_back(task.clone());
        }
        let asleep = state.asleep;
        drop(state);
        if asleep {
            self.changed.notify_all();
        }
    }
}

impl State {
    /// Returns whether the previous task belongs to the same index and is unfinished, which means that the client doesn't wait for
    /// outcomes.
    fn continues_burst(&self, task: &Task) -> bool {
        let last = self.waiting.back().map(|before| &before.index_uid);
        last.or_else(|| self.running.as_ref().map(|running| &running.index_uid)) == Some(&task.index_uid)
    }
}

fn enqueued(uid: TaskId, index_uid: Option<String>, kind: Kind, payload_bytes: usize) -> Task {
    Task {
        uid,
        batch_uid: None,
        index_uid,
        status: Status::Enqueued,
        kind,
        error: None,
        enqueued_at: OffsetDateTime::now_utc(),
        started_at: None,
        finished_at: None,
        payload_bytes,
    }
}
