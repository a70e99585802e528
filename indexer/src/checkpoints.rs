//! What the indexer remembers between starts: how far a rebuild got, which objects changed meanwhile,
//! and its number as the index's writer. Kept in sled; losing it costs a rebuild, never data.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use lantern_catalog::outbox::Entity;
use lantern_index::IndexName;
use serde::{Deserialize, Serialize};

use crate::Error;

/// sled gives its lock back in a thread of its own, a moment after the last handle is gone; a lock that is held longer is
/// another process's.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);
/// Between two looks at the lock.
const LOOK_EVERY: Duration = Duration::from_millis(10);

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
}

const EPOCH: &[u8] = b"epoch";
const REBUILDING: &[u8] = b"rebuilding";

impl Checkpoints {
    /// Opens the store below `folder`. A store that can't be read is set aside: its content can be rebuilt.
    ///
    /// # Errors
    /// The folder can't be written, or another process holds it.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.join("indexer");
        let db = match open_free(&path) {
            Ok(db) => db,
            Err(sled::Error::Corruption { .. }) => {
                let aside = folder.join("indexer.damaged");
                tracing::warn!(path = %aside.display(), "the indexer's checkpoints were damaged and are set aside; the index is rebuilt");
                if aside.exists() {
                    std::fs::remove_dir_all(&aside)?;
                }
                std::fs::rename(&path, &aside)?;
                sled::open(&path)?
            }
            Err(error) => return Err(error.into()),
        };
        Ok(Self { progress: db.open_tree("rebuild")?, dirty: db.open_tree("dirty")?, db })
    }

    /// Number this process had when it last became the index's writer.
    pub fn epoch(&self) -> Result<Option<i64>, Error> {
        Ok(self.db.get(EPOCH)?.and_then(|bytes| Some(i64::from_be_bytes(bytes.as_ref().try_into().ok()?))))
    }

    /// Remembers the number; durable when it returns.
    pub fn set_epoch(&self, epoch: i64) -> Result<(), Error> {
        self.db.insert(EPOCH, &epoch.to_be_bytes())?;
        self.db.flush()?;
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

fn open_free(path: &Path) -> sled::Result<sled::Db> {
    let until = Instant::now() + LOCK_PATIENCE;
    loop {
        match sled::open(path) {
            // sled reports a held lock only in words.
            Err(sled::Error::Io(error))
                if error.to_string().contains("could not acquire lock") && Instant::now() < until =>
            {
                std::thread::sleep(LOOK_EVERY);
            }
            outcome => return outcome,
        }
    }
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
            std::thread::sleep(LOCK_PATIENCE / 4);
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
}
