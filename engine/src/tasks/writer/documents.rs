//! Writes documents, splitting them into halves if they exceed a transaction.

use milli_core as milli;

use super::super::{Kind, Task};
use super::{IndexChange, Writer, fail};
use crate::http::error::ApiError;
use crate::index::apply::Outcome;
use crate::index::document_write::{DocumentWrite, Payload};
use crate::index::failure::{Failure, write_error};
use crate::index::registry::NamedIndex;

impl Writer {
    /// Adds and deletes documents by id. Tasks removed from `tasks` keep waiting.
    pub(super) fn documents(&self, uid: &str, tasks: &mut Vec<Task>) -> Result<IndexChange, Failure> {
        let key = tasks.iter().find_map(|task| match &task.kind {
            Kind::DocumentAddition { primary_key, .. } => primary_key.clone(),
            _ => None,
        });
        self.refuse_damaged(uid)?;
        let not_found = || ApiError::index_not_found(uid);
        // Deletions that precede the addition that creates the index fail.
        let early = match self.registry.get(uid) {
            Some(_) => 0,
            None => tasks
                .iter()
                .position(|task| matches!(task.kind, Kind::DocumentAddition { .. }))
                .ok_or_else(|| Failure::Error(not_found()))?,
        };
        let change = self.in_existing_or_new(uid, |index| {
            // The write that infers the primary key is a separate batch, because a second run would read the other writes differently.
            if key.is_none() && !self.has_primary_key(index)? {
                tasks.truncate(early + 1);
            }
            self.write_tasks(index, &mut tasks[early..], key.as_deref())
        })?;
        tasks[..early].iter_mut().for_each(|task| fail(task, &not_found()));
        Ok(change)
    }

    fn has_primary_key(&self, index: &NamedIndex) -> Result<bool, Failure> {
        self.with_growing_map(index, |i| {
            let txn = i.read_txn()?;
            Ok(i.primary_key(&txn)?.is_some())
        })
    }

    fn write_tasks(&self, index: &NamedIndex, tasks: &mut [Task], key: Option<&str>) -> Result<(), Failure> {
        let writes = tasks.iter().map(|task| self.load(task)).collect::<Result<Vec<_>, _>>()?;
        let outcomes = self.write(index, &writes, key)?;
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

    /// Writes a batch. A batch that is too large for a transaction is written in halves. A batch that fails as a whole is split until the
    /// failing write is isolated.
    fn write(&self, index: &NamedIndex, writes: &[DocumentWrite], key: Option<&str>) -> Result<Vec<Outcome>, Failure> {
        let outcome = self.with_growing_map(index, |i| self.indexer.write_documents(i, writes, key, &self.queue.abort));
        match (outcome, writes) {
            (Err(failure), [_, _, ..]) if failure.should_split() => {
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
        let now = self.queue.read()?;
        let payload = self.queue.payload(&now, task.uid)?.unwrap_or_default();
        Ok(match &task.kind {
            Kind::DocumentAddition { method, .. } => DocumentWrite::Add(*method, Payload::new(payload)?),
            _ => DocumentWrite::Delete(
                serde_json::from_slice(payload)
                    .map_err(|e| write_error(&milli::InternalError::SerdeJson(e).into()))
                    .map_err(Failure::Error)?,
            ),
        })
    }
}
