//! Writing documents, in halves where the whole is too much.

use milli_core as milli;

use super::super::{Kind, Task};
use super::{Also, Writer, fail};
use crate::http::error::ApiError;
use crate::index::apply::Outcome;
use crate::index::document_write::{DocumentWrite, Payload};
use crate::index::failure::{Failure, write_error};
use crate::index::registry::NamedIndex;

impl Writer {
    /// Writes and deletes by id. Tasks that are taken out of `tasks` wait on.
    pub(super) fn documents(&self, uid: &str, tasks: &mut Vec<Task>) -> Result<Also, Failure> {
        let key = tasks.iter().find_map(|task| match &task.kind {
            Kind::DocumentAddition { primary_key, .. } => primary_key.clone(),
            _ => None,
        });
        self.refuse_damaged(uid)?;
        let not_found = || ApiError::index_not_found(uid);
        // What was to be deleted before the first addition makes the index has no index.
        let early = match self.registry.get(uid) {
            Some(_) => 0,
            None => tasks
                .iter()
                .position(|task| matches!(task.kind, Kind::DocumentAddition { .. }))
                .ok_or_else(|| Failure::Error(not_found()))?,
        };
        let also = self.in_existing_or_new(uid, |index| {
            // The write from which the key is guessed stands alone: those beside it would be read otherwise a second time.
            if key.is_none() && !self.has_primary_key(index)? {
                tasks.truncate(early + 1);
            }
            self.write_tasks(index, &mut tasks[early..], key.as_deref())
        })?;
        tasks[..early].iter_mut().for_each(|task| fail(task, &not_found()));
        Ok(also)
    }

    fn has_primary_key(&self, index: &NamedIndex) -> Result<bool, Failure> {
        self.grown(index, |i| {
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

    /// Writes a batch; one too big for a transaction is written in halves, and one that fails as a whole is split until the
    /// write at fault stands alone.
    fn write(&self, index: &NamedIndex, writes: &[DocumentWrite], key: Option<&str>) -> Result<Vec<Outcome>, Failure> {
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
