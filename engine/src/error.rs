//! Errors when opening or closing an engine.

use std::path::PathBuf;

use milli_core as milli;

/// Failures that occur outside any request: while opening, resuming or closing.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The folder cannot be created, read or locked.
    #[error("the search folder {path} can't be used: {source}")]
    Folder {
        /// The folder or file concerned.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// Another process has the folder open.
    #[error("the search folder {0} is in use by another process; stop it, or choose another folder")]
    Locked(PathBuf),
    /// The task queue is unreadable.
    #[error(
        "the task queue in {path} can't be opened: {cause}. If this persists, move the whole search folder away, \
         restart, and rebuild the indexes; nothing was changed"
    )]
    Queue {
        /// Folder of the queue.
        path: PathBuf,
        /// The error from LMDB.
        cause: milli::heed::Error,
    },
    /// An index cannot be opened although it isn't damaged, because memory, file descriptors or permissions are missing.
    #[error(
        "the index `{uid}` in {path} can't be opened: {cause}. If this persists, move the whole search folder away, \
         restart, and rebuild the indexes; nothing was changed"
    )]
    Index {
        /// Name of the index.
        uid: String,
        /// Folder of the index.
        path: PathBuf,
        /// The error from milli.
        cause: Box<milli::Error>,
    },
    /// A thread of the indexer or the writer could not be started.
    #[error("can't start a search engine thread: {0}")]
    Thread(String),
}

impl EngineError {
    pub(crate) fn folder(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Folder { path, source }
    }
}
