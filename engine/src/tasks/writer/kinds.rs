//! Applies each kind of task.

use milli_core as milli;

use super::super::{Kind, Task};
use super::{IndexChange, Writer};
use crate::http::error::{ApiError, Code};
use crate::index::apply::Indexer;
use crate::index::failure::Failure;
use crate::index::registry::NamedIndex;
use crate::settings::Changes;

impl Writer {
    pub(super) fn apply_kind(&self, tasks: &mut Vec<Task>) -> Result<IndexChange, Failure> {
        let Some(first) = tasks.first_mut() else { return Ok(IndexChange::Nothing) };
        self.count_doomed(first)?;
        let uid = first.index_uid.clone().unwrap_or_default();
        match &mut first.kind {
            Kind::DocumentAddition { .. } | Kind::DocumentDeletion { .. } => return self.documents(&uid, tasks),
            Kind::DocumentDeletionByFilter { filter, .. } => {
                let index = self.existing(&uid)?;
                self.with_growing_map(&index, |i| self.indexer.delete_by_filter(i, filter, &self.queue.abort))?;
            }
            Kind::DocumentClear { .. } => self.with_growing_map(&self.existing(&uid)?, |i| self.indexer.clear(i))?,
            Kind::Settings { changes, is_deletion } => {
                let changes = Changes::parse(changes).map_err(Failure::Error)?;
                if *is_deletion {
                    self.existing(&uid)?;
                }
                self.refuse_damaged(&uid)?;
                return self.in_existing_or_new(&uid, |index| {
                    self.with_growing_map(index, |i| {
                        self.indexer.change_settings(i, changes.clone(), &self.queue.abort)
                    })
                });
            }
            Kind::IndexCreation { primary_key } => return self.create_index(&uid, primary_key.as_deref()),
            Kind::IndexDeletion { deleted } => {
                *deleted = Some(self.count(&self.existing(&uid)?)?);
                return Ok(IndexChange::Remove(uid));
            }
            Kind::IndexSwap { swaps } => {
                for uid in swaps.iter().flat_map(|(a, b)| [a, b]) {
                    self.existing(uid)?;
                }
                return Ok(IndexChange::Swap(swaps.clone()));
            }
            Kind::IndexCompaction { before, after } => {
                let copy = self.compact(&uid)?;
                (*before, *after) = (Some(copy.before), Some(copy.after));
                return Ok(IndexChange::Move(uid, Box::new(copy)));
            }
        }
        Ok(IndexChange::Nothing)
    }

    /// Counts what a task will delete and stores the count, because nothing would be left to count if the task ran again after a crash.
    fn count_doomed(&self, task: &mut Task) -> Result<(), Failure> {
        let index = || self.existing(task.index_uid.as_deref().unwrap_or_default());
        let (deleted, count) = match &mut task.kind {
            Kind::DocumentDeletionByFilter { filter, deleted: deleted @ None } => {
                let count = |i: &milli::Index| {
                    let txn = i.read_txn()?;
                    Ok(Indexer::matching(i, &txn, filter)?.len())
                };
                (deleted, self.with_growing_map(&index()?, count)?)
            }
            Kind::DocumentClear { deleted: deleted @ None } => (deleted, self.count(&index()?)?),
            _ => return Ok(()),
        };
        *deleted = Some(count);
        if count > 0 {
            self.queue.store_waiting(task)?;
        }
        Ok(())
    }

    fn create_index(&self, uid: &str, primary_key: Option<&str>) -> Result<IndexChange, Failure> {
        if self.registry.get(uid).is_some() {
            let message = format!("Index `{uid}` already exists.");
            return Err(Failure::Error(ApiError::new(Code::IndexAlreadyExists, message)));
        }
        self.in_existing_or_new(uid, |index| self.set_primary_key(index, primary_key))
    }

    fn set_primary_key(&self, index: &NamedIndex, key: Option<&str>) -> Result<(), Failure> {
        match key {
            Some(key) => self.with_growing_map(index, |i| self.indexer.set_primary_key(i, key.to_owned())),
            None => Ok(()),
        }
    }

    fn count(&self, index: &NamedIndex) -> Result<u64, Failure> {
        self.with_growing_map(index, |i| {
            let txn = i.read_txn()?;
            Ok(i.number_of_documents(&txn)?)
        })
    }
}
