//! Taking new tasks in.

use std::sync::Arc;
use std::time::Instant;

use milli_core::heed::{self, RwTxn};
use time::OffsetDateTime;

use super::super::journal::Entry;
use super::super::{Kind, NewTask, Status, Task, TaskId};
use super::{Door, EPOCH, Queue, Refused, State, TASK};
use crate::index::failure;
use crate::sync::lock;

/// Share of the map that stays free, so that outcomes can be recorded and tasks deleted when it is full: an eighth.
const RESERVE: u64 = 8;

/// Where accepted tasks were stored.
enum Stored {
    Journal,
    Lmdb,
}

impl Queue {
    /// Stores `new` durably, in order. Each gets its own answer; none is stored when storing fails.
    pub fn accept(&self, new: Vec<NewTask>) -> Vec<Result<Task, Refused>> {
        let mut door = lock(&self.door);
        let answers = self.admit(door.next_uid, new);
        let entries: Vec<Entry> = answers.iter().flatten().cloned().collect();
        if entries.is_empty() {
            return answers.into_iter().map(|answer| answer.map(|entry| entry.task)).collect();
        }
        match self.store(&mut door, &entries) {
            Ok(stored) => {
                door.next_uid += TaskId::try_from(entries.len()).unwrap_or(TaskId::MAX);
                self.enlist(entries, &stored);
                answers.into_iter().map(|answer| answer.map(|entry| entry.task)).collect()
            }
            Err(error) => {
                let error = Arc::new(failure::clear_store_error(error, &self.folder));
                let refuse = |_| Err(Refused::Store(Arc::clone(&error)));
                answers.into_iter().map(|answer| answer.and_then(refuse)).collect()
            }
        }
    }

    /// Gives numbers from `uid` on to as many of `new` as there is room for.
    fn admit(&self, mut uid: TaskId, new: Vec<NewTask>) -> Vec<Result<Entry, Refused>> {
        let state = lock(&self.state);
        let (mut waiting, mut bytes) = (state.waiting.len(), state.waiting_bytes);
        let stopped = state.stop;
        drop(state);
        let mut admit = |new: NewTask| {
            let size = new.payload.as_ref().map_or(0, bytes::Bytes::len);
            let room = waiting < self.caps.waiting_tasks && bytes.saturating_add(size) <= self.caps.waiting_bytes;
            if stopped {
                return Err(Refused::Closed);
            }
            if !room && !empties(&new.kind) {
                return Err(Refused::Full(waiting));
            }
            let task = enqueued(uid, new.index_uid, new.kind, size);
            (uid, waiting, bytes) = (uid + 1, waiting + 1, bytes + size);
            Ok(Entry { task, payload: new.payload })
        };
        new.into_iter().map(&mut admit).collect()
    }

    fn store(&self, door: &mut Door, entries: &[Entry]) -> heed::Result<Stored> {
        if door.journal.append(entries)? {
            return Ok(Stored::Journal);
        }
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        self.save_all(&mut txn, door)?;
        entries.iter().try_for_each(|entry| self.save(&mut txn, entry))?;
        let last = entries.last().map_or(door.next_uid, |entry| entry.task.uid + 1);
        self.counters.put(&mut txn, TASK, &last)?;
        if !entries.iter().all(|entry| empties(&entry.task.kind)) {
            self.leave_reserve(entries.iter().map(|entry| entry.task.payload_bytes as u64).sum())?;
        }
        txn.commit()?;
        self.saved_all(door);
        Ok(Stored::Lmdb)
    }

    /// Fails as a full map does when less than the reserve would be free after `coming` more bytes.
    fn leave_reserve(&self, coming: u64) -> heed::Result<()> {
        let env = self.env()?;
        let size = env.info().map_size as u64;
        let limit = (size - size / RESERVE).saturating_sub(coming);
        // Deleted payloads leave free pages, which only the second, dearer figure knows.
        if env.real_disk_size()? > limit && env.non_free_pages_size()? > limit {
            return Err(heed::Error::Mdb(heed::MdbError::MapFull));
        }
        Ok(())
    }

    /// Puts what the journal alone has into LMDB and begins the journal's next epoch, all in `txn`; after the commit,
    /// [`Queue::saved_all`] must follow.
    pub(super) fn save_all(&self, txn: &mut RwTxn<'_>, door: &Door) -> heed::Result<()> {
        let unsaved = Arc::clone(&lock(&self.state).unsaved);
        for (uid, entry) in unsaved.iter() {
            // A task may be finished already and leave memory only after this.
            if self.tasks.get(txn, uid)?.is_none() {
                self.save(txn, entry)?;
            }
        }
        self.counters.put(txn, TASK, &door.next_uid)?;
        self.counters.put(txn, EPOCH, &(door.journal.epoch() + 1))
    }

    pub(super) fn saved_all(&self, door: &mut Door) {
        lock(&self.state).unsaved = Arc::default();
        door.journal.next_epoch();
    }

    fn save(&self, txn: &mut RwTxn<'_>, entry: &Entry) -> heed::Result<()> {
        self.tasks.put(txn, &entry.task.uid, &entry.task)?;
        entry.payload.as_ref().map_or(Ok(()), |payload| self.payloads.put(txn, &entry.task.uid, payload))
    }

    fn enlist(&self, entries: Vec<Entry>, stored: &Stored) {
        let mut state = lock(&self.state);
        for entry in entries {
            state.waiting_bytes += entry.task.payload_bytes;
            state.crowded_at = state.crowds(&entry.task).then(Instant::now);
            state.waiting.push_back(entry.task.clone());
            if matches!(stored, Stored::Journal) {
                Arc::make_mut(&mut state.unsaved).insert(entry.task.uid, Arc::new(entry));
            }
        }
        let asleep = state.asleep;
        drop(state);
        if asleep {
            self.changed.notify_all();
        }
    }
}

impl State {
    /// Whether the task before `task` is of the same index and unfinished: its client doesn't wait for outcomes.
    fn crowds(&self, task: &Task) -> bool {
        let last = self.waiting.back().map(|before| &before.index_uid);
        last.or_else(|| self.running.as_ref().map(|running| &running.index_uid)) == Some(&task.index_uid)
    }
}

/// Tasks that get through a full queue: they are what empties it.
fn empties(kind: &Kind) -> bool {
    matches!(kind, Kind::TaskCancelation { .. } | Kind::TaskDeletion { .. })
}

fn enqueued(uid: TaskId, index_uid: Option<String>, kind: Kind, payload_bytes: usize) -> Task {
    Task {
        uid,
        batch_uid: None,
        index_uid,
        status: Status::Enqueued,
        kind,
        canceled_by: None,
        error: None,
        enqueued_at: OffsetDateTime::now_utc(),
        started_at: None,
        finished_at: None,
        payload_bytes,
    }
}
