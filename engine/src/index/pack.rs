//! Compacts an index by copying it into full pages.
//!
//! LMDB splits a full page into halves, even at the end of a tree, where nothing will ever fill the first half. Each commit also leaves
//! free pages. A copy whose entries are appended in order has neither half-empty nor free pages.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use milli_core as milli;
use milli_core::heed::types::{Bytes, DecodeIgnore, Str};
use milli_core::heed::{CompactionOption, Database, Env, EnvFlags, EnvOpenOptions, PutFlags, RoTxn, WithoutTls};

/// Maximum number of databases, more than an index has.
const MAX_DATABASES: u32 = 64;
/// Number of bytes per transaction. It is limited because LMDB holds the pages of a transaction in memory.
const COMMIT_EVERY: usize = 32 << 20;
/// Second name of the index being copied. It is needed because LMDB opens a file only once per name.
const SOURCE: &str = "source.mdb";

/// Copies `index` from folder `from` into folder `to`. No other thread may write to it.
///
/// # Errors
/// Fails if the disk is full or `is_aborted` is set.
pub fn pack(index: &milli::Index, from: &Path, to: &Path, is_aborted: &AtomicBool) -> milli::Result<()> {
    let source = to.join(SOURCE);
    // If hard links aren't supported, the file is copied.
    if std::fs::hard_link(from.join(super::DATA_FILE), &source).is_err() {
        index.copy_to_path(&source, CompactionOption::Disabled)?;
    }
    let only_read = EnvFlags::READ_ONLY | EnvFlags::NO_LOCK | EnvFlags::NO_SUB_DIR;
    let read = open(&source, index.map_size(), only_read)?;
    let write = open(to, index.map_size(), EnvFlags::NO_SYNC)?;
    copy(&read, &write, is_aborted)?;
    write.force_sync()?;
    for env in [read, write] {
        env.prepare_for_closing().wait();
    }
    Ok(std::fs::remove_file(source)?)
}

fn open(path: &Path, map_size: usize, flags: EnvFlags) -> milli::Result<Env<WithoutTls>> {
    let mut options = EnvOpenOptions::new().read_txn_without_tls();
    options.map_size(map_size).max_dbs(MAX_DATABASES);
    #[expect(unsafe_code, reason = "LMDB maps the file; the engine's folder lock keeps other processes away from it")]
    // SAFETY: only the writer changes or removes index files, and it runs this copy until both environments are closed. So nothing writes
    // to the source, which is read without a lock, and nothing else reads the copy, which isn't synced until it is complete.
    let env = unsafe { options.flags(flags).open(path)? };
    Ok(env)
}

fn copy(read: &Env<WithoutTls>, write: &Env<WithoutTls>, is_aborted: &AtomicBool) -> milli::Result<()> {
    let txn = read.read_txn()?;
    let Some(names) = read.open_database::<Str, DecodeIgnore>(&txn, None)? else { return Ok(()) };
    for name in names.iter(&txn)? {
        let (name, ()) = name?;
        if let Some(database) = read.open_database::<Bytes, Bytes>(&txn, Some(name))? {
            append(database, &txn, write, name, is_aborted)?;
        }
    }
    Ok(())
}

fn append(
    from: Database<Bytes, Bytes>,
    read: &RoTxn<'_, WithoutTls>,
    to: &Env<WithoutTls>,
    name: &str,
    is_aborted: &AtomicBool,
) -> milli::Result<()> {
    let (mut txn, mut size) = (to.write_txn()?, 0);
    let database: Database<Bytes, Bytes> = to.create_database(&mut txn, Some(name))?;
    for entry in from.iter(read)? {
        let (key, value) = entry?;
        database.put_with_flags(&mut txn, PutFlags::APPEND, key, value)?;
        size += key.len() + value.len();
        if size >= COMMIT_EVERY {
            txn.commit()?;
            if is_aborted.load(Ordering::Relaxed) {
                return Err(milli::InternalError::AbortedIndexation.into());
            }
            (txn, size) = (to.write_txn()?, 0);
        }
    }
    Ok(txn.commit()?)
}
