//! governor's state in a sled tree, one eight-byte moment per key.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use governor::{nanos::Nanos, state::StateStore};

use crate::{clock::TimeSource, key::ClientKey};

/// Why no store could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process holds it: it is healthy and must not be set aside.
    #[error("the limits in {path} are in use by another process")]
    InUse {
        /// The store's folder.
        path: PathBuf,
    },
    /// The broken store could not be renamed.
    #[error("the broken limits store {path} could not be set aside: {source}")]
    SetAside {
        /// The store's folder.
        path: PathBuf,
        /// What the rename said.
        source: std::io::Error,
    },
    /// Even an empty store can't be made here.
    #[error("no limits store can be made at {path}: {reason}")]
    Create {
        /// The store's folder.
        path: PathBuf,
        /// What sled said.
        reason: String,
    },
    /// A tree inside the store can't be opened.
    #[error("the limits store can't be read: {0}")]
    Tree(#[from] sled::Error),
}

/// Opens the store; one that can't be read is renamed to `<name>.broken-<unix seconds>` and an
/// empty one takes its place.
pub(crate) fn open(path: &Path, now: &dyn TimeSource) -> Result<sled::Db, OpenError> {
    let reason = match try_open(path) {
        Ok(db) => return Ok(db),
        Err(reason) => reason,
    };
    // sled reports a held lock only in words.
    if reason.contains("could not acquire lock") {
        return Err(OpenError::InUse { path: path.into() });
    }
    let seconds = now.unix_nanos() / 1_000_000_000;
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".broken-{seconds}"));
    tracing::error!(path = %path.display(), %reason, "limits store set aside, starting empty");
    std::fs::rename(path, &aside).map_err(|source| OpenError::SetAside { path: path.into(), source })?;
    try_open(path).map_err(|reason| OpenError::Create { path: path.into(), reason })
}

/// sled panics on some kinds of damage, so a panic counts as "can't be opened".
fn try_open(path: &Path) -> Result<sled::Db, String> {
    match catch_unwind(AssertUnwindSafe(|| sled::open(path))) {
        Ok(opened) => opened.map_err(|error| error.to_string()),
        Err(_) => Err("it is damaged".to_owned()),
    }
}

/// The state of one action's keys; a clone is another handle to the same state.
#[derive(Clone)]
pub(crate) struct SledState {
    tree: sled::Tree,
    time: Arc<dyn TimeSource>,
    /// How far ahead of now a moment can be when the clock was right all along.
    horizon: u64,
}

impl SledState {
    pub(crate) fn new(tree: sled::Tree, time: Arc<dyn TimeSource>, horizon: Duration) -> Self {
        let horizon = u64::try_from(horizon.as_nanos()).unwrap_or(u64::MAX);
        Self { tree, time, horizon }
    }

    /// The stored moment of `key`.
    ///
    /// One that is further ahead than possible (the wall clock was set back) is pulled back to
    /// "exhausted just now", and written: a refusal stores nothing, so the wait would start
    /// anew with every try until the clock has caught up.
    fn read(&self, key: &ClientKey) -> sled::Result<Option<sled::IVec>> {
        let current = self.tree.get(key)?;
        let latest = self.time.unix_nanos().saturating_add(self.horizon);
        match current {
            Some(stored) if moment(&stored).is_none_or(|m| m.as_u64() > latest) => {
                let pulled = sled::IVec::from(&latest.to_be_bytes());
                let swap = self.tree.compare_and_swap(key, Some(stored), Some(pulled.clone()))?;
                Ok(swap.map_or_else(|lost| lost.current, |()| Some(pulled)))
            }
            current => Ok(current),
        }
    }

    /// Removes every key whose next cell is already due: it says no more than a missing one.
    pub(crate) fn sweep(&self) -> sled::Result<usize> {
        let now = self.time.unix_nanos();
        let mut removed = 0;
        for entry in &self.tree {
            let (key, value) = entry?;
            if moment(&value).is_none_or(|m| m.as_u64() <= now) {
                // Only if nobody used the key since it was read.
                let swapped = self.tree.compare_and_swap(key, Some(value), None::<&[u8]>)?;
                removed += usize::from(swapped.is_ok());
            }
        }
        Ok(removed)
    }

    pub(crate) fn len(&self) -> usize {
        self.tree.len()
    }
}

impl StateStore for SledState {
    type Key = ClientKey;

    fn measure_and_replace<T, F, E>(&self, key: &ClientKey, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut current = match self.read(key) {
            Ok(found) => found,
            Err(error) => return allow_unstored(&error, f),
        };
        loop {
            let (answer, next) = f(current.as_deref().and_then(moment))?;
            let next = next.as_u64().to_be_bytes();
            match self.tree.compare_and_swap(key, current, Some(&next)) {
                Ok(Ok(())) => return Ok(answer),
                Ok(Err(lost)) => current = lost.current,
                Err(error) => return allow_unstored(&error, f),
            }
        }
    }
}

/// When the next cell of a key is due, in nanoseconds since 1970.
fn moment(stored: &[u8]) -> Option<Nanos> {
    Some(Nanos::from(u64::from_be_bytes(stored.try_into().ok()?)))
}

/// Reads stay open when the disk fails: a limit on searching protects speed, not accounts.
fn allow_unstored<T, E>(error: &sled::Error, f: impl Fn(Option<Nanos>) -> Result<(T, Nanos), E>) -> Result<T, E> {
    tracing::error!(%error, "limits store failed, letting the request through");
    f(None).map(|(answer, _)| answer)
}
