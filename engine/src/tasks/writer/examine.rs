//! Checks the file of an index after an unexpected failure.

use std::io::Result;

use super::super::queue::Running;
use super::Writer;
use crate::http::error::{ApiError, Code};
use crate::index::failure::Failure;
use crate::index::registry::NamedIndex;
use crate::index::store_file;

impl Writer {
    /// Checks the whole file. A damaged file is quarantined. An intact file is reopened, because LMDB remembers failures.
    pub(super) fn examine(&self, uid: &str) {
        let Some(index) = self.registry.get(uid) else { return };
        let outcome = match check_and_reopen(&index) {
            Err(error) if store_file::is_damage(&error) => {
                self.registry.quarantine_index(uid, &error.to_string(), &self.queue)
            }
            outcome => outcome,
        };
        match outcome {
            Ok(()) => tracing::info!(uid, "checked the file of an index after a failure"),
            Err(error) => tracing::error!(%error, uid, "can't check the file of an index"),
        }
    }

    /// Requests a check of the batch's index file, unless the batch itself was at fault.
    pub(super) fn suspect_after(&self, error: &ApiError, running: &Running) {
        if let Some(uid) = running.index_uid.as_deref().filter(|_| error.is_suspicious()) {
            self.queue.suspect(uid, self.suspect_pause);
        }
    }

    /// Refuses writes to a damaged index until it is created again. Otherwise, a single write would create an index that lacks everything
    /// else.
    pub(super) fn refuse_damaged(&self, uid: &str) -> std::result::Result<(), Failure> {
        if !self.registry.is_damaged(uid) {
            return Ok(());
        }
        let message = format!("Index `{uid}` was damaged and removed; create it before writing to it.");
        Err(Failure::Error(ApiError::new(Code::InvalidStoreFile, message)))
    }
}

fn check_and_reopen(index: &NamedIndex) -> Result<()> {
    index.slot.check()?;
    index.slot.reopen()
}
