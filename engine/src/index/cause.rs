//! Why a write failed, where milli or LMDB don't say.
//!
//! When its writing half fails, milli's indexer drops the channel that its extracting half sends to; that half may panic over
//! it, and the panic takes the place of the error. LMDB reports a write that a full disk cut short as an input/output error.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;

use milli_core as milli;
use milli_core::heed::RwTxn;

use super::failure::{Failure, is_full};

/// Bytes written to see whether there is space: more than LMDB's last write may have left free.
const PROBE: usize = 1 << 20;

/// Runs the indexer in `txn`. A panic over a transaction that LMDB gave up is a failure of the store.
pub fn run<T>(
    txn: &mut RwTxn<'_>,
    index: &milli::Index,
    work: impl FnOnce(&mut RwTxn<'_>) -> milli::Result<T>,
) -> Result<T, Failure> {
    match catch_unwind(AssertUnwindSafe(|| work(txn))) {
        Ok(outcome) => Ok(outcome?),
        // LMDB refuses even to read in a transaction that it couldn't write.
        Err(_) if index.documents_ids(txn).is_err() => Err(Failure::Unclear(None)),
        Err(panic) => resume_unwind(panic),
    }
}

/// Whether the disk under `folder` takes nothing more.
pub fn is_out_of_space(folder: &Path) -> bool {
    let path = folder.join("probe");
    let probe = File::create(&path).and_then(|mut file| {
        file.write_all(&vec![1; PROBE])?;
        file.sync_all()
    });
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            tracing::warn!(%error, path = %path.display(), "a probe file stays");
        }
        _ => {}
    }
    probe.is_err_and(|error| is_full(&error))
}
