//! Opens the store in the data folder.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use crate::clock::TimeSource;

/// sled releases its lock in a background thread shortly after the last handle is dropped. A lock that is held for longer belongs to
/// another process.
const LOCK_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval between attempts to take the lock.
const LOCK_POLL: Duration = Duration::from_millis(10);

/// Reason no store could be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process holds the store. It is healthy and must not be moved aside.
    #[error("the rate limits in {path} are in use by another process")]
    InUse {
        /// The store's folder.
        path: PathBuf,
    },
    /// The damaged store could not be renamed.
    #[error("the damaged rate limit store {path} could not be moved aside: {source}")]
    SetAside {
        /// The store's folder.
        path: PathBuf,
        /// The error from renaming it.
        source: std::io::Error,
    },
    /// An empty store cannot be created either.
    #[error("cannot create a rate limit store at {path}: {reason}")]
    Create {
        /// The store's folder.
        path: PathBuf,
        /// sled's error.
        reason: String,
    },
    /// A tree inside the store cannot be opened.
    #[error("cannot read the rate limit store: {0}")]
    Tree(#[from] sled::Error),
    /// The store's file cannot be opened.
    #[error("cannot read the rate limit store: {0}")]
    File(#[from] std::io::Error),
}

/// Opens the store. An unreadable store is renamed to `<name>.broken-<unix seconds>` and replaced by an empty one.
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
    tracing::error!(path = %path.display(), %reason, "rate limit store moved aside, starting empty");
    std::fs::rename(path, &aside).map_err(|source| OpenError::SetAside { path: path.into(), source })?;
    try_open(path).map_err(|reason| OpenError::Create { path: path.into(), reason })
}

/// Opens the store, briefly waiting for a lock that is being released.
fn try_open(path: &Path) -> Result<sled::Db, String> {
    let until = Instant::now() + LOCK_TIMEOUT;
    loop {
        match open_once(path) {
            Err(reason) if is_held(&reason) && Instant::now() < until => std::thread::sleep(LOCK_POLL),
            outcome => return outcome,
        }
    }
}

/// Whether another process holds the lock. sled reports this only in its message.
fn is_held(reason: &str) -> bool {
    reason.contains("could not acquire lock")
}

/// Opens the store once. sled panics on some kinds of damage, so a panic counts as an error.
fn open_once(path: &Path) -> Result<sled::Db, String> {
    match catch_unwind(AssertUnwindSafe(|| sled::open(path))) {
        Ok(opened) => opened.map_err(|error| error.to_string()),
        Err(_) => Err("damaged".to_owned()),
    }
}
