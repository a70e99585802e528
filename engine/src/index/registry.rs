//! The indexes by name. This is an in-memory copy of the names that the queue stores.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, RwLock};

use uuid::Uuid;

use super::failure::io_error;
use super::store_file;
use super::{CompactCopy, IndexSlot, SlotOptions};
use crate::error::EngineError;
use crate::quarantine::Quarantine;
use crate::sync::{read, write};
use crate::tasks::queue::Queue;

/// Every index by name.
pub struct Registry {
    folder: PathBuf,
    options: SlotOptions,
    slots: RwLock<BTreeMap<String, NamedIndex>>,
    quarantine: Arc<Quarantine>,
    /// Names of damaged indexes that were not created again.
    damaged: RwLock<BTreeSet<String>>,
}

/// An index and the name of its folder.
#[derive(Clone)]
pub struct NamedIndex {
    pub folder: Uuid,
    pub slot: Arc<IndexSlot>,
}

impl Registry {
    /// Opens every index named in the queue and deletes unnamed folders, which a crash leaves behind. Damaged indexes lose their names and
    /// are quarantined.
    pub fn open(
        folder: &Path,
        options: SlotOptions,
        queue: &Queue,
        quarantine: Arc<Quarantine>,
        after_crash: bool,
    ) -> Result<Self, EngineError> {
        std::fs::create_dir_all(folder).map_err(EngineError::folder(folder))?;
        let unreadable = |cause| EngineError::Queue { path: folder.to_owned(), cause };
        let (mut slots, mut damaged) = (BTreeMap::new(), BTreeSet::new());
        for (uid, id) in queue.index_names().map_err(unreadable)? {
            let path = folder.join(id.to_string());
            match IndexSlot::open_checked(&path, options, after_crash) {
                Ok(slot) => {
                    slots.insert(uid, NamedIndex { folder: id, slot: Arc::new(slot) });
                }
                Err(error) if store_file::is_damage(&error) => {
                    queue.unname_index(&uid).map_err(unreadable)?;
                    let taken = quarantine.take(Some(&uid), &[&path], &error.to_string());
                    taken.map_err(EngineError::folder(&path))?;
                    damaged.insert(uid);
                }
                Err(error) => return Err(EngineError::Index { uid, path, cause: Box::new(error.into()) }),
            }
        }
        sweep(folder, &slots).map_err(EngineError::folder(folder))?;
        let (slots, damaged) = (RwLock::new(slots), RwLock::new(damaged));
        Ok(Self { folder: folder.to_owned(), options, slots, quarantine, damaged })
    }

    /// Removes the name of a damaged open index, waits for its readers and quarantines its files.
    pub fn quarantine_index(&self, uid: &str, reason: &str, queue: &Queue) -> std::io::Result<()> {
        write(&self.damaged).insert(uid.to_owned());
        queue.unname_index(uid).map_err(io_error)?;
        let path = self.remove(uid).and_then(|named| named.slot.close());
        path.map_or(Ok(()), |path| self.quarantine.take(Some(uid), &[&path], reason))
    }

    /// Returns whether index `uid` was damaged and not created again.
    pub fn is_damaged(&self, uid: &str) -> bool {
        read(&self.damaged).contains(uid)
    }

    pub fn quarantine(&self) -> &Quarantine {
        &self.quarantine
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the index `uid`.
    pub fn get(&self, uid: &str) -> Option<NamedIndex> {
        read(&self.slots).get(uid).cloned()
    }

    /// Returns all indexes, sorted by name.
    pub fn list(&self) -> Vec<(String, NamedIndex)> {
        read(&self.slots).iter().map(|(uid, named)| (uid.clone(), named.clone())).collect()
    }

    /// Creates a folder for a new index that has no name yet.
    pub fn create(&self) -> milli_core::Result<NamedIndex> {
        let folder = Uuid::new_v4();
        let path = self.folder.join(folder.to_string());
        Ok(NamedIndex { folder, slot: Arc::new(IndexSlot::create(&path, self.options)?) })
    }

    /// Copies an index into full pages in a folder that has no name yet.
    pub fn copy_compacted(&self, index: &NamedIndex, is_aborted: &AtomicBool) -> milli_core::Result<CompactCopy> {
        let folder = Uuid::new_v4();
        index.slot.copy_compacted(folder, &self.folder.join(folder.to_string()), is_aborted)
    }

    /// Replaces index `uid` with its copy and deletes the previous folder. The queue must already name the copy.
    pub fn replace(&self, uid: &str, copy: CompactCopy) -> std::io::Result<()> {
        let mut slots = write(&self.slots);
        let Some(named) = slots.get_mut(uid) else { return Ok(()) };
        named.folder = copy.folder;
        let slot = Arc::clone(&named.slot);
        drop(slots);
        slot.replace(copy)
    }

    /// Gives `index` a name, which the queue must already have stored.
    pub fn insert(&self, uid: &str, index: NamedIndex) {
        write(&self.slots).insert(uid.to_owned(), index);
        write(&self.damaged).remove(uid);
    }

    /// Removes a name, which the queue must already have removed.
    pub fn remove(&self, uid: &str) -> Option<NamedIndex> {
        write(&self.slots).remove(uid)
    }

    /// Swaps the names. Every reader sees this as one atomic change.
    pub fn swap(&self, pairs: &[(String, String)]) {
        for (a, b) in pairs {
            let (Some(first), Some(second)) = (self.get(a), self.get(b)) else { continue };
            // If decoding fails, searches in that index report it.
            if let Err(error) = second.slot.preload_facets_of(&first.slot) {
                tracing::debug!(%error, uid = a, "can't preload the facets of an index; its first search will decode them");
            }
        }
        let mut slots = write(&self.slots);
        for (a, b) in pairs {
            if let (Some(first), Some(second)) = (slots.remove(a), slots.remove(b)) {
                slots.insert(a.clone(), second);
                slots.insert(b.clone(), first);
            }
        }
    }

    /// Closes every index once its last reader has finished, and returns their folders.
    pub fn close(&self) -> Vec<PathBuf> {
        let slots = std::mem::take(&mut *write(&self.slots));
        slots.values().filter_map(|named| named.slot.close()).collect()
    }
}

/// Lists the index folders, named or not. Other files and folders are ignored.
pub fn folders(folder: &Path) -> std::io::Result<Vec<Uuid>> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        found.extend(entry?.file_name().to_str().and_then(|name| Uuid::parse_str(name).ok()));
    }
    Ok(found)
}

fn sweep(folder: &Path, slots: &BTreeMap<String, NamedIndex>) -> std::io::Result<()> {
    let known: HashSet<Uuid> = slots.values().map(|named| named.folder).collect();
    for unknown in folders(folder)?.into_iter().filter(|found| !known.contains(found)) {
        let path = folder.join(unknown.to_string());
        tracing::info!(path = %path.display(), "removing an unfinished index");
        std::fs::remove_dir_all(path)?;
    }
    Ok(())
}
