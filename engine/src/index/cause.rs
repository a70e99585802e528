//! Finds the cause of failed writes if milli or LMDB leave it unclear.
//!
//! If the writing half of milli's indexer fails, it drops the channel that the extracting half sends to. The extracting half may then panic,
//! and the panic hides the error. If a full disk cuts a write short, LMDB reports an input/output error.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use milli_core as milli;
use milli_core::heed::RwTxn;

use super::failure::{Failure, is_full};

/// Number of bytes written to probe for free space. This is more than LMDB's last write may have left free.
const PROBE: usize = 1 << 20;

/// Runs the indexer in `txn`. A panic after LMDB has abandoned the transaction counts as a failure of the store.
pub fn run<T>(
    txn: &mut RwTxn<'_>,
    index: &milli::Index,
    work: impl FnOnce(&mut RwTxn<'_>) -> milli::Result<T>,
) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(|| work(txn))) {
        Ok(outcome) => Ok(outcome?),
        // LMDB refuses even reads in a transaction that failed to write.
        Err(_) if index.documents_ids(txn).is_err() => Err(Failure::Unclear(None)),
        Err(panic) => resume_unwind(panic),
    }
}

/// Returns whether the disk under `folder` is full.
pub fn is_out_of_space(folder: &Path) -> bool {
    let path = folder.join("probe");
    let probe = File::create(&path).and_then(|mut file| {
        file.write_all(&vec![1; PROBE])?;
        file.sync_all()
    });
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!(%error, path = %path.display(), "can't remove a probe file");
        }
        _ => {}
    }
    probe.is_err_and(|error| is_full(&error))
}
