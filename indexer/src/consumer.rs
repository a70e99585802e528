//! The consumer (an index) that this process keeps in sync with the catalog, and whether this process is its writer. A consumer's name is
//! stored as a document alongside its indexes, so that it moves with them. An embedded engine's folder is locked, so its holder becomes the
//! writer at once. A Meilisearch server may be shared, so its writer renews a lease every second, while other processes stand by.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::Duration,
};

use lantern_catalog::consumers::{self, Lease};
use lantern_index::IndexName;
use meilisearch_sdk::documents::DocumentsQuery;
use serde::{Deserialize, Serialize};
use sqlx::{Connection, PgPool};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::{
    Error, Indexer, Plan,
    plan::{self, Builds},
    tasks,
};

/// Index that only holds the consumer's name.
const UID: &str = "lantern";
/// Id of its only document.
const ID: &str = "consumer";
/// Heartbeats per lease. Several may be missed before another process takes over.
const HEARTBEATS: u32 = 5;

#[derive(Debug, Serialize, Deserialize)]
struct Identity {
    id: String,
    name: String,
    /// Epoch of the last writer. In indexes restored from a copy, it is older than the catalog's.
    #[serde(default)]
    epoch: Option<i64>,
}

/// This process's knowledge of its consumer.
#[derive(Default)]
struct KnownState {
    identity: Option<Identity>,
    lease: Option<Lease>,
}

impl KnownState {
    fn name(&self) -> Option<String> {
        self.identity.as_ref().map(|identity| identity.name.clone())
    }
}

/// Whether the indexes can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// The indexes are in sync with the catalog. This process's plan doesn't require waiting.
    Ready(Plan),
    /// This process must rebuild indexes first.
    Outdated(Plan),
    /// Another process must rebuild indexes first.
    Elsewhere,
}

/// Registration in the catalog's list of consumers.
pub(crate) struct Membership {
    known: Mutex<KnownState>,
    /// File with the consumer's name, for commands that send requests to a running Lantern.
    note: PathBuf,
}

/// Reads the consumer's name that a running Lantern stored alongside its checkpoints.
pub fn noted(sled_folder: &Path) -> std::io::Result<String> {
    std::fs::read_to_string(note(sled_folder))
}

fn note(sled_folder: &Path) -> PathBuf {
    sled_folder.join("consumer")
}

impl Membership {
    pub(crate) fn new(sled_folder: &Path) -> Self {
        Self { known: Mutex::default(), note: note(sled_folder) }
    }

    /// Drops a lease that another process has taken over, so that the next [`Indexer::join`] acquires a new one.
    pub(crate) async fn drop_lease(&self, lost: &Lease) {
        let mut known = self.known.lock().await;
        if known.lease.as_ref().is_some_and(|held| (held.consumer, held.epoch) == (lost.consumer, lost.epoch)) {
            // The indexes may have been renamed meanwhile.
            *known = KnownState::default();
        }
    }
}

impl Indexer {
    /// Makes this process the writer of the index, unless it already is. On a shared server, this fails until the current writer has been
    /// silent for `sync.writer_lease`.
    ///
    /// # Errors
    /// If another process is the writer ([`Error::is_superseded`]), or Postgres or the engine is unavailable.
    pub async fn join(&self) -> Result<Lease, Error> {
        let mut known = self.membership.known.lock().await;
        if let Some(lease) = &known.lease {
            return Ok(lease.clone());
        }
        let alone = self.config.search.url.is_empty();
        let time = Duration::from_secs(self.config.sync.writer_lease);
        loop {
            let identity = match known.identity.take() {
                Some(identity) => identity,
                None => self.identity_or(false).await?,
            };
            let (name, written_by) = (identity.name.clone(), identity.epoch);
            known.identity = Some(identity);
            let mut conn = self.pool.acquire().await?;
            if consumers::find(&mut conn, &name).await?.is_none() {
                consumers::register(&mut conn, &name).await?;
            }
            let lease = consumers::acquire(&mut conn, &name, time, alone).await?;
            let lease = lease.ok_or(lantern_catalog::Error::Superseded)?;
            let last = Some(lease.epoch - 1);
            let is_next = self.checkpoints.epoch()? == last;
            let is_older = written_by.is_some() && written_by != last && self.checkpoints.unconfirmed()? != last;
            let is_copy = !is_next || is_older;
            if alone && lease.epoch > 1 && is_copy {
                tracing::warn!("the search folder is a copy or was restored from one; rebuilding it");
                consumers::resign(&mut conn, &lease).await?;
                self.note_former(&mut conn, &name).await?;
                known.identity = Some(self.identity_or(true).await?);
                continue;
            }
            if !is_next {
                // A partial rebuild is useless, because another process has written meanwhile or changes went unrecorded.
                self.checkpoints.forget()?;
            }
            self.checkpoints.set_epoch(lease.epoch)?;
            self.replace_former(&mut conn, alone.then_some(&name)).await?;
            if alone {
                let identity = Identity { id: ID.to_owned(), name: name.clone(), epoch: Some(lease.epoch) };
                self.write_identity(&identity).await?;
                known.identity = Some(identity);
            }
            self.checkpoints.confirm_epoch()?;
            std::fs::write(&self.membership.note, &name)?;
            known.lease = Some(lease.clone());
            tokio::spawn(renew_periodically(Arc::downgrade(&self.membership), self.pool.clone(), lease.clone(), time));
            return Ok(lease);
        }
    }

    /// Like [`Indexer::join`], but first verifies the lease that this process holds.
    pub(crate) async fn rejoin(&self) -> Result<Lease, Error> {
        let lease = self.join().await?;
        let mut conn = self.pool.acquire().await?;
        match consumers::check(&mut conn, &lease).await {
            Err(lantern_catalog::Error::Superseded) => {
                drop(conn);
                self.membership.drop_lease(&lease).await;
                self.join().await
            }
            checked => Ok(checked.map(|()| lease)?),
        }
    }

    /// Checks whether the indexes can be read, and what must happen first.
    pub async fn readiness(&self) -> Result<Readiness, Error> {
        match self.plan().await {
            Ok(plan) if plan.rebuild.is_empty() || plan.is_readable => Ok(Readiness::Ready(plan)),
            Ok(plan) => Ok(Readiness::Outdated(plan)),
            Err(error) if error.is_superseded() => {
                let Some(name) = self.consumer().await else { return Ok(Readiness::Elsewhere) };
                let mut conn = self.pool.acquire().await?;
                let built = consumers::find(&mut conn, &name).await?.flatten();
                let builds = plan::parse_builds(built.as_deref());
                // Only the writer changes an index.
                let plan = plan::plan(&self.existing_uids().await?, builds.as_ref(), &plan::builds(&self.config)?);
                let may_be_read = plan.rebuild.is_empty() || plan.is_readable;
                Ok(if may_be_read { Readiness::Ready(Plan::default()) } else { Readiness::Elsewhere })
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the consumer's name, once this process has tried to join.
    pub async fn consumer(&self) -> Option<String> {
        self.membership.known.lock().await.name()
    }

    /// Returns the lease that this process holds, if any.
    pub(crate) async fn lease(&self) -> Option<Lease> {
        self.membership.known.lock().await.lease.clone()
    }

    /// Records that `indexes` now match this program. If the state of the other indexes is unknown, builds are recorded only when `indexes`
    /// contains all of them.
    pub(crate) async fn record_builds(&self, lease: &Lease, indexes: &[IndexName]) -> Result<(), Error> {
        let wanted = plan::builds(&self.config)?;
        let mut conn = self.pool.acquire().await?;
        let latest = consumers::built(&mut conn, lease).await?;
        let mut builds = match plan::parse_builds(latest.as_deref()) {
            Some(builds) => builds,
            None if IndexName::ALL.iter().all(|index| indexes.contains(index)) => Builds::new(),
            None => return Ok(()),
        };
        let made = wanted.into_iter().filter(|(uid, _)| indexes.iter().any(|index| index.uid() == uid));
        builds.extend(made);
        let built = serde_json::to_string(&builds)?;
        consumers::set_built(&mut conn, lease, &built).await?;
        // Update the held lease without waiting for the next heartbeat.
        if let Some(held) = &mut self.membership.known.lock().await.lease
            && held.epoch == lease.epoch
        {
            held.built = Some(built);
        }
        Ok(())
    }

    /// Releases the lease, so that the next writer can start at once.
    ///
    /// # Errors
    /// If Postgres is unavailable. Other processes must then wait until the lease expires.
    pub async fn resign(&self) -> Result<(), Error> {
        if let Some(lease) = self.membership.known.lock().await.lease.take() {
            consumers::resign(&mut *self.pool.acquire().await?, &lease).await?;
        }
        Ok(())
    }

    /// Drops this data folder's former consumers and all consumers that have been silent for `sync.consumer_expires`. If a dropped consumer
    /// returns, its indexes are rebuilt.
    pub async fn drop_silent_consumers(&self) -> Result<(), Error> {
        self.retire_former().await?;
        let silence = Duration::from_secs(self.config.sync.consumer_expires);
        let mut conn = self.pool.acquire().await?;
        for name in consumers::drop_silent(&mut conn, silence).await? {
            tracing::warn!(
                name,
                "dropped a consumer that was silent for sync.consumer_expires; if its Lantern returns, it rebuilds the index"
            );
        }
        Ok(())
    }

    /// Fails if another process has become the writer. Must be called right before every write.
    pub(crate) async fn check(&self, lease: &Lease) -> Result<(), Error> {
        let mut conn = self.pool.acquire().await?;
        Ok(consumers::check(&mut conn, lease).await?)
    }

    /// Returns the identity stored alongside the indexes. If there is none, or if `anew` is true, first writes one with a random name.
    async fn identity_or(&self, anew: bool) -> Result<Identity, Error> {
        let mut conn = self.pool.acquire().await?;
        let mut turn = conn.begin().await?;
        consumers::naming_turn(&mut turn).await?;
        if !anew && self.exists(UID).await? {
            let index = self.client.index(UID);
            let mut query = DocumentsQuery::new(&index);
            query.with_limit(1);
            if let Some(identity) = index.get_documents_with::<Identity>(&query).await?.results.pop() {
                return Ok(identity);
            }
        }
        let identity = Identity { id: ID.to_owned(), name: Uuid::new_v4().to_string(), epoch: None };
        self.write_identity(&identity).await?;
        turn.commit().await?;
        Ok(identity)
    }

    async fn write_identity(&self, identity: &Identity) -> Result<(), Error> {
        if !self.exists(UID).await? {
            let task = self.client.create_index(UID, Some("id")).await?;
            tasks::finished(&self.client, task).await?;
        }
        let task = tasks::replace(&self.client, UID, &[identity]).await?;
        tasks::finished(&self.client, task).await
    }
}

/// Renews the lease until this process ends or is no longer the writer.
async fn renew_periodically(membership: Weak<Membership>, pool: PgPool, lease: Lease, time: Duration) {
    loop {
        tokio::time::sleep(time / HEARTBEATS).await;
        let Some(membership) = membership.upgrade() else { return };
        if pool.is_closed() {
            return;
        }
        let renewed = async { consumers::renew(&mut *pool.acquire().await?, &lease, time).await }.await;
        match renewed {
            Ok(renewed) => {
                let mut known = membership.known.lock().await;
                match &mut known.lease {
                    Some(held) if held.epoch == lease.epoch && held.consumer == lease.consumer => *held = renewed,
                    _ => return,
                }
            }
            Err(lantern_catalog::Error::Superseded) => {
                tracing::warn!("another Lantern became the writer of the index; standing by");
                return membership.drop_lease(&lease).await;
            }
            Err(error) => tracing::warn!(%error, "cannot renew the lease of the index's writer"),
        }
    }
}
