//! Films on their way to another storage group: they are shown where they were until all their files are in the new one.

use std::time::Duration;

use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use lantern_catalog::{
    jobs::{self, Job},
    storage::{self, Move, MoveStart},
};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{AGAIN, Worker};
use crate::stores::{Seal, Store, StoreFailure, Unknown};

/// Between two looks for films to move.
const LOOK: Duration = Duration::from_secs(1);

/// Why a film isn't moved yet.
#[derive(Debug, thiserror::Error)]
enum Held {
    #[error(transparent)]
    Store(#[from] StoreFailure),
    #[error(transparent)]
    Group(#[from] Unknown),
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    #[error("there are no files of it in group {0}")]
    Nothing(i32),
    #[error("{there} of its {of} files are in group {group}")]
    Part { there: usize, of: usize, group: i32 },
    #[error("files of it are being removed from group {0}")]
    Removing(i32),
    #[error("{file} was read back from group {group} with {found} bytes of {length}, or other ones")]
    Differs { file: String, group: i32, found: u64, length: u64 },
}

impl Worker {
    /// Moves films until `stop`, one at a time.
    pub(super) async fn keep_moving(&self, stop: &CancellationToken) {
        // Where another node does the work, it does this, too.
        while self.settings.at_once > 0 && !stop.is_cancelled() {
            let pause = match self.move_once(stop).await {
                Ok(true) => continue,
                Ok(false) => LOOK,
                Err(error) => {
                    tracing::error!(%error, "the catalog doesn't say what to move; it is asked again");
                    AGAIN
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(pause) => {}
            }
        }
    }

    /// Moves one film if one is due; whether there was one.
    ///
    /// # Errors
    /// The catalog is away: the job, if it was taken, comes back when its lease is over.
    pub async fn move_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        let lease = Duration::from_secs(self.settings.lease_seconds);
        let mut conn = self.pool.acquire().await?;
        let Some(job) = jobs::claim(&mut conn, storage::KIND, lease).await? else { return Ok(false) };
        let Ok(film) = serde_json::from_value::<Move>(job.payload.clone()) else {
            tracing::error!(job = job.id, "a job says nothing of what is to be moved");
            jobs::finish(&mut conn, &job, Some("its payload can't be read")).await?;
            return Ok(true);
        };
        let lost = u32::try_from(job.lost).unwrap_or(u32::MAX);
        if lost >= self.settings.attempts {
            // A store that is away is waited for; this took its worker along each time.
            let why = job.last_error.as_deref().unwrap_or("no worker came to its end");
            tracing::error!(video = film.video, group = film.to, lost, why, "the move of a film is given up");
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
                tracing::warn!(video = film.video, group = film.to, why = %held, "a film stays where it is for now");
                let pause = Duration::from_secs(self.storage.retry_seconds);
                jobs::retry(&mut conn, &job, pause, &held.to_string()).await?;
            }
        }
        Ok(true)
    }

    async fn relocate(&self, job: &Job, film: &Move) -> Result<(), Held> {
        match storage::begin_move(&self.pool, film).await? {
            MoveStart::Removing => return Err(Held::Removing(film.to)),
            MoveStart::Unneeded => {
                storage::abandon_move(&self.pool, job, film, None).await?;
            }
            MoveStart::From(group) if group == film.to => {
                jobs::finish(&mut *self.pool.acquire().await.map_err(lantern_catalog::Error::from)?, job, None).await?;
            }
            MoveStart::From(group) => {
                let stores = (self.stores.group(group)?, self.stores.group(film.to)?);
                copy(stores, film, group, self.storage.files_at_once).await?;
                // Until the last node asks again, some look for it where it was.
                if storage::end_move(&self.pool, job, film, group, self.known_for).await? {
                    tracing::info!(video = film.video, from = group, to = film.to, "a film was moved");
                }
            }
        }
        Ok(())
    }

    /// Renews the lease; ends when it is lost, or over because the catalog doesn't answer.
    async fn renew(&self, job: &Job, lease: Duration) {
        let mut renewed = Instant::now();
        while renewed.elapsed() < lease {
            sleep(lease / 3).await;
            let asked = Instant::now();
            let Ok(mut conn) = self.pool.acquire().await else { continue };
            match jobs::report(&mut conn, job, &job.payload, lease).await {
                Ok(true) => renewed = asked,
                Ok(false) => return,
                Err(error) => tracing::warn!(%error, "the lease of a move can't be renewed; it is tried again"),
            }
        }
    }
}

/// Copies all files of a film, and reads them back: only then the former ones may go.
async fn copy((from, to): (&Store, &Store), film: &Move, group: i32, at_once: usize) -> Result<(), Held> {
    let files = from.files(&film.key).await?;
    if files.is_empty() {
        return Err(Held::Nothing(group));
    }
    let seals = to.take(&film.key, from, &files).await?;
    let there = to.files(&film.key).await?;
    if there != files {
        let there = files.iter().filter(|(name, size)| there.get(*name) == Some(size)).count();
        return Err(Held::Part { there, of: files.len(), group: film.to });
    }
    let comparing: Vec<BoxFuture<'_, _>> =
        seals.iter().map(|(file, read)| compare(to, film, file, *read).boxed()).collect();
    stream::iter(comparing).buffer_unordered(at_once).try_collect().await
}

/// Reads a copied file back.
async fn compare(to: &Store, film: &Move, file: &str, read: Seal) -> Result<(), Held> {
    let found = to.seal(&format!("{}/{file}", film.key)).await?;
    if found == read {
        return Ok(());
    }
    Err(Held::Differs { file: file.to_owned(), group: film.to, found: found.length, length: read.length })
}
