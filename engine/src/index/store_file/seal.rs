//! The seal of a store that was closed cleanly: a checksum of the whole file. A store with a valid seal needs no other check. Reading a
//! file sequentially is the fastest possible check.

use std::fs::File;
use std::io::{ErrorKind, Read, Result, Write};
use std::path::Path;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{Store, damaged};
use crate::index::DATA_FILE;
use crate::sync::sync_folder;

/// Name of the seal file, which is next to [`DATA_FILE`].
const SEAL_FILE: &str = "seal.json";
/// Bytes per read.
const CHUNK: usize = 1 << 20;

/// State of a file when it was closed.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    transaction: u64,
    length: u64,
    crc32: u32,
}

impl Seal {
    /// Fails if the file has changed since it was sealed.
    pub(super) fn verify(&self, store: &Store, transaction: u64) -> Result<()> {
        let length = store.file.metadata()?.len();
        let holds = (transaction, length) == (self.transaction, self.length)
            && sum(&store.file, None)?.is_some_and(|crc32| crc32 == self.crc32);
        if holds { Ok(()) } else { Err(damaged("the file was changed after it was closed")) }
    }
}

/// Returns the seal in `folder`. An unreadable seal counts as missing.
pub(super) fn read(folder: &Path) -> Result<Option<Seal>> {
    match std::fs::read(folder.join(SEAL_FILE)) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Seals the closed store in `folder` unless `deadline` passes first. Returns whether it is sealed.
pub fn seal(folder: &Path, deadline: Instant) -> Result<bool> {
    let store = Store::open(&folder.join(DATA_FILE))?;
    let (transaction, length) = (store.newest()?.transaction, store.file.metadata()?.len());
    let former = read(folder)?.filter(|seal| (seal.transaction, seal.length) == (transaction, length));
    if former.is_some() {
        return Ok(true);
    }
    unseal(folder)?;
    let Some(crc32) = sum(&store.file, Some(deadline))? else { return Ok(false) };
    let mut file = File::create(folder.join(SEAL_FILE))?;
    file.write_all(&serde_json::to_vec(&Seal { transaction, length, crc32 })?)?;
    file.sync_all()?;
    sync_folder(folder)?;
    Ok(true)
}

/// Removes the seal of a store.
fn unseal(folder: &Path) -> Result<()> {
    match std::fs::remove_file(folder.join(SEAL_FILE)) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Returns the checksum of a file, or `None` if the deadline passed.
fn sum(mut file: &File, deadline: Option<Instant>) -> Result<Option<u32>> {
    std::io::Seek::rewind(&mut file)?;
    let (mut hasher, mut chunk) = (crc32fast::Hasher::new(), vec![0; CHUNK]);
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(Some(hasher.finalize())),
            _ if deadline.is_some_and(|deadline| Instant::now() >= deadline) => return Ok(None),
            read => hasher.update(&chunk[..read]),
        }
    }
}
