//! Checking the file of an index where something failed that should not have.

use std::io::Result;

use super::super::queue::Running;
use super::Writer;
use crate::http::error::{ApiError, Code};
use crate::index::failure::Failure;
use crate::index::registry::NamedIndex;
use crate::index::store_file;

impl Writer {
    /// Reads the whole file. A damaged one is moved aside; one that is in order is opened anew, because LMDB remembers failures.
    pub(super) fn examine(&self, uid: &str) {
        let Some(index) = self.registry.get(uid) else { return };
        let outcome = match check_and_reopen(&index) {
            Err(error) if store_file::is_damage(&error) => {
                self.registry.set_aside(uid, &error.to_string(), &self.queue)
            }
            outcome => outcome,
        };
        match outcome {
            Ok(()) => tracing::info!(uid, "the file of an index was checked after a failure"),
            Err(error) => tracing::error!(%error, uid, "the file of an index can't be checked"),
        }
    }

    /// Has the file of a batch's index checked, unless the batch was at fault.
    pub(super) fn suspect_after(&self, error: &ApiError, running: &Running) {
        if let Some(uid) = running.index_uid.as_deref().filter(|_| error.is_suspicious()) {
            self.queue.suspect(uid, self.suspect_pause);
        }
    }

    /// An index that was damaged comes back only by being created: a write alone would make one that lacks all the rest.
    pub(super) fn refuse_damaged(&self, uid: &str) -> std::result::Result<(), Failure> {
        if !self.registry.is_damaged(uid) {
            return Ok(());
        }
        let message = format!("Index `{uid}` was damaged and is gone; it has to be created before it is written.");
        Err(Failure::Error(ApiError::new(Code::InvalidStoreFile, message)))
    }
}

fn check_and_reopen(index: &NamedIndex) -> Result<()> {
    index.slot.check()?;
    index.slot.reopen()
}
