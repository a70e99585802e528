//! Keeps the search index in sync with the catalog.
//!
//! - [`Indexer::rebuild`] fills shadow indexes from Postgres and swaps them in, while visitors continue to read the old ones.
//! - [`Indexer::run`] follows the outbox, so that committed changes are searchable within a second.
//! - `documents` is the only place that converts rows to documents.
//!
//! Only one process at a time writes an index ([`Indexer::join`]). All requests use the Meilisearch protocol, so the embedded engine and a
//! Meilisearch server are treated alike.

mod apply;
mod checkpoints;
mod consumer;
mod counters;
mod documents;
mod former;
mod plan;
mod rebuild;
mod refusal;
pub mod requests;
mod sync;
mod tasks;
mod verify;

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{Arc, RwLock},
};

use lantern_catalog::changes::{Change, Changes};
use lantern_config::Config;
use lantern_index::{IndexName, SearchClient};
use meilisearch_sdk::errors::MeilisearchError;
use sqlx::PgPool;
use time::Date;
use tokio::sync::{Mutex, Notify};

pub use checkpoints::{Checkpoints, Progress};
pub use consumer::{Readiness, noted};
pub use plan::{Plan, foresee};
pub use rebuild::Step;
pub use verify::Findings;

/// Reason the index could not be updated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres failed or is unavailable.
    #[error("catalog: {0}")]
    Catalog(#[from] lantern_catalog::Error),
    /// Postgres failed or is unavailable.
    #[error("catalog: {0}")]
    Sql(#[from] sqlx::Error),
    /// The engine rejected a request or is unavailable.
    #[error("search engine: {0}")]
    Engine(#[from] meilisearch_sdk::errors::Error),
    /// The engine accepted a task that then failed.
    #[error("search engine: {0}")]
    Task(Box<MeilisearchError>),
    /// The engine did not finish a task before the timeout.
    #[error("search engine: task timed out")]
    Unfinished,
    /// The requested rebuild is not possible.
    #[error("{0}")]
    Request(String),
    /// The checkpoints could not be read or written.
    #[error("checkpoints: {0}")]
    Checkpoints(#[from] sled::Error),
    /// A file in the data folder could not be read or written.
    #[error("data folder: {0}")]
    Io(#[from] std::io::Error),
    /// A document could not be serialized.
    #[error("document: {0}")]
    Json(#[from] serde_json::Error),
    /// Building documents panicked or was canceled.
    #[error("documents: {0}")]
    Build(#[from] tokio::task::JoinError),
    /// A finished rebuild doesn't match the catalog and was not swapped in.
    #[error("the rebuilt index {index} has {found} documents, the catalog {expected}; keeping the old index")]
    Mismatch {
        /// Index name.
        index: &'static str,
        /// Documents in the shadow index.
        found: u64,
        /// Rows in the catalog.
        expected: u64,
    },
}

impl Error {
    /// Whether another process has become the writer of this index, which is not a failure.
    #[must_use]
    pub fn is_superseded(&self) -> bool {
        matches!(self, Self::Catalog(lantern_catalog::Error::Superseded))
    }
}

/// The indexer of one process. It is cheap to clone.
#[derive(Clone)]
pub struct Indexer {
    pool: PgPool,
    client: SearchClient,
    config: Arc<Config>,
    checkpoints: Checkpoints,
    membership: Arc<consumer::Membership>,
    /// Lock that is held while a batch is applied and while a rebuild is swapped in, so that neither misses the other's changes.
    writer: Arc<Mutex<()>>,
    wake: Arc<Notify>,
    /// Day up to which the view windows were last aged.
    aged_to: Arc<Mutex<Option<Date>>>,
    changes: Changes,
    /// The indexes that were missing at the last check.
    absent: Arc<RwLock<BTreeSet<IndexName>>>,
}

impl Indexer {
    /// Creates an indexer with its checkpoints in `sled_folder`.
    pub fn new(pool: PgPool, client: SearchClient, config: Arc<Config>, sled_folder: &Path) -> Result<Self, Error> {
        Ok(Self {
            pool,
            client,
            config,
            checkpoints: Checkpoints::open(sled_folder)?,
            membership: Arc::new(consumer::Membership::new(sled_folder)),
            writer: Arc::new(Mutex::new(())),
            wake: Arc::new(Notify::new()),
            aged_to: Arc::default(),
            changes: Changes::default(),
            absent: Arc::default(),
        })
    }

    /// For tests: returns this indexer with a separate client, like a process that still considers itself the writer.
    #[doc(hidden)]
    #[must_use]
    pub fn with_client(&self, client: SearchClient) -> Self {
        Self { client, writer: Arc::default(), ..self.clone() }
    }

    /// For tests: returns this indexer with other settings, as after a restart.
    #[doc(hidden)]
    #[must_use]
    pub fn with_config(&self, config: Arc<Config>) -> Self {
        Self { config, ..self.clone() }
    }

    /// Returns the changes of the index known to this process, for cache invalidation.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.changes.clone()
    }

    /// Wakes the sync loop after a commit. Without this call, the next poll finds the change.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// Returns the state that persists across restarts.
    #[must_use]
    pub fn checkpoints(&self) -> &Checkpoints {
        &self.checkpoints
    }

    /// Records a change and notifies other processes.
    async fn announce(&self, change: &Change) -> Result<(), Error> {
        self.changes.note(change);
        let mut conn = self.pool.acquire().await?;
        Ok(lantern_catalog::changes::tell(&mut conn, self.changes.node(), change).await?)
    }
}
