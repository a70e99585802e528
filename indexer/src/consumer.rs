//! Which index this process follows the catalog for, and whether it is the one that writes it.
//!
//! The name of a consumer is a document beside its indexes, so it goes wherever they go. An embedded engine's folder has a lock:
//! its holder writes, at once. A Meilisearch server can be anybody's, so its writer has to say every second that it
//! lives, and others stand by.

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
    plan::{self, Makes},
    tasks,
};

/// Index that holds the consumer's name and nothing else.
const UID: &str = "lantern";
/// The one document of it.
const ID: &str = "consumer";
/// Signs of life in the time of a lease: several may be late before somebody takes over.
const BEATS: u32 = 5;

#[derive(Debug, Serialize, Deserialize)]
struct Identity {
    id: String,
    name: String,
    /// Number of the last writer. Indexes put back from a copy know an older one than the catalog.
    #[serde(default)]
    epoch: Option<i64>,
}

/// What this process knows of its consumer.
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

/// Whether the indexes may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Readiness {
    /// They follow the catalog. What this process has to change is no reason to wait.
    Ready(Plan),
    /// This process has to build them anew first.
    Outdated(Plan),
    /// Another process has to build them anew first.
    Elsewhere,
}

/// The place in the catalog's list of consumers.
pub(crate) struct Membership {
    known: Mutex<KnownState>,
    /// Names the consumer for commands that ask a running Lantern for something.
    note: PathBuf,
}

/// The consumer that a running Lantern follows the catalog for, as it noted beside its checkpoints.
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

    /// Forgets a lease that somebody else has taken over, so that the next [`Indexer::join`] asks for another.
    pub(crate) async fn let_go(&self, lost: &Lease) {
        let mut known = self.known.lock().await;
        if known.lease.as_ref().is_some_and(|held| (held.consumer, held.epoch) == (lost.consumer, lost.epoch)) {
            // The indexes may have another name by now.
            *known = KnownState::default();
        }
    }
}

impl Indexer {
    /// Becomes the writer of the index, unless this process is already. Where others may be, it is refused until they
    /// have been silent for `sync.writer_lease`.
    ///
    /// # Errors
    /// Somebody else writes ([`Error::is_superseded`]); Postgres or the engine is away.
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
                tracing::warn!("the search folder is a copy, or was put back from one; it is built anew");
                consumers::resign(&mut conn, &lease).await?;
                self.note_former(&mut conn, &name).await?;
                known.identity = Some(self.identity_or(true).await?);
                continue;
            }
            if !is_next {
                // Somebody else wrote meanwhile, or nobody noted what changed: half a rebuild is of no use.
                self.checkpoints.forget()?;
            }
            self.checkpoints.set_epoch(lease.epoch)?;
            self.leave_former(&mut conn, alone.then_some(&name)).await?;
            if alone {
                let identity = Identity { id: ID.to_owned(), name: name.clone(), epoch: Some(lease.epoch) };
                self.write_identity(&identity).await?;
                known.identity = Some(identity);
            }
            self.checkpoints.confirm_epoch()?;
            std::fs::write(&self.membership.note, &name)?;
            known.lease = Some(lease.clone());
            tokio::spawn(beat(Arc::downgrade(&self.membership), self.pool.clone(), lease.clone(), time));
            return Ok(lease);
        }
    }

    /// As [`Indexer::join`], after asking whether what this process holds is still true.
    pub(crate) async fn join_anew(&self) -> Result<Lease, Error> {
        let lease = self.join().await?;
        let mut conn = self.pool.acquire().await?;
        match consumers::check(&mut conn, &lease).await {
            Err(lantern_catalog::Error::Superseded) => {
                drop(conn);
                self.membership.let_go(&lease).await;
                self.join().await
            }
            checked => Ok(checked.map(|()| lease)?),
        }
    }

    /// Whether the indexes may be read, and what has to happen before.
    pub async fn readiness(&self) -> Result<Readiness, Error> {
        match self.plan().await {
            Ok(plan) if plan.rebuild.is_empty() || plan.is_readable => Ok(Readiness::Ready(plan)),
            Ok(plan) => Ok(Readiness::Outdated(plan)),
            Err(error) if error.is_superseded() => {
                let Some(name) = self.consumer().await else { return Ok(Readiness::Elsewhere) };
                let mut conn = self.pool.acquire().await?;
                let built = consumers::find(&mut conn, &name).await?.flatten();
                let makes = plan::noted_makes(built.as_deref());
                // Only its writer changes an index.
                let plan = plan::plan(&self.there().await?, makes.as_ref(), &plan::makes(&self.config)?);
                let may_be_read = plan.rebuild.is_empty() || plan.is_readable;
                Ok(if may_be_read { Readiness::Ready(Plan::default()) } else { Readiness::Elsewhere })
            }
            Err(error) => Err(error),
        }
    }

    /// Name of the consumer, once this process has tried to write it.
    pub async fn consumer(&self) -> Option<String> {
        self.membership.known.lock().await.name()
    }

    /// The lease, while this process holds one.
    pub(crate) async fn lease(&self) -> Option<Lease> {
        self.membership.known.lock().await.lease.clone()
    }

    /// Notes that `indexes` are now as this program makes them. Where others are unknown, only all of them together are worth a note.
    pub(crate) async fn note_made(&self, lease: &Lease, indexes: &[IndexName]) -> Result<(), Error> {
        let wanted = plan::makes(&self.config)?;
        let mut conn = self.pool.acquire().await?;
        let latest = consumers::built(&mut conn, lease).await?;
        let mut makes = match plan::noted_makes(latest.as_deref()) {
            Some(makes) => makes,
            None if IndexName::ALL.iter().all(|index| indexes.contains(index)) => Makes::new(),
            None => return Ok(()),
        };
        let made = wanted.into_iter().filter(|(uid, _)| indexes.iter().any(|index| index.uid() == uid));
        makes.extend(made);
        let built = serde_json::to_string(&makes)?;
        consumers::set_built(&mut conn, lease, &built).await?;
        // Without waiting for the next sign of life.
        if let Some(held) = &mut self.membership.known.lock().await.lease
            && held.epoch == lease.epoch
        {
            held.built = Some(built);
        }
        Ok(())
    }

    /// Lets the next writer begin at once.
    ///
    /// # Errors
    /// Postgres is away; then others wait for the end of the lease.
    pub async fn resign(&self) -> Result<(), Error> {
        if let Some(lease) = self.membership.known.lock().await.lease.take() {
            consumers::resign(&mut *self.pool.acquire().await?, &lease).await?;
        }
        Ok(())
    }

    /// Drops the indexes that were not heard of for `sync.consumer_expires`, and those that this data folder had before; they are
    /// built anew when they come back.
    pub async fn drop_silent_consumers(&self) -> Result<(), Error> {
        self.retire_former().await?;
        let silence = Duration::from_secs(self.config.sync.consumer_expires);
        let mut conn = self.pool.acquire().await?;
        for name in consumers::drop_silent(&mut conn, silence).await? {
            tracing::warn!(
                name,
                "an index wasn't heard of for sync.consumer_expires; it is built anew when it comes back"
            );
        }
        Ok(())
    }

    /// Fails once another process writes. Called right before something is sent.
    pub(crate) async fn check(&self, lease: &Lease) -> Result<(), Error> {
        let mut conn = self.pool.acquire().await?;
        Ok(consumers::check(&mut conn, lease).await?)
    }

    /// The identity beside the indexes; where there is none, or `anew`, one with a random name is written.
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

/// Says that the writer lives until it doesn't, or isn't the writer any more.
async fn beat(membership: Weak<Membership>, pool: PgPool, lease: Lease, time: Duration) {
    loop {
        tokio::time::sleep(time / BEATS).await;
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
                tracing::warn!("another Lantern took over writing the index; this one stands by");
                return membership.let_go(&lease).await;
            }
            Err(error) => tracing::warn!(%error, "the catalog can't be told that the index is written"),
        }
    }
}
