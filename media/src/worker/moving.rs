//! Moves films to another storage group. A film is served from the old group until all of its files are in the new one.

use std::time::Duration;

use futures_util::{FutureExt, StreamExt, TryStreamExt, future::BoxFuture, stream};
use lantern_catalog::{
    queue::{Held, Job, Outcome, Queue, Work},
    storage::{self, Move, MoveStart},
};
use serde::Serialize;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::Worker;
use crate::stores::{Seal, Store, StoreFailure, Unknown};

/// Interval between checks for films to be moved.
pub(super) const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Reasons why a film or picture cannot be moved yet.
#[derive(Debug, thiserror::Error)]
pub(super) enum MoveFailure {
    #[error(transparent)]
    Store(#[from] StoreFailure),
    #[error(transparent)]
    Group(#[from] Unknown),
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    #[error("there are no files in group {0}")]
    Nothing(i32),
    #[error("only {there} of the film's {of} files are in group {group}")]
    Part { there: usize, of: usize, group: i32 },
    #[error("files are still being removed from group {0}")]
    Removing(i32),
    #[error("{file} was read back from group {group} with {found} of {length} bytes or other content")]
    Differs { file: String, group: i32, found: u64, length: u64 },
}

impl Worker {
    /// Moves one film if one is due. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. A claimed job becomes available again when its lease expires.
    pub async fn move_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        Ok(self.moves.round(&MoveWork(self), stop).await?.claims > 0)
    }

    async fn relocate(&self, job: &Job, film: &Move) -> Result<Outcome, MoveFailure> {
        match storage::begin_move(&self.pool, film).await? {
            MoveStart::Removing => Err(MoveFailure::Removing(film.to)),
            MoveStart::Unneeded => {
                storage::abandon_move(&self.pool, job, film, None).await?;
                Ok(Outcome::Recorded)
            }
            MoveStart::From(group) if group == film.to => Ok(Outcome::Done),
            MoveStart::From(group) => {
                let at =
                    |group| Ok::<_, Unknown>(FilmFolder { store: self.stores.group(group)?, group, key: &film.key });
                copy(at(group)?, at(film.to)?, self.storage.files_at_once).await?;
                // Other nodes use the old location until their cache expires.
                if storage::end_move(&self.pool, job, film, group, self.known_for).await? {
                    tracing::info!(video = film.video, from = group, to = film.to, "moved a film");
                }
                Ok(Outcome::Recorded)
            }
        }
    }
}

/// Moves films.
pub(super) struct MoveWork<'a>(pub(super) &'a Worker);

impl Work for MoveWork<'_> {
    async fn attempt(&self, queue: &Queue, jobs: &[Job], stop: &CancellationToken) -> lantern_catalog::Result<Outcome> {
        let [job] = jobs else { return Ok(Outcome::Interrupted) };
        let film = match job.parse::<Move>() {
            Ok(film) => film,
            Err(refused) => return Ok(refused),
        };
        Ok(hold(queue, job, film.clone(), stop, self.0.relocate(job, &film)).await)
    }

    async fn give_up(
        &self,
        queue: &Queue,
        job: &Job,
        _: Option<&'static str>,
        why: &str,
    ) -> lantern_catalog::Result<bool> {
        let Ok(film) = job.parse::<Move>() else { return queue.fail(job, why).await };
        tracing::error!(video = film.video, group = film.to, lost = job.lost, why, "giving up on moving a film");
        storage::abandon_move(&self.0.pool, job, &film, Some(why)).await
    }
}

/// Holds the job of a move with this payload while its files are moved.
pub(super) async fn hold<T: Serialize + Clone + PartialEq + Send + Sync>(
    queue: &Queue,
    job: &Job,
    payload: T,
    stop: &CancellationToken,
    moving: impl Future<Output = Result<Outcome, MoveFailure>>,
) -> Outcome {
    let (_sender, progress) = watch::channel(payload);
    match queue.hold(job, progress, stop, moving).await {
        Held::Ended(moved) => moved.unwrap_or_else(|held| Outcome::Failed(held.to_string())),
        Held::Stopped => Outcome::Interrupted,
        Held::Lost => Outcome::Recorded,
    }
}

/// A folder of a film's files.
#[derive(Clone, Copy)]
pub(super) struct FilmFolder<'a> {
    pub store: &'a Store,
    /// Group of the store.
    pub group: i32,
    /// The folder.
    pub key: &'a str,
}

/// Copies all files of a film and reads the copies back to verify them. Only then may the originals be removed.
pub(super) async fn copy(from: FilmFolder<'_>, to: FilmFolder<'_>, at_once: usize) -> Result<(), MoveFailure> {
    let files = from.store.files(from.key).await?;
    if files.is_empty() {
        return Err(MoveFailure::Nothing(from.group));
    }
    let seals = to.store.take(to.key, (from.store, from.key), &files).await?;
    let there = to.store.files(to.key).await?;
    if there != files {
        let there = files.iter().filter(|(name, size)| there.get(*name) == Some(size)).count();
        return Err(MoveFailure::Part { there, of: files.len(), group: to.group });
    }
    let comparing: Vec<BoxFuture<'_, _>> = seals.iter().map(|(file, read)| compare(to, file, *read).boxed()).collect();
    stream::iter(comparing).buffer_unordered(at_once).try_collect().await
}

/// Verifies a copied file.
async fn compare(to: FilmFolder<'_>, file: &str, read: Seal) -> Result<(), MoveFailure> {
    let found = to.store.seal(&format!("{}/{file}", to.key)).await?;
    if found == read {
        return Ok(());
    }
    Err(MoveFailure::Differs { file: file.to_owned(), group: to.group, found: found.length, length: read.length })
}
