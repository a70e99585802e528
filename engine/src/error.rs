//! Why an engine could not be opened or closed.

use std::path::PathBuf;

use milli_core as milli;

/// Failures outside any request: opening, resuming, closing.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The folder can't be created, read or locked.
    #[error("the search folder {path} can't be used: {source}")]
    Folder {
        /// The folder or file concerned.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process has the folder open.
    #[error("the search folder {0} is in use by another process; stop it, or choose another folder")]
    Locked(PathBuf),
    /// The task queue is unreadable.
    #[error(
        "the task queue in {path} can't be opened: {cause}. Where that lasts, move the whole search folder around it away, \
         start again, and build the indexes anew; nothing was changed"
    )]
    Queue {
        /// Folder of the queue.
        path: PathBuf,
        /// What LMDB said.
        cause: milli::heed::Error,
    },
    /// An index can't be opened, though it isn't damaged: the system lacks memory, open files or rights.
    #[error(
        "the index `{uid}` in {path} can't be opened: {cause}. Where that lasts, move the whole search folder away, start \
         again, and build the indexes anew; nothing was changed"
    )]
    Index {
        /// Name of the index.
        uid: String,
        /// Folder of the index.
        path: PathBuf,
        /// What milli said.
        cause: Box<milli::Error>,
    },
    /// The indexer's threads or the writer could not be started.
    #[error("a thread of the search engine can't be started: {0}")]
    Thread(String),
}

impl EngineError {
    pub(crate) fn folder(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Folder { path, source }
    }
}
