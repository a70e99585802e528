//! Opening the store in the data folder.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::clock::TimeSource;

/// sled gives its lock back in a thread of its own, a moment after the last handle is gone; a lock that is held longer is
/// another process's.
const LOCK_PATIENCE: Duration = Duration::from_secs(1);
/// Between two looks at the lock.
const LOOK_EVERY: Duration = Duration::from_millis(10);

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
        /// The error of the rename.
        source: std::io::Error,
    },
    /// Even an empty store can't be made here.
    #[error("no limits store can be made at {path}: {reason}")]
    Create {
        /// The store's folder.
        path: PathBuf,
        /// sled's error.
        reason: String,
    },
    /// A tree inside the store can't be opened.
    #[error("the limits store can't be read: {0}")]
    Tree(#[from] sled::Error),
    /// The store's file can't be opened.
    #[error("the limits store can't be read: {0}")]
    File(#[from] std::io::Error),
}

/// Opens the store; one that can't be read is renamed to `<name>.broken-<unix seconds>` and an
/// empty one takes its place.
pub(crate) fn open(path: &Path, now: &dyn TimeSource) -> Result<sled::Db, OpenError> {
    let reason = match try_open(path) {
        Ok(db) => return Ok(db),
        Err(reason) => reason,
    };
    if is_held(&reason) {
        return Err(OpenError::InUse { path: path.into() });
    }
    let seconds = now.unix_nanos() / 1_000_000_000;
    let mut aside = path.as_os_str().to_owned();
    aside.push(format!(".broken-{seconds}"));
    tracing::error!(path = %path.display(), %reason, "limits store set aside, starting empty");
    std::fs::rename(path, &aside).map_err(|source| OpenError::SetAside { path: path.into(), source })?;
    try_open(path).map_err(|reason| OpenError::Create { path: path.into(), reason })
}

/// Opens the store, waiting a moment for a lock that is being given back.
fn try_open(path: &Path) -> Result<sled::Db, String> {
    let until = Instant::now() + LOCK_PATIENCE;
    loop {
        match open_once(path) {
            Err(reason) if is_held(&reason) && Instant::now() < until => std::thread::sleep(LOOK_EVERY),
            outcome => return outcome,
        }
    }
}

/// sled reports a held lock only in words.
fn is_held(reason: &str) -> bool {
    reason.contains("could not acquire lock")
}

/// sled panics on some kinds of damage, so a panic counts as "can't be opened".
fn open_once(path: &Path) -> Result<sled::Db, String> {
    match catch_unwind(AssertUnwindSafe(|| sled::open(path))) {
        Ok(opened) => opened.map_err(|error| error.to_string()),
        Err(_) => Err("it is damaged".to_owned()),
    }
}
