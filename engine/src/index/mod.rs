//! One milli index on disk: opening, growing, copying, closing.

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

/// LMDB's file in a folder of its own.
pub const DATA_FILE: &str = "data.mdb";

/// An index and its place on disk. Readers take clones of the handle; only the writer grows, moves or removes it.
pub struct IndexSlot {
    options: SlotOptions,
    /// One permit for each search that may run in it: those of a small index don't wait for those of a large one.
    pub searches: Arc<Semaphore>,
    /// `None` while the map is being replaced and after removal.
    open: RwLock<Option<Open>>,
}

/// What is the same for every index.
#[derive(Debug, Clone, Copy)]
pub struct SlotOptions {
    /// Address space of a new index, in bytes.
    pub map_size: usize,
    pub max_readers: u32,
    /// Memory for decoded facets of one index, in bytes.
    pub facet_memory: usize,
    /// Searches of one index at the same time.
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

/// A handle for searching, with what is remembered of the index.
pub struct Reader {
    pub index: milli::Index,
    /// Facets, decoded.
    pub postings: Arc<Postings>,
    /// Numbers of hits.
    pub totals: Arc<Totals>,
    /// What filters leave.
    pub filtered: Arc<Filtered>,
}

/// A compacted copy of an index, open, in a folder that has no name yet.
pub struct CompactCopy {
    pub folder: Uuid,
    /// Bytes of the index it was made from, and of itself.
    pub before: u64,
    pub after: u64,
    open: Open,
}

/// Disk space of an index in bytes.
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

    /// What a compaction would give back.
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

    /// As [`IndexSlot::open`], after a look at the file, which is thorough when the engine was not closed in order.
    ///
    /// # Errors
    /// The index is damaged ([`store_file::is_damage`]), or can't be opened.
    pub fn open_checked(path: &Path, options: SlotOptions, after_crash: bool) -> std::io::Result<Self> {
        store_file::check(path, Content::Index, after_crash)?;
        let slot = Self::open(path, options).map_err(failure::open_error)?;
        slot.get().map_or(Ok(()), |index| readable::check(&index)).map(|()| slot)
    }

    /// Creates an index in the new folder `path`; when this returns, a power cut doesn't take the folder back.
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

    /// Reads the whole file as it is now; searches and writes go on meanwhile.
    ///
    /// # Errors
    /// It is damaged ([`store_file::is_damage`]), or can't be read.
    pub fn check(&self) -> std::io::Result<()> {
        loop {
            let place = |open: &Open| (open.path.clone(), open.index.clone());
            let Some((path, index)) = read(&self.open).as_ref().map(place) else { return Ok(()) };
            let txn = index.read_txn().map_err(failure::io_error)?;
            // A writer may have put two newer transactions before this one was found.
            if store_file::check_open(&path, Content::Index, txn.id() as u64)?.is_some() {
                return readable::check(&index);
            }
        }
    }

    /// Opens the file anew, which ends what LMDB remembers of failures: waits for readers, keeps new ones waiting meanwhile.
    pub fn reopen(&self) -> std::io::Result<()> {
        let mut slot = write(&self.open);
        let Some(Open { path, index, postings, .. }) = slot.take() else { return Ok(()) };
        let size = index.map_size();
        index.prepare_for_closing().wait();
        let mut open = Open::new(&path, size, self.options).map_err(failure::open_error)?;
        open.postings = Arc::new(postings.carried());
        *slot = Some(open);
        Ok(())
    }

    /// A handle for reading or writing; waits while the map is being replaced. `None` once the index is removed.
    pub fn get(&self) -> Option<milli::Index> {
        read(&self.open).as_ref().map(|open| open.index.clone())
    }

    /// The same for searching.
    pub fn reader(&self) -> Option<Reader> {
        read(&self.open).as_ref().map(|open| Reader {
            index: open.index.clone(),
            postings: Arc::clone(&open.postings),
            totals: Arc::clone(&open.totals),
            filtered: Arc::clone(&open.filtered),
        })
    }

    /// Doubles the map: waits for the readers of the old one, keeps new ones waiting meanwhile.
    pub fn grow(&self) -> milli::Result<()> {
        let mut slot = write(&self.open);
        let Some(Open { path, index, postings, .. }) = slot.take() else { return Ok(()) };
        let size = index.map_size();
        tracing::info!(path = %path.display(), from = size, "the map of an index doubles");
        index.prepare_for_closing().wait();
        let (mut open, outcome) = match Open::new(&path, size.saturating_mul(2), self.options) {
            Ok(open) => (open, Ok(())),
            Err(error) => (Open::new(&path, size, self.options)?, Err(error)),
        };
        open.postings = Arc::new(postings.carried());
        *slot = Some(open);
        outcome
    }

    /// Decodes the facets that somebody counted in `other`, whose name this index is about to get: nobody who searches then has to wait
    /// for it.
    pub fn decode_as(&self, other: &Self) -> milli::Result<()> {
        let (Some(own), Some(former)) = (self.reader(), other.reader()) else { return Ok(()) };
        let (txn, of_former) = (own.index.read_txn()?, former.index.read_txn()?);
        let known = former.index.fields_ids_map(&of_former)?;
        let fields = own.index.fields_ids_map(&txn)?;
        for field in former.postings.fields().into_iter().filter_map(|field| fields.id(known.name(field)?)) {
            own.postings.of(&own.index, &txn, field)?;
        }
        Ok(())
    }

    /// Doubles the map when the file fills half of it: a map that is full in the middle of a write costs that write again.
    pub fn make_room(&self) -> milli::Result<()> {
        let Some(index) = self.get() else { return Ok(()) };
        let crowded = index.on_disk_size()? > index.map_size() as u64 / 2;
        drop(index);
        if crowded { self.grow() } else { Ok(()) }
    }

    /// Copies the index into full pages in the new folder `path`; readers and the index itself go on.
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

    /// Lets readers find `copy` from now on; once the last reader of the former index is gone, its folder goes.
    fn replace(&self, mut copy: CompactCopy) -> std::io::Result<()> {
        let mut open = write(&self.open);
        if let Some(former) = &*open {
            copy.open.postings = Arc::new(former.postings.carried());
        }
        let former = open.replace(copy.open);
        drop(open);
        former.map_or(Ok(()), |former| {
            former.index.prepare_for_closing().wait();
            std::fs::remove_dir_all(former.path)
        })
    }

    /// Closes the index once its readers are gone, and answers its folder.
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
    /// The largest page size of the systems we run on: a map must be a multiple of it.
    const PAGE: usize = 64 << 10;
    let mut options = EnvOpenOptions::new().read_txn_without_tls();
    options.map_size(map_size.max(PAGE).next_multiple_of(PAGE)).max_readers(max_readers);
    milli::Index::new(options, path, true)
}

/// Makes the folder of an index durable under its own name.
fn sync_names(path: &Path) -> std::io::Result<()> {
    sync_folder(path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Removes what was begun in `path`; the cause of its end is reported elsewhere.
fn discard(path: &Path) {
    if let Err(error) = std::fs::remove_dir_all(path) {
        tracing::warn!(%error, path = %path.display(), "a half-made index stays until the next start");
    }
}
