//! Files of films and pictures that no video needs any more: known to the catalog until they are gone.

use std::time::Duration;

use lantern_catalog::storage;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::Worker;
use crate::pictures;

/// Between two looks: an address of a store works until its file is gone.
const LOOK: Duration = Duration::from_secs(2);
/// Films that are removed with one look.
const AT_ONCE: i64 = 20;

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
        let pause = Duration::from_secs(self.storage.retry_seconds);
        let due = storage::claim_removals(&mut conn, AT_ONCE, pause).await?;
        drop(conn);
        let mut removed = 0;
        for film in due {
            let (key, group) = (&film.media_key, film.sg_id);
            // It moved back meanwhile.
            if !film.is_named {
                let outcome = match self.stores.group(group) {
                    Ok(_) if pictures::is_uploaded(key) => {
                        pictures::remove(self.stores.root(), key).await.map_err(|failed| failed.to_string())
                    }
                    Ok(store) => store.remove(key).await.map_err(|failed| failed.to_string()),
                    Err(unknown) => Err(unknown.to_string()),
                };
                if let Err(why) = outcome {
                    tracing::warn!(
                        key,
                        group,
                        why,
                        "files of a deleted film stay for now; their removal is tried again"
                    );
                    continue;
                }
                tracing::info!(key, group, "files of a film were removed");
                removed += 1;
            }
            storage::end_removal(&mut *self.pool.acquire().await?, film.id).await?;
        }
        Ok(removed)
    }
}
