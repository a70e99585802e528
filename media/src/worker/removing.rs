//! Files of films and pictures that no video needs any more: known to the catalog until they are gone.

use std::time::Duration;

use lantern_catalog::storage::{self, RemovalStart};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use super::Worker;
use crate::{
    pictures,
    stores::{StoreFailure, Unknown},
};

/// Between two looks: an address of a store works until its file is gone.
const LOOK: Duration = Duration::from_secs(2);
/// Films that are removed with one look.
const AT_ONCE: usize = 20;
/// How long files of one film are removed before another gets its turn: their store answers much sooner, or not at all.
const LIMIT: Duration = Duration::from_secs(60);

/// Why files stay.
#[derive(Debug, thiserror::Error)]
enum Stays {
    #[error(transparent)]
    Store(#[from] StoreFailure),
    #[error(transparent)]
    Picture(#[from] crate::Error),
    #[error(transparent)]
    Group(#[from] Unknown),
    #[error(transparent)]
    Catalog(#[from] lantern_catalog::Error),
    #[error("their store takes too long")]
    Late,
    #[error("{file} is missing in group {home}, where the film was moved to")]
    Missing { file: String, home: i32 },
}

impl Worker {
    /// Removes what is due until `stop`.
    pub(super) async fn keep_removing(&self, stop: &CancellationToken) {
        while !stop.is_cancelled() {
            if let Err(error) = self.remove_due().await {
                tracing::error!(%error, "files of deleted films can't be looked for");
            }
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(LOOK) => {}
            }
        }
    }

    /// Removes files of videos that were deleted long enough ago or taken down, of films that moved, and of pictures that were replaced;
    /// how many films and pictures.
    ///
    /// # Errors
    /// The catalog is away. What a store doesn't remove comes again.
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
                    let ended = timeout(LIMIT, self.remove(key, group)).await.unwrap_or(Err(Stays::Late));
                    if let Err(why) = ended {
                        tracing::warn!(key, group, %why, "files of a film stay for now; their removal is tried again");
                        storage::postpone_removal(&mut conn, film.id, pause).await?;
                        continue;
                    }
                    tracing::info!(key, group, "files of a film were removed");
                    removed += 1;
                    storage::end_removal(&mut conn, film.id).await?;
                }
            }
        }
        Ok(removed)
    }

    async fn remove(&self, key: &str, group: i32) -> Result<(), Stays> {
        if pictures::is_uploaded(key) {
            return Ok(pictures::remove(self.stores.root(), key).await?);
        }
        let store = self.stores.group(group)?;
        if let Some(home) = storage::group_of(&self.pool, key).await? {
            let (left, there) = (store.files(key).await?, self.stores.group(home)?.files(key).await?);
            if let Some((file, _)) = left.iter().find(|(name, size)| there.get(*name) != Some(size)) {
                return Err(Stays::Missing { file: file.clone(), home });
            }
        }
        Ok(store.remove(key).await?)
    }
}
