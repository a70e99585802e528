//! The single writer thread: takes batches from the queue, applies them and records their outcomes.
//!
//! If a crash occurs between the commits of the index and the queue, the batch runs again with the same outcome. Documents and settings can
//! be written twice. Index names, including those of new indexes, change in the queue's transaction together with the outcome. Counts that
//! cannot be repeated are stored beforehand ([`Writer::count_doomed`]).

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

/// State of the writer.
pub struct Writer {
    pub queue: Arc<Queue>,
    pub registry: Arc<Registry>,
    pub indexer: Indexer,
    pub limits: Limits,
    pub compaction: Compaction,
    /// Minimum time between two checks of one index that are triggered by failures.
    pub suspect_pause: Duration,
}

/// A change that a batch makes to the set of indexes. It is made in the transaction that records the outcome, and then shown to readers.
enum IndexChange {
    Nothing,
    /// Names a new index.
    Add(String, NamedIndex),
    Remove(String),
    Swap(Vec<(String, String)>),
    /// Moves the name to a compacted copy.
    Move(String, Box<CompactCopy>),
}

/// Outcome of a batch.
struct BatchOutcome {
    tasks: Vec<Task>,
    change: IndexChange,
}

/// How many times a map is doubled on the suspicion that it is full.
const MAX_GUESSES: u32 = 6;

/// Delay before retrying when the queue itself cannot be accessed, for example because the disk is full.
const QUEUE_RETRY: Duration = Duration::from_secs(1);

impl Writer {
    /// Runs until the queue is stopped.
    pub fn run(&self) {
        let mut written = BTreeSet::new();
        loop {
            let idle = (!written.is_empty()).then_some(self.compaction.after);
            match self.queue.next_work(self.limits, idle) {
                Work::Stop => return,
                Work::Idle => self.compact_bloated(std::mem::take(&mut written)),
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
            Err(Failure::Aborted) => self.queue.requeue(),
            Err(failure) => {
                tracing::error!(?failure, "can't read a batch from the queue; retrying");
                self.queue.requeue();
                std::thread::sleep(QUEUE_RETRY);
            }
        }
    }

    /// Applies a batch. Returns `Err` if the batch must be retried unchanged, because it was aborted or could not be read.
    fn apply(&self, running: &Running, mut tasks: Vec<Task>) -> Result<BatchOutcome, Failure> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.apply_kind(&mut tasks)));
        let change = match outcome.map(|done| done.map_err(|failure| self.resolve_unclear(failure))) {
            Ok(Ok(change)) => change,
            Ok(Err(Failure::Error(error))) => {
                self.suspect_after(&error, running);
                tasks.iter_mut().for_each(|task| fail(task, &error));
                IndexChange::Nothing
            }
            Ok(Err(other)) => return Err(other),
            Err(_) => {
                let error = ApiError::internal(format!("the indexer panicked at tasks {:?}", running.uids));
                self.suspect_after(&error, running);
                tasks.iter_mut().for_each(|task| fail(task, &error));
                IndexChange::Nothing
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
        Ok(BatchOutcome { tasks, change })
    }

    /// Resolves an unclear failure that a larger map didn't fix.
    fn resolve_unclear(&self, failure: Failure) -> Failure {
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

    /// Writes to an existing index, or to a new one, which stays unnamed until the outcome is recorded.
    fn in_existing_or_new(
        &self,
        uid: &str,
        write: impl FnOnce(&NamedIndex) -> Result<(), Failure>,
    ) -> Result<IndexChange, Failure> {
        if let Some(index) = self.registry.get(uid) {
            return write(&index).map(|()| IndexChange::Nothing);
        }
        let index = self.registry.create()?;
        match write(&index) {
            Ok(()) => Ok(IndexChange::Add(uid.to_owned(), index)),
            Err(failure) => {
                if let Err(error) = index.slot.remove() {
                    tracing::warn!(%error, %uid, "can't remove an unfinished index; it will be removed at the next start");
                }
                Err(failure)
            }
        }
    }

    /// Runs `write` on the index, and doubles the index's map whenever it is full.
    fn with_growing_map<T>(
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
                // Most likely the map is full. If it is far from full, the transaction was full.
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
    task.kind.zero_counts();
}

#[cfg(test)]
mod tests;
