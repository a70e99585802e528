//! Keeps the index equal to the catalog.
//!
//! - [`Indexer::rebuild`] fills shadow indexes from Postgres and swaps them in, while visitors go on reading the old ones;
//! - [`Indexer::run`] follows the outbox, so that a committed change is searchable within a second;
//! - `documents` is the one place that says how a row becomes a document.
//!
//! One process at a time is the only writer of an index ([`Indexer::join`]). Everything goes through the Meilisearch protocol, so the embedded
//! engine and a Meilisearch server are the same to it.

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

/// Why the index could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Postgres refused or is away.
    #[error("catalog: {0}")]
    Catalog(#[from] lantern_catalog::Error),
    /// Postgres refused or is away.
    #[error("catalog: {0}")]
    Sql(#[from] sqlx::Error),
    /// The engine refused or is away.
    #[error("search engine: {0}")]
    Engine(#[from] meilisearch_sdk::errors::Error),
    /// The engine accepted a task and then failed it.
    #[error("search engine: {0}")]
    Task(Box<MeilisearchError>),
    /// The engine works on a task for longer than anybody waits.
    #[error("search engine: the task was not finished")]
    Unfinished,
    /// The requested rebuild is not possible.
    #[error("{0}")]
    Request(String),
    /// The checkpoints can't be read or written.
    #[error("checkpoints: {0}")]
    Checkpoints(#[from] sled::Error),
    /// A file below the data folder can't be read or written.
    #[error("data folder: {0}")]
    Io(#[from] std::io::Error),
    /// A document can't be written as JSON.
    #[error("document: {0}")]
    Json(#[from] serde_json::Error),
    /// Documents were not made to their end.
    #[error("documents: {0}")]
    Unmade(#[from] tokio::task::JoinError),
    /// A finished rebuild doesn't match the catalog, so it was not swapped in.
    #[error("the rebuilt index {index} holds {found} documents, the catalog {expected}; the old index stays")]
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
    /// Whether another process writes this index now: nothing is wrong, and nothing to do here.
    #[must_use]
    pub fn is_superseded(&self) -> bool {
        matches!(self, Self::Catalog(lantern_catalog::Error::Superseded))
    }
}

/// The indexer of one process; cheap to clone.
#[derive(Clone)]
pub struct Indexer {
    pool: PgPool,
    client: SearchClient,
    config: Arc<Config>,
    checkpoints: Checkpoints,
    membership: Arc<consumer::Membership>,
    /// Held while a batch is applied and while a rebuild is swapped in, so that neither misses the other.
    writer: Arc<Mutex<()>>,
    wake: Arc<Notify>,
    /// The day the windows of views were last aged to.
    aged_to: Arc<Mutex<Option<Date>>>,
    changes: Changes,
    /// Indexes that aren't there, as of the last look.
    absent: Arc<RwLock<BTreeSet<IndexName>>>,
}

impl Indexer {
    /// Prepares an indexer whose checkpoints live in `sled_folder`.
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

    /// This indexer as of a process that goes on in the belief to be the writer, with a client of its own: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn beside(&self, client: SearchClient) -> Self {
        Self { client, writer: Arc::default(), ..self.clone() }
    }

    /// This indexer with other settings, as after a restart: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn configured(&self, config: Arc<Config>) -> Self {
        Self { config, ..self.clone() }
    }

    /// What this process knows to have changed in the index, so that caches know what to forget.
    #[must_use]
    pub fn changes(&self) -> Changes {
        self.changes.clone()
    }

    /// Wakes the sync loop right after a commit; without it the next poll finds the change.
    pub fn wake(&self) {
        self.wake.notify_one();
    }

    /// What this indexer remembers between starts.
    #[must_use]
    pub fn checkpoints(&self) -> &Checkpoints {
        &self.checkpoints
    }

    /// Notes a change and tells other processes.
    async fn announce(&self, change: &Change) -> Result<(), Error> {
        self.changes.note(change);
        let mut conn = self.pool.acquire().await?;
        Ok(lantern_catalog::changes::tell(&mut conn, self.changes.node(), change).await?)
    }
}
