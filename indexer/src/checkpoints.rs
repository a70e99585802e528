//! State that persists across restarts: a rebuild's progress, the objects that changed during it, and this writer's epoch. It is stored in
//! sled. Losing it requires a rebuild, but never loses data.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

use lantern_catalog::outbox::Entity;
use lantern_index::IndexName;
use serde::{Deserialize, Serialize};

use crate::Error;

/// sled releases its lock in a background thread shortly after the last handle is dropped. A lock that is held for longer belongs to
/// another process.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval between attempts to take the lock.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Resume point of an index in a rebuild.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// All ids up to and including this one are in the shadow index.
    pub last_id: i64,
    /// Documents written so far.
    pub written: u64,
    /// Documents rejected by the engine and therefore missing from the shadow index.
    #[serde(default)]
    pub refused: u64,
    /// Whether all pages are written.
    pub complete: bool,
}

/// Handle to the sled trees. It is cheap to clone.
#[derive(Debug, Clone)]
pub struct Checkpoints {
    db: sled::Db,
    progress: sled::Tree,
    dirty: sled::Tree,
    former: sled::Tree,
}

const UNCONFIRMED: &[u8] = b"unconfirmed";
const OWN: &[u8] = b"own";
const EPOCH: &[u8] = b"epoch";
const REBUILDING: &[u8] = b"rebuilding";

impl Checkpoints {
    /// Opens the store in `folder`. Moves an unreadable store aside, because its content can be rebuilt.
    ///
    /// # Errors
    /// If the folder isn't writable or another process holds the store.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("indexer");
        let checkpoints = match open_whole(&path) {
            Err(error) if !is_held(&error) => {
                let aside = folder.join("indexer.damaged");
                tracing::warn!(%error, path = %aside.display(), "checkpoints are damaged and moved aside; the index will be rebuilt");
                if aside.exists() {
                    std::fs::remove_dir_all(&aside)?;
                }
                std::fs::rename(&path, &aside)?;
                open_whole(&path)
            }
            outcome => outcome,
        };
        Ok(checkpoints?)
    }

    /// Returns the epoch assigned when this process last became the writer.
    pub fn epoch(&self) -> Result<Option<i64>, Error> {
        Ok(self.db.get(EPOCH)?.and_then(|bytes| Some(i64::from_be_bytes(bytes.as_ref().try_into().ok()?))))
    }

    /// Stores the epoch. It is durable when this returns.
    pub fn set_epoch(&self, epoch: i64) -> Result<(), Error> {
        self.db.insert(EPOCH, &epoch.to_be_bytes())?;
        self.db.insert(UNCONFIRMED, &epoch.to_be_bytes())?;
        self.db.flush()?;
        Ok(())
    }

    /// Returns the epoch if the process was interrupted before the index recorded it.
    pub(crate) fn unconfirmed(&self) -> Result<Option<i64>, Error> {
        Ok(self.db.get(UNCONFIRMED)?.and_then(|bytes| Some(i64::from_be_bytes(bytes.as_ref().try_into().ok()?))))
    }

    /// Records that the index has recorded the epoch.
    pub(crate) fn confirm_epoch(&self) -> Result<(), Error> {
        self.db.remove(UNCONFIRMED)?;
        self.db.flush()?;
        Ok(())
    }

    /// Returns the consumer whose only writer is the holder of this folder.
    pub(crate) fn own(&self) -> Result<Option<String>, Error> {
        Ok(self.db.get(OWN)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Stores or removes the consumer returned by [`Self::own`]. The change becomes durable with the next flush.
    pub(crate) fn set_own(&self, name: Option<&str>) -> Result<(), Error> {
        match name {
            Some(name) => self.db.insert(OWN, name)?,
            None => self.db.remove(OWN)?,
        };
        Ok(())
    }

    /// Returns former consumers of this folder, each with the time of its last heartbeat in microseconds.
    pub(crate) fn former(&self) -> Result<Vec<(String, i64)>, Error> {
        let mut former = Vec::new();
        for entry in self.former.iter() {
            let (name, heard_at) = entry?;
            if let Ok(bytes) = heard_at.as_ref().try_into() {
                former.push((String::from_utf8_lossy(&name).into_owned(), i64::from_be_bytes(bytes)));
            }
        }
        Ok(former)
    }

    /// Stores a former consumer. It is durable when this returns.
    pub(crate) fn add_former(&self, name: &str, heard_at: i64) -> Result<(), Error> {
        self.former.insert(name, &heard_at.to_be_bytes())?;
        self.db.flush()?;
        Ok(())
    }

    /// Removes a former consumer.
    pub(crate) fn remove_former(&self, name: &str) -> Result<(), Error> {
        self.former.remove(name)?;
        Ok(())
    }

    /// Returns the fingerprint of an unfinished rebuild, during which changes are recorded as dirty.
    pub fn rebuilding(&self) -> Result<Option<String>, Error> {
        Ok(self.db.get(REBUILDING)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Starts a rebuild with `fingerprint`, discarding an older one.
    pub fn begin(&self, fingerprint: &str) -> Result<(), Error> {
        self.progress.clear()?;
        self.dirty.clear()?;
        self.db.insert(REBUILDING, fingerprint)?;
        self.db.flush()?;
        Ok(())
    }

    /// Discards the rebuild, because its indexes are already live or have become useless.
    pub fn forget(&self) -> Result<(), Error> {
        self.db.remove(REBUILDING)?;
        self.progress.clear()?;
        self.dirty.clear()?;
        self.db.flush()?;
        Ok(())
    }

    /// Returns the resume point of an index.
    pub fn progress(&self, index: IndexName) -> Result<Progress, Error> {
        Ok(match self.progress.get(index.uid())? {
            Some(bytes) => serde_json::from_slice(&bytes)?,
            None => Progress::default(),
        })
    }

    /// Stores a resume point. It is durable when this returns.
    pub fn set_progress(&self, index: IndexName, progress: Progress) -> Result<(), Error> {
        self.progress.insert(index.uid(), serde_json::to_vec(&progress)?)?;
        self.db.flush()?;
        Ok(())
    }

    /// Records objects that changed during a rebuild. They are durable when this returns.
    pub fn mark_dirty(&self, keys: impl Iterator<Item = (Entity, i64)>) -> Result<(), Error> {
        for (entity, id) in keys {
            self.dirty.insert(format!("{entity}:{id}"), &[])?;
        }
        self.db.flush()?;
        Ok(())
    }

    /// Returns the objects recorded by [`Self::mark_dirty`].
    pub fn dirty(&self) -> Result<Vec<(Entity, i64)>, Error> {
        let mut out = Vec::new();
        for key in self.dirty.iter().keys() {
            let key = key?;
            let text = String::from_utf8_lossy(&key);
            if let Some((entity, id)) = text.split_once(':')
                && let (Ok(entity), Ok(id)) = (entity.parse(), id.parse())
            {
                out.push((entity, id));
            }
        }
        Ok(out)
    }
}

/// Opens a store and reads all of it, because sled detects damage only while reading. Some kinds of damage make sled panic.
fn open_whole(path: &Path) -> sled::Result<Checkpoints> {
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let db = open_free(path)?;
        let (progress, dirty, former) = (db.open_tree("rebuild")?, db.open_tree("dirty")?, db.open_tree("former")?);
        for tree in [&*db, &progress, &dirty, &former] {
            tree.iter().try_for_each(|entry| entry.map(drop))?;
        }
        Ok(Checkpoints { db, progress, dirty, former })
    }));
    attempt.unwrap_or_else(|_| Err(sled::Error::ReportableBug("damaged".to_owned())))
}

fn open_free(path: &Path) -> sled::Result<sled::Db> {
    let until = Instant::now() + LOCK_TIMEOUT;
    loop {
        match sled::open(path) {
            Err(error) if is_held(&error) && Instant::now() < until => std::thread::sleep(POLL_INTERVAL),
            outcome => return outcome,
        }
    }
}

/// Whether another process holds the lock. sled reports this only in the error's message.
fn is_held(error: &sled::Error) -> bool {
    matches!(error, sled::Error::Io(error) if error.to_string().contains("could not acquire lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_waits_for_a_lock_about_to_be_released() {
        let folder = tempfile::tempdir().unwrap();
        let held = Checkpoints::open(folder.path()).unwrap();
        let refused = Checkpoints::open(folder.path()).unwrap_err();
        assert!(refused.to_string().contains("could not acquire lock"), "{refused}");
        let holder = std::thread::spawn(move || {
            std::thread::sleep(LOCK_TIMEOUT / 4);
            drop(held);
        });
        Checkpoints::open(folder.path()).unwrap();
        holder.join().unwrap();
    }

    #[test]
    fn rebuild_resumes_at_checkpoint() {
        let folder = tempfile::tempdir().unwrap();
        {
            let checkpoints = Checkpoints::open(folder.path()).unwrap();
            checkpoints.begin("a").unwrap();
            checkpoints
                .set_progress(IndexName::Videos, Progress { last_id: 42, written: 40, refused: 1, complete: false })
                .unwrap();
            checkpoints.mark_dirty([(Entity::Video, 7), (Entity::Video, 7), (Entity::Model, 1)].into_iter()).unwrap();
        }
        let checkpoints = Checkpoints::open(folder.path()).unwrap();
        assert_eq!(checkpoints.rebuilding().unwrap().as_deref(), Some("a"));
        assert_eq!(checkpoints.progress(IndexName::Videos).unwrap().last_id, 42);
        assert_eq!(checkpoints.dirty().unwrap().len(), 2);
        checkpoints.forget().unwrap();
        assert_eq!(checkpoints.rebuilding().unwrap(), None);
        assert!(checkpoints.dirty().unwrap().is_empty());
    }

    /// If any of its files contains noise or zeros or is truncated, the store still opens, intact or empty, and accepts writes.
    #[test]
    fn damage_loses_checkpoints_but_never_prevents_a_start() {
        use rand::{Rng, RngCore, SeedableRng};

        let pristine = tempfile::tempdir().unwrap();
        {
            let checkpoints = Checkpoints::open(pristine.path()).unwrap();
            checkpoints.begin("a").unwrap();
            checkpoints.mark_dirty((0..2000).map(|id| (Entity::Video, id))).unwrap();
        }
        let files: Vec<_> = std::fs::read_dir(pristine.path().join("indexer"))
            .unwrap()
            .map(|entry| entry.unwrap())
            .filter(|entry| entry.file_type().unwrap().is_file())
            .map(|entry| entry.file_name())
            .collect();
        let mut dice = rand_chacha::ChaCha8Rng::seed_from_u64(20);
        for round in 0..60 {
            let folder = tempfile::tempdir().unwrap();
            let store = folder.path().join("indexer");
            std::fs::create_dir(&store).unwrap();
            for name in &files {
                std::fs::copy(pristine.path().join("indexer").join(name), store.join(name)).unwrap();
            }
            let path = store.join(&files[dice.random_range(0..files.len())]);
            let mut bytes = std::fs::read(&path).unwrap();
            let from = dice.random_range(0..bytes.len().max(1));
            match round % 3 {
                0 => dice.fill_bytes(&mut bytes[from..]),
                1 => bytes[from..].iter_mut().take(4096).for_each(|byte| *byte = 0),
                _ => bytes.truncate(from),
            }
            std::fs::write(&path, bytes).unwrap();
            let checkpoints = Checkpoints::open(folder.path()).unwrap();
            checkpoints.rebuilding().unwrap();
            checkpoints.dirty().unwrap();
            checkpoints.set_epoch(7).unwrap();
            assert_eq!(checkpoints.epoch().unwrap(), Some(7));
        }
    }
}
