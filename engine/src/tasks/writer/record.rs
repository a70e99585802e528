//! Recording outcomes.

use milli_core::heed::{self, RwTxn};

use super::super::Task;
use super::super::queue::{Queue, Running};
use super::{Also, BatchOutcome, QUEUE_RETRY, Writer};

impl Writer {
    /// Writes the outcome durably, then shows changed names to readers. The disk is the truth: until it takes the outcome,
    /// nothing else is done.
    pub(super) fn record(&self, running: &Running, applied: BatchOutcome) {
        let BatchOutcome { tasks, also } = applied;
        loop {
            match self.queue.finish(&tasks, |txn, queue| self.rename(txn, queue, &also)) {
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
        self.show(also);
    }

    fn rename(&self, txn: &mut RwTxn<'_>, queue: &Queue, also: &Also) -> heed::Result<()> {
        match also {
            Also::Nothing => Ok(()),
            Also::Add(uid, index) => queue.name_index(txn, uid, Some(index.folder)),
            Also::Remove(uid) => queue.name_index(txn, uid, None),
            Also::Move(uid, copy) => queue.name_index(txn, uid, Some(copy.folder)),
            Also::Swap(pairs) => {
                for (a, b) in pairs {
                    let (Some(first), Some(second)) = (self.registry.get(a), self.registry.get(b)) else { continue };
                    queue.name_index(txn, a, Some(second.folder))?;
                    queue.name_index(txn, b, Some(first.folder))?;
                }
                queue.rewrite(txn, |task| swap_history(task, pairs))
            }
        }
    }

    fn show(&self, also: Also) {
        let (uid, removed) = match also {
            Also::Nothing => return,
            Also::Add(uid, index) => return self.registry.insert(&uid, index),
            Also::Swap(pairs) => return self.registry.swap(&pairs),
            Also::Remove(uid) => {
                let named = self.registry.remove(&uid);
                let removed = named.map_or(Ok(()), |named| named.slot.remove());
                (uid, removed)
            }
            Also::Move(uid, copy) => {
                let removed = self.registry.replace(&uid, *copy);
                (uid, removed)
            }
        };
        if let Err(error) = removed {
            tracing::warn!(%error, %uid, "the former folder of an index stays until the next start");
        }
    }
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
