//! Removes film and picture files that no video refers to. The catalog tracks them until they are removed.

use std::time::Duration;

use lantern_catalog::storage::{self, RemovalStart};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Worker;
use crate::{
    pictures,
    stores::{StoreFailure, Unknown},
};

/// Interval between checks. It is short, because a store's signed URL works until its file is removed.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Number of films removed per check.
const AT_ONCE: usize = 20;
/// Time limit for one film, after which it is the next one's turn. A store responds much sooner or not at all.
const LIMIT: Duration = Duration::from_secs(60);

/// Reasons why files cannot be removed yet.
#[derive(Debug, thiserror::Error)]
enum RemovalFailure {
    #[error(transparent)]
    Store(#[from] StoreFailure),
    #[error(transparent)]
    Picture(#[from] crate::Error),
    #[error(transparent)]
    Group(#[from] Unknown),
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    #[error("the store timed out")]
    Late,
    #[error("{file} is missing in group {home}, to which the film was moved")]
    Missing { file: String, home: i32 },
}

impl Worker {
    /// Removes due files until `stop`.
    pub(super) async fn run_removals(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.remove_due().await {
                tracing::error!(%error, "can't find the files of deleted films");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// Removes the files of videos that were taken down or were deleted long enough ago, of moved films, and of replaced pictures. Returns
    /// the number of films and pictures.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. Failed removals are retried later.
    pub async fn remove_due(&self) -> lantern_catalog::Result<usize> {
        let mut conn = self.pool.acquire().await?;
        storage::drop_deleted(&mut conn, self.settings.grace_hours).await?;
        let (lease, pause) = (LIMIT * 2, Duration::from_secs(self.storage.retry_seconds));
        let mut removed = 0;
        for _ in 0..AT_ONCE {
            let Some(film) = storage::claim_removal(&mut conn, lease).await? else { break };
            match storage::begin_removal(&self.pool, &film).await? {
                RemovalStart::Named => {}
                RemovalStart::Waits => storage::postpone_removal(&mut conn, film.id, pause).await?,
                RemovalStart::Begun => {
                    let (key, group) = (&film.media_key, film.sg_id);
                    let ended = timeout(LIMIT, self.remove(key, group)).await.unwrap_or(Err(RemovalFailure::Late));
                    if let Err(why) = ended {
                        tracing::warn!(key, group, %why, "can't remove the files of a film; retrying later");
                        storage::postpone_removal(&mut conn, film.id, pause).await?;
                        continue;
                    }
                    tracing::info!(key, group, "removed the files of a film");
                    removed += 1;
                    storage::end_removal(&mut conn, film.id).await?;
                }
            }
        }
        Ok(removed)
    }

    async fn remove(&self, key: &str, group: i32) -> Result<(), RemovalFailure> {
        if pictures::is_uploaded(key) {
            return Ok(pictures::remove(self.stores.root(), key).await?);
        }
        let store = self.stores.group(group)?;
        if let Some(home) = storage::group_of(&self.pool, key).await? {
            let (left, there) = (store.files(key).await?, self.stores.group(home)?.files(key).await?);
            if let Some((file, _)) = left.iter().find(|(name, size)| there.get(*name) != Some(size)) {
                return Err(RemovalFailure::Missing { file: file.clone(), home });
            }
        }
        Ok(store.remove(key).await?)
    }
}
