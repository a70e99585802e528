//! One milli index on disk: opening, growing, closing.

pub mod apply;
pub mod failure;
pub mod registry;

use std::path::{Path, PathBuf};
use std::sync::RwLock;

use milli_core as milli;
use milli_core::heed::EnvOpenOptions;

use crate::sync::{read, write};

/// An index and its place on disk. Readers take clones of the handle; only the writer grows or removes it.
pub struct IndexSlot {
    path: PathBuf,
    max_readers: u32,
    /// `None` while the map is being replaced and after removal.
    index: RwLock<Option<milli::Index>>,
}

impl IndexSlot {
    /// Opens or creates the index in `path` with a map of at least `map_size` bytes.
    pub fn open(path: &Path, map_size: usize, max_readers: u32) -> milli::Result<Self> {
        std::fs::create_dir_all(path)?;
        let index = open_index(path, map_size, max_readers)?;
        Ok(Self { path: path.to_owned(), max_readers, index: RwLock::new(Some(index)) })
    }

    /// A handle for reading or writing; waits while the map is being replaced. `None` once the index is removed.
    pub fn get(&self) -> Option<milli::Index> {
        read(&self.index).clone()
    }

    /// Doubles the map: waits for the readers of the old one, keeps new ones waiting meanwhile.
    pub fn grow(&self) -> milli::Result<()> {
        let mut slot = write(&self.index);
        let Some(index) = slot.take() else { return Ok(()) };
        let size = index.map_size();
        tracing::info!(path = %self.path.display(), from = size, "the map of an index doubles");
        index.prepare_for_closing().wait();
        let grown = open_index(&self.path, size.saturating_mul(2), self.max_readers);
        let (index, outcome) = match grown {
            Ok(index) => (index, Ok(())),
            Err(error) => (open_index(&self.path, size, self.max_readers)?, Err(error)),
        };
        *slot = Some(index);
        outcome
    }

    /// Closes the index once its readers are gone.
    pub fn close(&self) {
        if let Some(index) = write(&self.index).take() {
            index.prepare_for_closing().wait();
        }
    }

    /// Closes the index and deletes its folder.
    pub fn remove(&self) -> std::io::Result<()> {
        self.close();
        std::fs::remove_dir_all(&self.path)
    }
}

fn open_index(path: &Path, map_size: usize, max_readers: u32) -> milli::Result<milli::Index> {
    /// The largest page size of the systems we run on: a map must be a multiple of it.
    const PAGE: usize = 64 << 10;
    let mut options = EnvOpenOptions::new().read_txn_without_tls();
    options.map_size(map_size.max(PAGE).next_multiple_of(PAGE)).max_readers(max_readers);
    milli::Index::new(options, path, true)
}
