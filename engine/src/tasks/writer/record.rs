//! Records outcomes.

use milli_core::heed::{self, RwTxn};

use super::super::Task;
use super::super::queue::{Queue, Running};
use super::{BatchOutcome, IndexChange, QUEUE_RETRY, Writer};

impl Writer {
    /// Writes the outcome durably, then shows changed names to readers. Nothing else proceeds until the outcome is on disk.
    pub(super) fn record(&self, running: &Running, applied: BatchOutcome) {
        let BatchOutcome { tasks, change } = applied;
        loop {
            match self.queue.finish(&tasks, |txn, queue| self.rename(txn, queue, &change)) {
                Ok(()) => break,
                Err(error) if self.queue.stopped() => {
                    tracing::error!(%error, tasks = ?running.uids, "the outcome of a batch was not recorded; it will run again");
                    return;
                }
                Err(error) => {
                    tracing::error!(%error, tasks = ?running.uids, "can't record the outcome of a batch; retrying");
                    std::thread::sleep(QUEUE_RETRY);
                }
            }
        }
        self.show(change);
    }

    fn rename(&self, txn: &mut RwTxn<'_>, queue: &Queue, change: &IndexChange) -> heed::Result<()> {
        match change {
            IndexChange::Nothing => Ok(()),
            IndexChange::Add(uid, index) => queue.name_index(txn, uid, Some(index.folder)),
            IndexChange::Remove(uid) => queue.name_index(txn, uid, None),
            IndexChange::Move(uid, copy) => queue.name_index(txn, uid, Some(copy.folder)),
            IndexChange::Swap(pairs) => {
                for (a, b) in pairs {
                    let (Some(first), Some(second)) = (self.registry.get(a), self.registry.get(b)) else { continue };
                    queue.name_index(txn, a, Some(second.folder))?;
                    queue.name_index(txn, b, Some(first.folder))?;
                }
                queue.rewrite(txn, |task| swap_history(task, pairs))
            }
        }
    }

    fn show(&self, change: IndexChange) {
        let (uid, removed) = match change {
            IndexChange::Nothing => return,
            IndexChange::Add(uid, index) => return self.registry.insert(&uid, index),
            IndexChange::Swap(pairs) => return self.registry.swap(&pairs),
            IndexChange::Remove(uid) => {
                let named = self.registry.remove(&uid);
                let removed = named.map_or(Ok(()), |named| named.slot.remove());
                (uid, removed)
            }
            IndexChange::Move(uid, copy) => {
                let removed = self.registry.replace(&uid, *copy);
                (uid, removed)
            }
        };
        if let Err(error) = removed {
            tracing::warn!(%error, %uid, "can't remove the previous folder of an index; it will be removed at the next start");
        }
    }
}

/// Moves a task in the history to its index's new name if the index was swapped.
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
