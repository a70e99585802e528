//! The one thread that writes: takes batches from the queue, applies them, records what came of them.
//!
//! A crash between the index's commit and the queue's makes a batch run again. That is harmless: writes of documents and
//! settings give the same result twice, and everything about names of indexes is in the queue's own transaction.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use milli_core as milli;
use milli_core::heed::{self, RwTxn};
use time::OffsetDateTime;

use super::batch::Limits;
use super::queue::{Queue, Running};
use super::{Kind, Status, Task, TaskId};
use crate::http::error::{ApiError, Code};
use crate::index::apply::{DocumentWrite, Indexer, Outcome, Payload};
use crate::index::failure::{Failure, write_error};
use crate::index::registry::{Named, Registry};
use crate::settings::Changes;

/// Everything the writer needs.
pub struct Writer {
    pub queue: Arc<Queue>,
    pub registry: Arc<Registry>,
    pub indexer: Indexer,
    pub limits: Limits,
}

/// A change of the names, made in the transaction that records the outcome and then shown to readers.
enum Names {
    Keep,
    Remove(String),
    Swap(Vec<(String, String)>),
}

/// What came of a batch.
struct Applied {
    tasks: Vec<Task>,
    names: Names,
    /// Finished tasks to forget.
    forget: Vec<TaskId>,
}

/// How long to wait before trying again when the queue itself can't be written (a full disk, say).
const QUEUE_RETRY: Duration = Duration::from_secs(1);

impl Writer {
    /// Works until the queue is stopped.
    pub fn run(&self) {
        while let Some((running, tasks)) = self.queue.next_batch(self.limits) {
            match self.apply(&running, tasks) {
                Ok(applied) => self.record(&running, applied),
                Err(Failure::Aborted) => self.queue.give_back(),
                Err(failure) => {
                    tracing::error!(?failure, "a batch can't be read from the queue; trying again");
                    self.queue.give_back();
                    std::thread::sleep(QUEUE_RETRY);
                }
            }
        }
    }

    /// Applies a batch. `Err` is for batches to be tried again as they are: aborted, or unreadable.
    fn apply(&self, running: &Running, mut tasks: Vec<Task>) -> Result<Applied, Failure> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.apply_kind(running, &mut tasks)));
        let (names, forget) = match outcome {
            Ok(Ok(done)) => done,
            Ok(Err(Failure::Error(error))) => {
                tasks.iter_mut().for_each(|task| fail(task, &error));
                (Names::Keep, Vec::new())
            }
            Ok(Err(other)) => return Err(other),
            Err(_) => {
                let error = ApiError::internal(format!("the indexer panicked at tasks {:?}", running.uids));
                tasks.iter_mut().for_each(|task| fail(task, &error));
                (Names::Keep, Vec::new())
            }
        };
        let now = OffsetDateTime::now_utc();
        for task in &mut tasks {
            task.batch_uid = Some(running.batch_uid);
            task.started_at =
                task.started_at.or_else(|| (task.status != Status::Canceled).then_some(running.started_at));
            task.finished_at = Some(now);
            if task.status == Status::Enqueued {
                task.status = Status::Succeeded;
            }
        }
        tasks.sort_by_key(|task| task.uid);
        Ok(Applied { tasks, names, forget })
    }

    fn apply_kind(&self, running: &Running, tasks: &mut Vec<Task>) -> Result<(Names, Vec<TaskId>), Failure> {
        let (names, mut forget) = (Names::Keep, Vec::new());
        let Some(first) = tasks.first_mut() else { return Ok((names, forget)) };
        let uid = first.index_uid.clone().unwrap_or_default();
        match &mut first.kind {
            Kind::DocumentAddition { .. } | Kind::DocumentDeletion { .. } => self.documents(&uid, tasks)?,
            Kind::DocumentDeletionByFilter { filter, deleted } => {
                let index = self.existing(&uid)?;
                *deleted = Some(self.grown(&index, |i| self.indexer.delete_by_filter(i, filter, &self.queue.abort))?);
            }
            Kind::DocumentClear { deleted } => {
                let index = self.existing(&uid)?;
                *deleted = Some(self.grown(&index, |i| self.indexer.clear(i))?);
            }
            Kind::Settings { changes, is_deletion } => {
                let changes = Changes::parse(changes).map_err(Failure::Error)?;
                let index = if *is_deletion { self.existing(&uid)? } else { self.existing_or_new(&uid)? };
                self.grown(&index, |i| self.indexer.change_settings(i, changes.clone(), &self.queue.abort))?;
            }
            Kind::IndexCreation { primary_key } => {
                if self.registry.get(&uid).is_some() {
                    let message = format!("Index `{uid}` already exists.");
                    return Err(Failure::Error(ApiError::new(Code::IndexAlreadyExists, message)));
                }
                let index = self.existing_or_new(&uid)?;
                self.set_primary_key(&index, primary_key.as_deref())?;
            }
            Kind::IndexUpdate { primary_key } => {
                let index = self.existing(&uid)?;
                self.set_primary_key(&index, primary_key.as_deref())?;
            }
            Kind::IndexDeletion { deleted } => {
                let index = self.existing(&uid)?;
                *deleted = Some(self.count(&index)?);
                return Ok((Names::Remove(uid), forget));
            }
            Kind::IndexSwap { swaps } => {
                for uid in swaps.iter().flat_map(|(a, b)| [a, b]) {
                    self.existing(uid)?;
                }
                return Ok((Names::Swap(swaps.clone()), forget));
            }
            Kind::TaskCancelation { .. } => self.cancel(running, tasks)?,
            Kind::TaskDeletion { uids, deleted, .. } => {
                forget = self.finished(uids)?;
                *deleted = Some(forget.len() as u64);
            }
        }
        Ok((names, forget))
    }

    /// Writes the outcome durably, then shows changed names to readers. The disk is the truth: until it takes the outcome,
    /// nothing else is done.
    fn record(&self, running: &Running, applied: Applied) {
        let Applied { tasks, names, forget } = applied;
        loop {
            let written = self.queue.finish(&tasks, |txn, queue| {
                forget.iter().try_for_each(|uid| queue.forget(txn, *uid).map(drop))?;
                self.rename(txn, queue, &names)
            });
            match written {
                Ok(()) => break,
                Err(error) if self.queue.stopped() => {
                    tracing::error!(%error, tasks = ?running.uids, "the outcome of a batch isn't recorded; it will run again");
                    return;
                }
                Err(error) => {
                    tracing::error!(%error, tasks = ?running.uids, "the outcome of a batch can't be recorded; trying again");
                    std::thread::sleep(QUEUE_RETRY);
                }
            }
        }
        match names {
            Names::Keep => {}
            Names::Swap(pairs) => self.registry.swap(&pairs),
            Names::Remove(uid) => {
                if let Some(named) = self.registry.remove(&uid)
                    && let Err(error) = named.slot.remove()
                {
                    tracing::warn!(%error, %uid, "the folder of a deleted index stays until the next start");
                }
            }
        }
    }

    fn rename(&self, txn: &mut RwTxn<'_>, queue: &Queue, names: &Names) -> heed::Result<()> {
        match names {
            Names::Keep => Ok(()),
            Names::Remove(uid) => queue.name_index(txn, uid, None),
            Names::Swap(pairs) => {
                for (a, b) in pairs {
                    let (Some(first), Some(second)) = (self.registry.get(a), self.registry.get(b)) else { continue };
                    queue.name_index(txn, a, Some(second.folder))?;
                    queue.name_index(txn, b, Some(first.folder))?;
                }
                queue.rewrite(txn, |task| swap_history(task, pairs))
            }
        }
    }

    fn existing(&self, uid: &str) -> Result<Named, Failure> {
        self.registry.get(uid).ok_or_else(|| Failure::Error(ApiError::index_not_found(uid)))
    }

    fn existing_or_new(&self, uid: &str) -> Result<Named, Failure> {
        if let Some(index) = self.registry.get(uid) {
            return Ok(index);
        }
        let index = self.registry.create()?;
        self.queue.update(|txn, queue| queue.name_index(txn, uid, Some(index.folder)))?;
        self.registry.insert(uid, index.clone());
        Ok(index)
    }

    fn set_primary_key(&self, index: &Named, key: Option<&str>) -> Result<(), Failure> {
        match key {
            Some(key) => self.grown(index, |i| self.indexer.set_primary_key(i, key.to_owned())),
            None => Ok(()),
        }
    }

    fn count(&self, index: &Named) -> Result<u64, Failure> {
        self.grown(index, |i| {
            let txn = i.read_txn()?;
            Ok(i.number_of_documents(&txn)?)
        })
    }

    /// Runs `write` on the index, doubling its map as often as it is full.
    fn grown<T>(
        &self,
        index: &Named,
        mut write: impl FnMut(&milli::Index) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        loop {
            let handle = index.slot.get().ok_or_else(|| Failure::Error(ApiError::internal("the index is closed")))?;
            let outcome = write(&handle);
            drop(handle);
            match outcome {
                Err(Failure::MapFull) => index.slot.grow()?,
                other => return other,
            }
        }
    }

    fn documents(&self, uid: &str, tasks: &mut [Task]) -> Result<(), Failure> {
        let additions = tasks.iter().any(|task| matches!(task.kind, Kind::DocumentAddition { .. }));
        let index = if additions { self.existing_or_new(uid)? } else { self.existing(uid)? };
        let key = tasks.iter().find_map(|task| match &task.kind {
            Kind::DocumentAddition { primary_key, .. } => primary_key.clone(),
            _ => None,
        });
        let writes = tasks.iter().map(|task| self.load(task)).collect::<Result<Vec<_>, _>>()?;
        let outcomes = self.write(&index, &writes, key.as_deref())?;
        for (task, outcome) in tasks.iter_mut().zip(outcomes) {
            match (outcome, &mut task.kind) {
                (Ok(count), Kind::DocumentAddition { indexed, .. }) => *indexed = Some(count),
                (Ok(count), Kind::DocumentDeletion { deleted, .. }) => *deleted = Some(count),
                (Ok(_), _) => {}
                (Err(error), _) => fail(task, &error),
            }
        }
        Ok(())
    }

    /// Writes a batch; one too big for a transaction is written in halves, and one that fails as a whole is split until the
    /// write at fault stands alone.
    fn write(&self, index: &Named, writes: &[DocumentWrite], key: Option<&str>) -> Result<Vec<Outcome>, Failure> {
        let outcome = self.grown(index, |i| self.indexer.write_documents(i, writes, key, &self.queue.abort));
        match (outcome, writes) {
            (Err(failure), [_, _, ..]) if failure.may_be_one_write() => {
                let (first, second) = writes.split_at(writes.len() / 2);
                let mut outcomes = self.write(index, first, key)?;
                outcomes.extend(self.write(index, second, key)?);
                Ok(outcomes)
            }
            (Err(Failure::TransactionFull), [single]) => match single.halves()? {
                Some(halves) => {
                    let counts = self.write(index, &halves, key)?;
                    Ok(vec![counts.into_iter().sum::<Result<u64, ApiError>>()])
                }
                None => Err(Failure::Error(ApiError::internal("a single document is too big for a transaction"))),
            },
            (Err(Failure::Error(error)), [_]) => Ok(vec![Err(error)]),
            (other, _) => other,
        }
    }

    fn load(&self, task: &Task) -> Result<DocumentWrite, Failure> {
        let txn = self.queue.read()?;
        let payload = self.queue.payload(&txn, task.uid)?.unwrap_or_default();
        Ok(match &task.kind {
            Kind::DocumentAddition { method, .. } => DocumentWrite::Add(*method, Payload::new(payload)?),
            _ => DocumentWrite::Delete(
                serde_json::from_slice(payload)
                    .map_err(|e| write_error(&milli::InternalError::SerdeJson(e).into()))
                    .map_err(Failure::Error)?,
            ),
        })
    }

    /// Marks every still waiting task of the list as canceled; they are recorded with the cancelation itself.
    fn cancel(&self, running: &Running, tasks: &mut Vec<Task>) -> Result<(), Failure> {
        let Some(Task { uid: canceler, kind: Kind::TaskCancelation { uids, canceled, .. }, .. }) = tasks.first_mut()
        else {
            return Ok(());
        };
        let canceler = *canceler;
        let txn = self.queue.read()?;
        let mut doomed = Vec::new();
        for uid in uids.iter().filter(|uid| !running.uids.contains(uid)) {
            if let Some(mut task) = self.queue.task(&txn, *uid)?.filter(|task| task.status == Status::Enqueued) {
                task.status = Status::Canceled;
                task.canceled_by = Some(canceler);
                task.kind.nothing_done();
                doomed.push(task);
            }
        }
        *canceled = Some(doomed.len() as u64);
        tasks.extend(doomed);
        Ok(())
    }

    fn finished(&self, uids: &[TaskId]) -> Result<Vec<TaskId>, Failure> {
        let txn = self.queue.read()?;
        let mut finished = Vec::new();
        for uid in uids {
            if self.queue.task(&txn, *uid)?.is_some_and(|task| task.status.is_final()) {
                finished.push(*uid);
            }
        }
        Ok(finished)
    }
}

fn fail(task: &mut Task, error: &ApiError) {
    task.status = Status::Failed;
    task.error = Some(error.body());
    task.kind.nothing_done();
}

/// In the history, a swapped index's tasks follow it to its new name.
fn swap_history(task: &mut Task, pairs: &[(String, String)]) -> bool {
    let Some(uid) = task.index_uid.as_mut().filter(|_| task.status.is_final()) else { return false };
    for (a, b) in pairs {
        if uid == a {
            b.clone_into(uid);
            return true;
        }
        if uid == b {
            a.clone_into(uid);
            return true;
        }
    }
    false
}
