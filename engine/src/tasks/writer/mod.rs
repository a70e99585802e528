//! The one thread that writes: takes batches from the queue, applies them, records what came of them.
//!
//! A crash between the index's commit and the queue's makes a batch run again, with the same outcome: documents and settings
//! are the same when they are written twice, names of indexes, a new one's too, change with the outcome in the queue's
//! transaction, and what can't be counted twice is counted beforehand ([`Writer::count_doomed`]).

mod compact;
mod documents;
mod examine;
mod kinds;
mod record;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use milli_core as milli;
use time::OffsetDateTime;

use super::batch::Limits;
use super::queue::{Queue, Running, Work};
use super::{Status, Task};
use crate::http::error::ApiError;
use crate::index::apply::Indexer;
use crate::index::failure::Failure;
use crate::index::registry::{NamedIndex, Registry};
use crate::index::{CompactCopy, cause};

pub use compact::Compaction;

/// Everything the writer needs.
pub struct Writer {
    pub queue: Arc<Queue>,
    pub registry: Arc<Registry>,
    pub indexer: Indexer,
    pub limits: Limits,
    pub compaction: Compaction,
    /// Least time between two checks of one index that are made because of failures.
    pub suspect_pause: Duration,
}

/// What a batch changes beside tasks and documents, in the transaction that records the outcome and then for readers.
enum Also {
    Nothing,
    /// A new index gets its name.
    Add(String, NamedIndex),
    Remove(String),
    Swap(Vec<(String, String)>),
    /// The name goes to a smaller copy of its index.
    Move(String, Box<CompactCopy>),
}

/// What came of a batch.
struct BatchOutcome {
    tasks: Vec<Task>,
    also: Also,
}

/// How often a map is doubled because it may have been full.
const MAX_GUESSES: u32 = 6;

/// How long to wait before trying again when the queue itself can't be written (a full disk, say).
const QUEUE_RETRY: Duration = Duration::from_secs(1);

impl Writer {
    /// Works until the queue is stopped.
    pub fn run(&self) {
        let mut written = BTreeSet::new();
        loop {
            let idle = (!written.is_empty()).then_some(self.compaction.after);
            match self.queue.next_work(self.limits, idle) {
                Work::Stop => return,
                Work::Idle => self.compact_the_bloated(std::mem::take(&mut written)),
                Work::Suspects(uids) => uids.iter().for_each(|uid| self.examine(uid)),
                Work::Batch(running, tasks) => {
                    written.extend(running.index_uid.clone());
                    self.process(&running, tasks);
                }
            }
        }
    }

    fn process(&self, running: &Running, tasks: Vec<Task>) {
        match self.apply(running, tasks) {
            Ok(applied) => self.record(running, applied),
            Err(Failure::Aborted) => self.queue.give_back(),
            Err(failure) => {
                tracing::error!(?failure, "a batch can't be read from the queue; trying again");
                self.queue.give_back();
                std::thread::sleep(QUEUE_RETRY);
            }
        }
    }

    /// Applies a batch. `Err` is for batches to be tried again as they are: aborted, or unreadable.
    fn apply(&self, running: &Running, mut tasks: Vec<Task>) -> Result<BatchOutcome, Failure> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.apply_kind(&mut tasks)));
        let also = match outcome.map(|done| done.map_err(|failure| self.settled(failure))) {
            Ok(Ok(also)) => also,
            Ok(Err(Failure::Error(error))) => {
                self.suspect_after(&error, running);
                tasks.iter_mut().for_each(|task| fail(task, &error));
                Also::Nothing
            }
            Ok(Err(other)) => return Err(other),
            Err(_) => {
                let error = ApiError::internal(format!("the indexer panicked at tasks {:?}", running.uids));
                self.suspect_after(&error, running);
                tasks.iter_mut().for_each(|task| fail(task, &error));
                Also::Nothing
            }
        };
        let now = OffsetDateTime::now_utc();
        for task in &mut tasks {
            task.batch_uid = Some(running.batch_uid);
            task.started_at = Some(running.started_at);
            task.finished_at = Some(now);
            if task.status == Status::Enqueued {
                task.status = Status::Succeeded;
            }
        }
        Ok(BatchOutcome { tasks, also })
    }

    /// Decides what an unclear failure was that no larger map can mend.
    fn settled(&self, failure: Failure) -> Failure {
        match failure {
            Failure::Unclear(_) if cause::is_out_of_space(self.registry.folder()) => Failure::no_space(),
            Failure::Unclear(error) => {
                Failure::Error(error.unwrap_or_else(|| ApiError::internal("a write failed without a reason")))
            }
            clear => clear,
        }
    }

    fn existing(&self, uid: &str) -> Result<NamedIndex, Failure> {
        self.registry.get(uid).ok_or_else(|| Failure::Error(ApiError::index_not_found(uid)))
    }

    /// Writes to an index, or to a new one, which has no name before the outcome is recorded.
    fn in_existing_or_new(
        &self,
        uid: &str,
        write: impl FnOnce(&NamedIndex) -> Result<(), Failure>,
    ) -> Result<Also, Failure> {
        if let Some(index) = self.registry.get(uid) {
            return write(&index).map(|()| Also::Nothing);
        }
        let index = self.registry.create()?;
        match write(&index) {
            Ok(()) => Ok(Also::Add(uid.to_owned(), index)),
            Err(failure) => {
                if let Err(error) = index.slot.remove() {
                    tracing::warn!(%error, %uid, "the folder of an index that wasn't made stays until the next start");
                }
                Err(failure)
            }
        }
    }

    /// Runs `write` on the index, doubling its map as often as it is full.
    fn grown<T>(
        &self,
        index: &NamedIndex,
        mut write: impl FnMut(&milli::Index) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        index.slot.make_room()?;
        let mut guesses = 0;
        loop {
            let handle = index.slot.get().ok_or_else(|| Failure::Error(ApiError::internal("the index is closed")))?;
            let outcome = write(&handle);
            drop(handle);
            match outcome {
                Err(Failure::MapFull) => index.slot.grow()?,
                // Most likely the map is full; if it isn't by far, the transaction was.
                Err(Failure::Unclear(None)) if cause::is_out_of_space(self.registry.folder()) => {
                    return Err(Failure::no_space());
                }
                Err(Failure::Unclear(None)) if guesses < MAX_GUESSES => {
                    guesses += 1;
                    index.slot.grow()?;
                }
                Err(Failure::Unclear(None)) => return Err(Failure::TransactionFull),
                other => return other,
            }
        }
    }
}

fn fail(task: &mut Task, error: &ApiError) {
    task.status = Status::Failed;
    task.error = Some(error.body());
    task.kind.nothing_done();
}

#[cfg(test)]
mod tests;
