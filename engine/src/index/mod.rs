//! One milli index on disk: opens, grows, copies and closes it.

pub mod apply;
pub mod cause;
pub mod document_write;
pub mod failure;
mod pack;
mod readable;
pub mod registry;
pub mod store_file;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, RwLock};

use milli_core as milli;
use milli_core::heed::EnvOpenOptions;
use tokio::sync::Semaphore;
use uuid::Uuid;

use crate::search::{Filtered, Postings, Totals};
use crate::sync::{read, sync_folder, write};

use store_file::Content;

/// Name of LMDB's file in its folder.
pub const DATA_FILE: &str = "data.mdb";

/// An index and its location on disk. Readers clone the handle, and only the writer grows, moves or removes the index.
pub struct IndexSlot {
    options: SlotOptions,
    /// One permit per concurrent search. Each index has separate permits, so that searches in a small index don't wait for searches in a
    /// large one.
    pub searches: Arc<Semaphore>,
    /// `None` while the map is being replaced and after removal.
    open: RwLock<Option<Open>>,
}

/// Options that apply to all indexes.
#[derive(Debug, Clone, Copy)]
pub struct SlotOptions {
    /// Address space of a new index, in bytes.
    pub map_size: usize,
    pub max_readers: u32,
    /// Memory for decoded facets per index, in bytes.
    pub facet_memory: usize,
    /// Maximum number of concurrent searches per index.
    pub searches: usize,
}

/// An open environment and its folder.
pub struct Open {
    path: PathBuf,
    index: milli::Index,
    postings: Arc<Postings>,
    totals: Arc<Totals>,
    filtered: Arc<Filtered>,
}

/// A handle for searching, with the caches of the index.
pub struct Reader {
    pub index: milli::Index,
    /// Decoded facets.
    pub postings: Arc<Postings>,
    /// Cached hit counts.
    pub totals: Arc<Totals>,
    /// Cached filter results.
    pub filtered: Arc<Filtered>,
}

/// An open, compacted copy of an index, whose folder has no name yet.
pub struct CompactCopy {
    pub folder: Uuid,
    /// Sizes of the original and of the copy, in bytes.
    pub before: u64,
    pub after: u64,
    open: Open,
}

/// Disk space that an index uses, in bytes.
#[derive(Debug, Clone, Copy)]
pub struct Space {
    pub on_disk: u64,
    pub used: u64,
}

impl Space {
    /// Measures `index`.
    pub fn of(index: &milli::Index) -> milli::Result<Self> {
        Ok(Self { on_disk: index.on_disk_size()?, used: index.used_size()? })
    }

    /// Returns the number of bytes that a compaction would free.
    pub fn free(self) -> u64 {
        self.on_disk.saturating_sub(self.used)
    }
}

impl IndexSlot {
    /// Opens the index in `path`.
    pub fn open(path: &Path, options: SlotOptions) -> milli::Result<Self> {
        let open = Open::new(path, options.map_size, options)?;
        Ok(Self { options, searches: Arc::new(Semaphore::new(options.searches)), open: RwLock::new(Some(open)) })
    }

    /// Opens the index like [`IndexSlot::open`], but checks its file first. The check is thorough if the engine was not shut down cleanly.
    ///
    /// # Errors
    /// Fails if the index is damaged ([`store_file::is_damage`]) or cannot be opened.
    pub fn open_checked(path: &Path, options: SlotOptions, after_crash: bool) -> std::io::Result<Self> {
        store_file::check(path, Content::Index, after_crash)?;
        let slot = Self::open(path, options).map_err(failure::open_error)?;
        slot.get().map_or(Ok(()), |index| readable::check(&index)).map(|()| slot)
    }

    /// Creates an index in the new folder `path`, which survives a power failure once this returns.
    pub fn create(path: &Path, options: SlotOptions) -> milli::Result<Self> {
        std::fs::create_dir(path)?;
        let slot = Self::open(path, options).and_then(|slot| {
            sync_names(path)?;
            Ok(slot)
        });
        if slot.is_err() {
            discard(path);
        }
        slot
    }

    /// Checks the whole file in its current state. Searches and writes continue during the check.
    ///
    /// # Errors
    /// Fails if the file is damaged ([`store_file::is_damage`]) or cannot be read.
    pub fn check(&self) -> std::io::Result<()> {
        loop {
            let place = |open: &Open| (open.path.clone(), open.index.clone());
            let Some((path, index)) = read(&self.open).as_ref().map(place) else { return Ok(()) };
            let txn = index.read_txn().map_err(failure::io_error)?;
            // A writer may have committed two newer transactions in the meantime.
            if store_file::check_open(&path, Content::Index, txn.id() as u64)?.is_some() {
                return readable::check(&index);
            }
        }
    }

    /// Reopens the file, which clears the failures that LMDB remembers. Waits for current readers to finish and blocks new ones meanwhile.
    pub fn reopen(&self) -> std::io::Result<()> {
        let mut slot = write(&self.open);
        let Some(Open { path, index, postings, .. }) = slot.take() else { return Ok(()) };
        let size = index.map_size();
        index.prepare_for_closing().wait();
        let mut open = Open::new(&path, size, self.options).map_err(failure::open_error)?;
        open.postings = Arc::new(postings.carry_over());
        *slot = Some(open);
        Ok(())
    }

    /// Returns a handle for reading or writing, or `None` once the index is removed. Waits while the map is being replaced.
    pub fn get(&self) -> Option<milli::Index> {
        read(&self.open).as_ref().map(|open| open.index.clone())
    }

    /// Returns a handle for searching, like [`IndexSlot::get`].
    pub fn reader(&self) -> Option<Reader> {
        read(&self.open).as_ref().map(|open| Reader {
            index: open.index.clone(),
            postings: Arc::clone(&open.postings),
            totals: Arc::clone(&open.totals),
            filtered: Arc::clone(&open.filtered),
        })
    }

    /// Doubles the map. Waits for readers of the old map to finish and blocks new ones meanwhile.
    pub fn grow(&self) -> milli::Result<()> {
        let mut slot = write(&self.open);
        let Some(Open { path, index, postings, .. }) = slot.take() else { return Ok(()) };
        let size = index.map_size();
        tracing::info!(path = %path.display(), from = size, "doubling the map of an index");
        index.prepare_for_closing().wait();
        let (mut open, outcome) = match Open::new(&path, size.saturating_mul(2), self.options) {
            Ok(open) => (open, Ok(())),
            Err(error) => (Open::new(&path, size, self.options)?, Err(error)),
        };
        open.postings = Arc::new(postings.carry_over());
        *slot = Some(open);
        outcome
    }

    /// Decodes the facets that were counted in `other`, whose name this index is about to take, so that no search has to wait for the
    /// decoding.
    pub fn preload_facets_of(&self, other: &Self) -> milli::Result<()> {
        let (Some(own), Some(former)) = (self.reader(), other.reader()) else { return Ok(()) };
        let (txn, of_former) = (own.index.read_txn()?, former.index.read_txn()?);
        let known = former.index.fields_ids_map(&of_former)?;
        let fields = own.index.fields_ids_map(&txn)?;
        for field in former.postings.fields().into_iter().filter_map(|field| fields.id(known.name(field)?)) {
            own.postings.of(&own.index, &txn, field)?;
        }
        Ok(())
    }

    /// Doubles the map if the file fills half of it. If a map fills up during a write, that write has to be repeated.
    pub fn make_room(&self) -> milli::Result<()> {
        let Some(index) = self.get() else { return Ok(()) };
        let crowded = index.on_disk_size()? > index.map_size() as u64 / 2;
        drop(index);
        if crowded { self.grow() } else { Ok(()) }
    }

    /// Copies the index into full pages in the new folder `path`. Neither readers nor the index are affected.
    fn copy_compacted(&self, folder: Uuid, path: &Path, is_aborted: &AtomicBool) -> milli::Result<CompactCopy> {
        let at = |open: &Open| (open.path.clone(), open.index.clone());
        let open = read(&self.open).as_ref().map(at);
        let (from, index) = open.ok_or_else(|| std::io::Error::other("the index is closed"))?;
        std::fs::create_dir(path)?;
        let copied = (|| {
            let before = index.on_disk_size()?;
            pack::pack(&index, &from, path, is_aborted)?;
            let open = Open::new(path, index.map_size(), self.options)?;
            sync_names(path)?;
            let after = open.index.on_disk_size()?;
            Ok(CompactCopy { folder, before, after, open })
        })();
        if copied.is_err() {
            discard(path);
        }
        copied
    }

    /// Makes `copy` visible to readers, and deletes the previous folder once its last reader has finished.
    fn replace(&self, mut copy: CompactCopy) -> std::io::Result<()> {
        let mut open = write(&self.open);
        if let Some(former) = &*open {
            copy.open.postings = Arc::new(former.postings.carry_over());
        }
        let former = open.replace(copy.open);
        drop(open);
        former.map_or(Ok(()), |former| {
            former.index.prepare_for_closing().wait();
            std::fs::remove_dir_all(former.path)
        })
    }

    /// Closes the index once its last reader has finished, and returns its folder.
    pub fn close(&self) -> Option<PathBuf> {
        let Open { path, index, .. } = write(&self.open).take()?;
        index.prepare_for_closing().wait();
        Some(path)
    }

    /// Closes the index and deletes its folder.
    pub fn remove(&self) -> std::io::Result<()> {
        self.close().map_or(Ok(()), std::fs::remove_dir_all)
    }
}

impl Open {
    fn new(path: &Path, map_size: usize, options: SlotOptions) -> milli::Result<Self> {
        let index = open_index(path, map_size, options.max_readers)?;
        let postings = Arc::new(Postings::new(options.facet_memory));
        Ok(Self { path: path.to_owned(), index, postings, totals: Arc::default(), filtered: Arc::default() })
    }
}

fn open_index(path: &Path, map_size: usize, max_readers: u32) -> milli::Result<milli::Index> {
    /// Largest page size of the supported systems. A map size must be a multiple of it.
    const PAGE: usize = 64 << 10;
    let mut options = EnvOpenOptions::new().read_txn_without_tls();
    options.map_size(map_size.max(PAGE).next_multiple_of(PAGE)).max_readers(max_readers);
    milli::Index::new(options, path, true)
}

/// Makes an index's folder and its name durable.
fn sync_names(path: &Path) -> std::io::Result<()> {
    sync_folder(path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Removes an unfinished index. The failure that left it unfinished is reported elsewhere.
fn discard(path: &Path) {
    if let Err(error) = std::fs::remove_dir_all(path) {
        tracing::warn!(%error, path = %path.display(), "can't remove an unfinished index; it will be removed at the next start");
    }
}
