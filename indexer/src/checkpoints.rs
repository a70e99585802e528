//! What the indexer remembers between starts: how far a rebuild got, which objects changed meanwhile,
//! and its number as the index's writer. Kept in sled; losing it costs a rebuild, never data.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    time::{Duration, Instant},
};

use lantern_catalog::outbox::Entity;
use lantern_index::IndexName;
use serde::{Deserialize, Serialize};

use crate::Error;

/// sled gives its lock back in a thread of its own, a moment after the last handle is gone; a lock that is held longer is
/// another process's.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// Between two looks at the lock.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Resume point of one index of a rebuild.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Every id up to and including this one is in the shadow index.
    pub last_id: i64,
    /// Documents written so far.
    pub written: u64,
    /// Documents that the engine refused, which are missing in the shadow index.
    #[serde(default)]
    pub refused: u64,
    /// All pages are written.
    pub complete: bool,
}

/// Handle on the sled trees; cheap to clone.
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
    /// Opens the store below `folder`. A store that can't be read is set aside: its content can be rebuilt.
    ///
    /// # Errors
    /// The folder can't be written, or another process holds it.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("indexer");
        let checkpoints = match open_whole(&path) {
            Err(error) if !is_held(&error) => {
                let aside = folder.join("indexer.damaged");
                tracing::warn!(%error, path = %aside.display(), "the indexer's checkpoints are damaged and set aside; the index is built anew");
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

    /// Number this process had when it last became the index's writer.
    pub fn epoch(&self) -> Result<Option<i64>, Error> {
        Ok(self.db.get(EPOCH)?.and_then(|bytes| Some(i64::from_be_bytes(bytes.as_ref().try_into().ok()?))))
    }

    /// Remembers the number; durable when it returns.
    pub fn set_epoch(&self, epoch: i64) -> Result<(), Error> {
        self.db.insert(EPOCH, &epoch.to_be_bytes())?;
        self.db.insert(UNCONFIRMED, &epoch.to_be_bytes())?;
        self.db.flush()?;
        Ok(())
    }

    /// The number, if the process was cut off before the index knew it.
    pub(crate) fn unconfirmed(&self) -> Result<Option<i64>, Error> {
        Ok(self.db.get(UNCONFIRMED)?.and_then(|bytes| Some(i64::from_be_bytes(bytes.as_ref().try_into().ok()?))))
    }

    /// Notes that the index knows the number.
    pub(crate) fn confirm_epoch(&self) -> Result<(), Error> {
        self.db.remove(UNCONFIRMED)?;
        self.db.flush()?;
        Ok(())
    }

    /// The consumer whose only writer is the holder of this folder.
    pub(crate) fn own(&self) -> Result<Option<String>, Error> {
        Ok(self.db.get(OWN)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Remembers that consumer, or that there is none; durable with the next flush.
    pub(crate) fn set_own(&self, name: Option<&str>) -> Result<(), Error> {
        match name {
            Some(name) => self.db.insert(OWN, name)?,
            None => self.db.remove(OWN)?,
        };
        Ok(())
    }

    /// Consumers that this folder had before, with the time in microseconds when they were last heard of.
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

    /// Remembers such a consumer; durable when it returns.
    pub(crate) fn add_former(&self, name: &str, heard_at: i64) -> Result<(), Error> {
        self.former.insert(name, &heard_at.to_be_bytes())?;
        self.db.flush()?;
        Ok(())
    }

    /// Forgets such a consumer.
    pub(crate) fn remove_former(&self, name: &str) -> Result<(), Error> {
        self.former.remove(name)?;
        Ok(())
    }

    /// Whether a rebuild was begun and not ended; while it is, changes are recorded as dirty.
    pub fn rebuilding(&self) -> Result<Option<String>, Error> {
        Ok(self.db.get(REBUILDING)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Starts a rebuild towards `fingerprint`, forgetting an older one.
    pub fn begin(&self, fingerprint: &str) -> Result<(), Error> {
        self.progress.clear()?;
        self.dirty.clear()?;
        self.db.insert(REBUILDING, fingerprint)?;
        self.db.flush()?;
        Ok(())
    }

    /// Forgets the rebuild: its indexes are live, or of no use.
    pub fn forget(&self) -> Result<(), Error> {
        self.db.remove(REBUILDING)?;
        self.progress.clear()?;
        self.dirty.clear()?;
        self.db.flush()?;
        Ok(())
    }

    /// Resume point of an index.
    pub fn progress(&self, index: IndexName) -> Result<Progress, Error> {
        Ok(match self.progress.get(index.uid())? {
            Some(bytes) => serde_json::from_slice(&bytes)?,
            None => Progress::default(),
        })
    }

    /// Records a resume point; durable when it returns.
    pub fn set_progress(&self, index: IndexName, progress: Progress) -> Result<(), Error> {
        self.progress.insert(index.uid(), serde_json::to_vec(&progress)?)?;
        self.db.flush()?;
        Ok(())
    }

    /// Remembers objects that changed while a rebuild runs; durable when it returns.
    pub fn mark_dirty(&self, keys: impl Iterator<Item = (Entity, i64)>) -> Result<(), Error> {
        for (entity, id) in keys {
            self.dirty.insert(format!("{entity}:{id}"), &[])?;
        }
        self.db.flush()?;
        Ok(())
    }

    /// The objects recorded by [`Self::mark_dirty`].
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

/// Opens a store and reads all of it: sled finds damage where it reads, and panics over some kinds of it.
fn open_whole(path: &Path) -> sled::Result<Checkpoints> {
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let db = open_free(path)?;
        let (progress, dirty, former) = (db.open_tree("rebuild")?, db.open_tree("dirty")?, db.open_tree("former")?);
        for tree in [&*db, &progress, &dirty, &former] {
            tree.iter().try_for_each(|entry| entry.map(drop))?;
        }
        Ok(Checkpoints { db, progress, dirty, former })
    }));
    attempt.unwrap_or_else(|_| Err(sled::Error::ReportableBug("it is damaged".to_owned())))
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

/// sled reports a held lock only in words.
fn is_held(error: &sled::Error) -> bool {
    matches!(error, sled::Error::Io(error) if error.to_string().contains("could not acquire lock"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_that_is_let_go_in_a_moment_is_waited_for() {
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
    fn a_rebuild_resumes_where_it_was() {
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

    /// Noise, zeroes and cuts in every file of a store: it opens, whole or empty, and takes what is written.
    #[test]
    fn damage_costs_what_was_remembered_and_no_start() {
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
