//! Moves films to another storage group. A film is served from the old group until all of its files are in the new one.

use std::time::Duration;

use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use lantern_catalog::{
    jobs::{self, Job},
    storage::{self, Move, MoveStart},
};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{RETRY_DELAY, Worker};
use crate::stores::{Seal, Store, StoreFailure, Unknown};

/// Interval between checks for films to be moved.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Reasons why a film cannot be moved yet.
#[derive(Debug, thiserror::Error)]
enum MoveFailure {
    #[error(transparent)]
    Store(#[from] StoreFailure),
    #[error(transparent)]
    Group(#[from] Unknown),
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    #[error("it has no files in group {0}")]
    Nothing(i32),
    #[error("only {there} of its {of} files are in group {group}")]
    Part { there: usize, of: usize, group: i32 },
    #[error("files of it are being removed from group {0}")]
    Removing(i32),
    #[error("{file} was read back from group {group} with {found} of {length} bytes or other content")]
    Differs { file: String, group: i32, found: u64, length: u64 },
}

impl Worker {
    /// Moves films until `stop`, one at a time.
    pub(super) async fn run_moves(&self, stop: &CancellationToken) {
        // This runs only on nodes that process films.
        while self.settings.at_once > 0 && !stop.is_cancelled() {
            let pause = match self.move_once(stop).await {
                Ok(true) => continue,
                Ok(false) => POLL_INTERVAL,
                Err(error) => {
                    tracing::error!(%error, "can't claim a move from the catalog; retrying");
                    RETRY_DELAY
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(pause) => {}
            }
        }
    }

    /// Moves one film if one is due. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. A claimed job becomes available again when its lease expires.
    pub async fn move_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        let lease = Duration::from_secs(self.settings.lease_seconds);
        let mut conn = self.pool.acquire().await?;
        let Some(job) = jobs::claim(&mut conn, storage::KIND, lease).await? else { return Ok(false) };
        let Ok(film) = serde_json::from_value::<Move>(job.payload.clone()) else {
            tracing::error!(job = job.id, "the payload of a move job is invalid");
            jobs::finish(&mut conn, &job, Some("its payload is invalid")).await?;
            return Ok(true);
        };
        let lost = u32::try_from(job.lost).unwrap_or(u32::MAX);
        if lost >= self.settings.attempts {
            // If a store is unavailable, the job waits for it. This job crashed its worker each time.
            let why = job.last_error.as_deref().unwrap_or("no worker completed it");
            tracing::error!(video = film.video, group = film.to, lost, why, "giving up on moving a film");
            storage::abandon_move(&self.pool, &job, &film, Some(why)).await?;
            return Ok(true);
        }
        drop(conn);
        let outcome = tokio::select! {
            biased;
            () = stop.cancelled() => None,
            moved = self.relocate(&job, &film) => Some(moved),
            () = self.renew(&job, lease) => return Ok(true),
        };
        let mut conn = self.pool.acquire().await?;
        match outcome {
            None => jobs::give_back(&mut conn, &job).await?,
            Some(Ok(())) => {}
            Some(Err(held)) => {
                tracing::warn!(video = film.video, group = film.to, why = %held, "can't move a film; retrying later");
                let pause = Duration::from_secs(self.storage.retry_seconds);
                jobs::retry(&mut conn, &job, pause, &held.to_string()).await?;
            }
        }
        Ok(true)
    }

    async fn relocate(&self, job: &Job, film: &Move) -> Result<(), MoveFailure> {
        match storage::begin_move(&self.pool, film).await? {
            MoveStart::Removing => return Err(MoveFailure::Removing(film.to)),
            MoveStart::Unneeded => {
                storage::abandon_move(&self.pool, job, film, None).await?;
            }
            MoveStart::From(group) if group == film.to => {
                jobs::finish(&mut *self.pool.acquire().await.map_err(lantern_catalog::Error::from)?, job, None).await?;
            }
            MoveStart::From(group) => {
                let stores = (self.stores.group(group)?, self.stores.group(film.to)?);
                copy(stores, film, group, self.storage.files_at_once).await?;
                // Other nodes use the old location until their cache expires.
                if storage::end_move(&self.pool, job, film, group, self.known_for).await? {
                    tracing::info!(video = film.video, from = group, to = film.to, "moved a film");
                }
            }
        }
        Ok(())
    }

    /// Renews the lease. Returns when the lease is lost or has expired while the catalog was unavailable.
    async fn renew(&self, job: &Job, lease: Duration) {
        let mut renewed = Instant::now();
        while renewed.elapsed() < lease {
            sleep(lease / 3).await;
            let started = Instant::now();
            let Ok(mut conn) = self.pool.acquire().await else { continue };
            match jobs::report(&mut conn, job, &job.payload, lease).await {
                Ok(true) => renewed = started,
                Ok(false) => return,
                Err(error) => tracing::warn!(%error, "can't renew the lease of a move; retrying"),
            }
        }
    }
}

/// Copies all files of a film and reads the copies back to verify them. Only then may the originals be removed.
async fn copy((from, to): (&Store, &Store), film: &Move, group: i32, at_once: usize) -> Result<(), MoveFailure> {
    let files = from.files(&film.key).await?;
    if files.is_empty() {
        return Err(MoveFailure::Nothing(group));
    }
    let seals = to.take(&film.key, from, &files).await?;
    let there = to.files(&film.key).await?;
    if there != files {
        let there = files.iter().filter(|(name, size)| there.get(*name) == Some(size)).count();
        return Err(MoveFailure::Part { there, of: files.len(), group: film.to });
    }
    let comparing: Vec<BoxFuture<'_, _>> =
        seals.iter().map(|(file, read)| compare(to, film, file, *read).boxed()).collect();
    stream::iter(comparing).buffer_unordered(at_once).try_collect().await
}

/// Verifies a copied file.
async fn compare(to: &Store, film: &Move, file: &str, read: Seal) -> Result<(), MoveFailure> {
    let found = to.seal(&format!("{}/{file}", film.key)).await?;
    if found == read {
        return Ok(());
    }
    Err(MoveFailure::Differs { file: file.to_owned(), group: film.to, found: found.length, length: read.length })
}
