//! Recording what came of tasks, and the names of the indexes.

use milli_core::heed::{self, RwTxn};
use uuid::Uuid;

use super::super::Task;
use super::Queue;
use crate::sync::lock;

impl Queue {
    /// Writes the outcome of `tasks` (by number) and whatever `also` changes in one durable transaction, and forgets their
    /// payloads.
    pub fn finish(
        &self,
        tasks: &[Task],
        also: impl FnOnce(&mut RwTxn<'_>, &Self) -> heed::Result<()>,
    ) -> heed::Result<()> {
        let surplus = self.surplus(tasks.len())?;
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        also(&mut txn, self)?;
        for task in tasks {
            self.tasks.put(&mut txn, &task.uid, task)?;
            self.payloads.delete(&mut txn, &task.uid)?;
        }
        self.prune(&mut txn, surplus)?;
        txn.commit()?;
        self.delist(tasks);
        Ok(())
    }

    /// Takes finished tasks out of memory.
    fn delist(&self, tasks: &[Task]) {
        let mut state = lock(&self.state);
        state.running = None;
        state.waiting.retain(|waiting| tasks.binary_search_by_key(&waiting.uid, |task| task.uid).is_err());
        state.waiting_bytes = state.waiting.iter().map(|task| task.payload_bytes).sum();
    }

    /// How many finished tasks are too many, once `more` are finished; none until a tenth is.
    fn surplus(&self, more: usize) -> heed::Result<usize> {
        let txn = self.read()?;
        let stored = usize::try_from(self.tasks.len(&txn)?).unwrap_or(usize::MAX);
        let history = stored.saturating_sub(lock(&self.state).waiting.len()) + more;
        let cap = self.caps.history;
        Ok(if history > cap.saturating_add(cap / 10) { history - cap } else { 0 })
    }

    /// Drops the oldest `surplus` finished tasks.
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

    /// Every index's name and folder.
    pub fn index_names(&self) -> heed::Result<Vec<(String, Uuid)>> {
        let txn = self.read()?;
        self.indexes.iter(&txn)?.map(|entry| entry.map(|(uid, folder)| (uid.to_owned(), folder))).collect()
    }

    /// Names `folder` as the index `uid`, or takes the name away.
    pub fn name_index(&self, txn: &mut RwTxn<'_>, uid: &str, folder: Option<Uuid>) -> heed::Result<()> {
        match folder {
            Some(folder) => self.indexes.put(txn, uid, &folder),
            None => self.indexes.delete(txn, uid).map(drop),
        }
    }

    /// Takes the name of an index away, outside of any task.
    pub fn unname_index(&self, uid: &str) -> heed::Result<()> {
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        self.name_index(&mut txn, uid, None)?;
        txn.commit()
    }

    /// Stores what is known of a waiting task that has no payload.
    pub fn keep(&self, task: &Task) -> heed::Result<()> {
        let env = self.env()?;
        let mut txn = env.write_txn()?;
        self.tasks.put(&mut txn, &task.uid, task)?;
        txn.commit()
    }

    /// Changes every stored task for which `change` answers true.
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
