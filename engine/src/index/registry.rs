//! Which indexes there are. The names live in the queue's transactions; this is their image in memory.

use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, RwLock};

use uuid::Uuid;

use super::{CompactCopy, DATA_FILE, IndexSlot, SlotOptions, store_file};
use crate::error::EngineError;
use crate::sync::{read, write};
use crate::tasks::queue::Queue;

/// Every index by name.
pub struct Registry {
    folder: PathBuf,
    options: SlotOptions,
    slots: RwLock<BTreeMap<String, NamedIndex>>,
}

/// An index and the name of its folder.
#[derive(Clone)]
pub struct NamedIndex {
    pub folder: Uuid,
    pub slot: Arc<IndexSlot>,
}

impl Registry {
    /// Opens every index the queue names and deletes folders that have no name: left-overs of a crash.
    pub fn open(folder: &Path, options: SlotOptions, queue: &Queue) -> Result<Self, EngineError> {
        std::fs::create_dir_all(folder).map_err(EngineError::folder(folder))?;
        let names = queue.index_names().map_err(|cause| EngineError::Queue { path: folder.to_owned(), cause })?;
        let mut slots = BTreeMap::new();
        for (uid, id) in names {
            let path = folder.join(id.to_string());
            let slot = store_file::check(&path.join(DATA_FILE))
                .map_err(milli_core::Error::from)
                .and_then(|()| IndexSlot::open(&path, options))
                .map_err(|cause| EngineError::Index { uid: uid.clone(), path, cause: Box::new(cause) })?;
            slots.insert(uid, NamedIndex { folder: id, slot: Arc::new(slot) });
        }
        sweep(folder, &slots).map_err(EngineError::folder(folder))?;
        Ok(Self { folder: folder.to_owned(), options, slots: RwLock::new(slots) })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The index called `uid`.
    pub fn get(&self, uid: &str) -> Option<NamedIndex> {
        read(&self.slots).get(uid).cloned()
    }

    /// Every index, by name.
    pub fn list(&self) -> Vec<(String, NamedIndex)> {
        read(&self.slots).iter().map(|(uid, named)| (uid.clone(), named.clone())).collect()
    }

    /// Makes a folder for a new index; it has no name yet.
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

    /// Puts the copy in the place of the index called `uid` and deletes the former folder; the queue names the copy already.
    pub fn replace(&self, uid: &str, copy: CompactCopy) -> std::io::Result<()> {
        let mut slots = write(&self.slots);
        let Some(named) = slots.get_mut(uid) else { return Ok(()) };
        named.folder = copy.folder;
        let slot = Arc::clone(&named.slot);
        drop(slots);
        slot.replace(copy)
    }

    /// Names `index`; the queue has the name already.
    pub fn insert(&self, uid: &str, index: NamedIndex) {
        write(&self.slots).insert(uid.to_owned(), index);
    }

    /// Forgets a name; the queue has forgotten it already.
    pub fn remove(&self, uid: &str) -> Option<NamedIndex> {
        write(&self.slots).remove(uid)
    }

    /// Lets two names change places at once for every reader.
    pub fn swap(&self, pairs: &[(String, String)]) {
        for (a, b) in pairs {
            let (Some(first), Some(second)) = (self.get(a), self.get(b)) else { continue };
            // An index that can't be decoded says so to whoever searches it.
            if let Err(error) = second.slot.decode_as(&first.slot) {
                tracing::debug!(%error, uid = a, "the facets of an index are decoded by its first search");
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

    /// Closes every index once its readers are gone.
    pub fn close(&self) {
        let slots = std::mem::take(&mut *write(&self.slots));
        for named in slots.values() {
            named.slot.close();
        }
    }
}

/// The folders of indexes there are, with and without a name. Other files and folders are none of ours.
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
        tracing::info!(path = %path.display(), "an index that was never finished is removed");
        std::fs::remove_dir_all(path)?;
    }
    Ok(())
}
