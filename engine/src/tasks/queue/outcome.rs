//! Records the outcomes of tasks and the index names.

use milli_core::heed::{self, RwTxn};
use uuid::Uuid;

use super::super::Task;
use super::Queue;
use crate::sync::lock;

impl Queue {
    /// In one durable transaction, writes the outcome of `tasks` (sorted by number), runs the writes in `extra`, and deletes the payloads.
    pub fn finish(
        &self,
        tasks: &[Task],
        extra: impl FnOnce(&mut RwTxn<'_>, &Self) -> heed::Result<()>,
    ) -> heed::Result<()> {
        let surplus = self.surplus(tasks.len())?;
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        extra(&mut txn, self)?;
        for task in tasks {
            self.tasks.put(&mut txn, &task.uid, task)?;
            self.payloads.delete(&mut txn, &task.uid)?;
        }
        self.prune(&mut txn, surplus)?;
        txn.commit()?;
        self.delist(tasks);
        Ok(())
    }

    /// Removes finished tasks from memory.
    fn delist(&self, tasks: &[Task]) {
        let mut state = lock(&self.state);
        state.running = None;
        state.waiting.retain(|waiting| tasks.binary_search_by_key(&waiting.uid, |task| task.uid).is_err());
        state.waiting_bytes = state.waiting.iter().map(|task| task.payload_bytes).sum();
    }

    /// Returns how many finished tasks to remove once `more` tasks are finished. The result is 0 until the history exceeds its cap by a
    /// tenth.
    fn surplus(&self, more: usize) -> heed::Result<usize> {
        let txn = self.read()?;
        let stored = usize::try_from(self.tasks.len(&txn)?).unwrap_or(usize::MAX);
        let history = stored.saturating_sub(lock(&self.state).waiting.len()) + more;
        let cap = self.caps.history;
        Ok(if history > cap.saturating_add(cap / 10) { history - cap } else { 0 })
    }

    /// Removes the oldest `surplus` finished tasks.
    fn prune(&self, txn: &mut RwTxn<'_>, surplus: usize) -> heed::Result<()> {
        let mut old = Vec::with_capacity(surplus);
        if surplus > 0 {
            for entry in self.tasks.iter(txn)? {
                let (uid, task) = entry?;
                if task.status.is_final() {
                    old.push(uid);
                }
                if old.len() == surplus {
                    break;
                }
            }
        }
        old.iter().try_for_each(|uid| self.tasks.delete(txn, uid).map(drop))
    }

    /// Returns the names and folders of all indexes.
    pub fn index_names(&self) -> heed::Result<Vec<(String, Uuid)>> {
        let txn = self.read()?;
        self.indexes.iter(&txn)?.map(|entry| entry.map(|(uid, folder)| (uid.to_owned(), folder))).collect()
    }

    /// Gives `folder` the name `uid`, or removes the name if `folder` is `None`.
    pub fn name_index(&self, txn: &mut RwTxn<'_>, uid: &str, folder: Option<Uuid>) -> heed::Result<()> {
        match folder {
            Some(folder) => self.indexes.put(txn, uid, &folder),
            None => self.indexes.delete(txn, uid).map(drop),
        }
    }

    /// Removes the name of an index. This happens outside of any task.
    pub fn unname_index(&self, uid: &str) -> heed::Result<()> {
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        self.name_index(&mut txn, uid, None)?;
        txn.commit()
    }

    /// Stores the current state of a waiting task.
    pub fn store_waiting(&self, task: &Task) -> heed::Result<()> {
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        self.tasks.put(&mut txn, &task.uid, task)?;
        txn.commit()
    }

    /// Updates every stored task for which `change` returns true.
    pub fn rewrite(&self, txn: &mut RwTxn<'_>, change: impl Fn(&mut Task) -> bool) -> heed::Result<()> {
        let mut changed = Vec::new();
        for entry in self.tasks.iter(txn)? {
            let (uid, mut task) = entry?;
            if change(&mut task) {
                changed.push((uid, task));
            }
        }
        changed.iter().try_for_each(|(uid, task)| self.tasks.put(txn, uid, task))
    }
}
