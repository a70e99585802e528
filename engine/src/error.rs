//! Errors of opening and closing an engine.

use std::path::PathBuf;

use milli_core as milli;

/// Failures outside any request: opening, resuming, closing.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The folder can't be created, read or locked.
    #[error("the search folder {path} can't be used: {source}")]
    Folder {
        /// Folder or file concerned.
        path: PathBuf,
        /// Error of the system.
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
        /// Error of LMDB.
        cause: milli::heed::Error,
    },
    /// An index can't be opened although it isn't damaged: the system lacks memory, file descriptors or permissions.
    #[error(
        "the index `{uid}` in {path} can't be opened: {cause}. If this persists, move the whole search folder away, \
         restart, and rebuild the indexes; nothing was changed"
    )]
    Index {
        /// Name of the index.
        uid: String,
        /// Folder of the index.
        path: PathBuf,
        /// Error of milli.
        cause: Box<milli::Error>,
    },
    /// A thread of the indexer or the writer can't be started.
    #[error("can't start a search engine thread: {0}")]
    Thread(String),
}

impl EngineError {
    pub(crate) fn folder(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Folder { path, source }
    }
}
