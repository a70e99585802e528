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
use meilisearch_sdk::documents::DocumentsQuery;
use serde::{Deserialize, Serialize};
use sqlx::{Connection, PgPool};
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::{Error, Indexer, tasks};

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
}

/// What this process knows of its consumer.
#[derive(Default)]
struct KnownState {
    name: Option<String>,
    lease: Option<Lease>,
}

/// Whether the indexes may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Readiness {
    /// They are complete and follow the catalog.
    Ready,
    /// This process has to build them anew.
    Outdated,
    /// Another process has to build them anew.
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
            let name = match &known.name {
                Some(name) => name.clone(),
                None => self.name_or(false).await?,
            };
            let mut conn = self.pool.acquire().await?;
            if consumers::find(&mut conn, &name).await?.is_none() {
                consumers::register(&mut conn, &name).await?;
            }
            known.name = Some(name.clone());
            let lease = consumers::acquire(&mut conn, &name, time, alone).await?;
            let lease = lease.ok_or(lantern_catalog::Error::Superseded)?;
            let is_next = self.checkpoints.epoch()? == Some(lease.epoch - 1);
            if alone && lease.epoch > 1 && !is_next {
                tracing::warn!("the search folder is a copy, or was put back from one; it is built anew");
                consumers::resign(&mut conn, &lease).await?;
                known.name = Some(self.name_or(true).await?);
                continue;
            }
            if !is_next {
                // Somebody else wrote meanwhile, or nobody noted what changed: half a rebuild is of no use.
                self.checkpoints.forget()?;
            }
            self.checkpoints.set_epoch(lease.epoch)?;
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
        match self.needs_rebuild().await {
            Ok(true) => Ok(Readiness::Outdated),
            Ok(false) => Ok(Readiness::Ready),
            Err(error) if error.is_superseded() => {
                let Some(name) = self.consumer().await else { return Ok(Readiness::Elsewhere) };
                let mut conn = self.pool.acquire().await?;
                let built = consumers::find(&mut conn, &name).await?.flatten();
                Ok(if built == Some(self.fingerprint()?) { Readiness::Ready } else { Readiness::Elsewhere })
            }
            Err(error) => Err(error),
        }
    }

    /// Name of the consumer, once this process has tried to write it.
    pub async fn consumer(&self) -> Option<String> {
        self.membership.known.lock().await.name.clone()
    }

    /// The lease, while this process holds one.
    pub(crate) async fn lease(&self) -> Option<Lease> {
        self.membership.known.lock().await.lease.clone()
    }

    /// Remembers that the indexes are built, without waiting for the next sign of life.
    pub(crate) async fn note_built(&self, lease: &Lease, built: &str) {
        if let Some(held) = &mut self.membership.known.lock().await.lease
            && held.epoch == lease.epoch
        {
            held.built = Some(built.to_owned());
        }
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

    /// Drops the indexes that were not heard of for `sync.consumer_expires`; they are built anew when they come back.
    pub async fn drop_silent_consumers(&self) -> Result<(), Error> {
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

    /// The name beside the indexes; where there is none, or `anew`, a random one is written.
    async fn name_or(&self, anew: bool) -> Result<String, Error> {
        let mut conn = self.pool.acquire().await?;
        let mut turn = conn.begin().await?;
        consumers::naming_turn(&mut turn).await?;
        if !anew && self.exists(UID).await? {
            let index = self.client.index(UID);
            let mut query = DocumentsQuery::new(&index);
            query.with_limit(1);
            if let Some(identity) = index.get_documents_with::<Identity>(&query).await?.results.pop() {
                return Ok(identity.name);
            }
        }
        let name = Uuid::new_v4().to_string();
        let identity = Identity { id: ID.to_owned(), name: name.clone() };
        let task = tasks::replace(&self.client, UID, &[identity]).await?;
        tasks::finished(&self.client, task).await?;
        turn.commit().await?;
        Ok(name)
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
