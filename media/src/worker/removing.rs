//! Removes files of films, pictures and uploads that no row refers to. The catalog tracks them until they are removed.

use std::time::Duration;

use lantern_catalog::{
    films,
    queue::{Job, Outcome, Queue, Work},
    storage::{self, Removal, RemovalStart, pictures::forget},
};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::Worker;
use crate::{
    pictures,
    stores::{StoreFailure, Unknown},
};

/// Interval between checks. It is short, because a store's signed URL works until its file is removed.
pub(super) const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// Number of films removed per check.
pub(super) const AT_ONCE: usize = 20;
/// Time limit for one film, after which it is the next one's turn. A store responds much sooner or not at all.
pub(super) const LIMIT: Duration = Duration::from_secs(60);

/// Reasons why files cannot be removed yet.
#[derive(Debug, thiserror::Error)]
enum RemovalFailure {
    #[error(transparent)]
    Store(#[from] StoreFailure),
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
    /// Removes the files of videos that were taken down or were deleted long enough ago, of films that were moved or remade long enough
    /// ago, of moved pictures and those that nothing shows any more, and of uploads that have ended. Returns their number.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. Failed removals are retried later.
    pub async fn remove_due(&self) -> lantern_catalog::Result<usize> {
        Ok(self.removals.round(&RemovalWork(self), &CancellationToken::new()).await?.done)
    }

    async fn remove(&self, key: &str, group: i32) -> Result<(), RemovalFailure> {
        let store = self.stores.group(group)?;
        if pictures::is_uploaded(key) {
            store.remove_files(pictures::files_of(key)).await?;
            return Ok(forget(&self.pool, key, group).await?);
        }
        if let Some(home) = storage::group_of(&self.pool, key).await? {
            let (left, there) = (store.files(key).await?, self.stores.group(home)?.files(key).await?);
            if let Some((file, _)) = left.iter().find(|(name, size)| there.get(*name) != Some(size)) {
                return Err(RemovalFailure::Missing { file: file.clone(), home });
            }
        }
        Ok(store.remove(key).await?)
    }
}

/// Removes files.
pub(super) struct RemovalWork<'a>(pub(super) &'a Worker);

impl Work for RemovalWork<'_> {
    async fn prepare(&self) -> lantern_catalog::Result<bool> {
        let mut conn = self.0.pool.acquire().await?;
        storage::drop_deleted(&mut conn, self.0.settings.grace_hours).await?;
        films::drop_former(&mut conn).await?;
        Ok(true)
    }

    async fn attempt(&self, _: &Queue, jobs: &[Job], _: &CancellationToken) -> lantern_catalog::Result<Outcome> {
        let [job] = jobs else { return Ok(Outcome::Interrupted) };
        let files = match job.parse::<Removal>() {
            Ok(files) => files,
            Err(refused) => return Ok(refused),
        };
        match storage::begin_removal(&self.0.pool, job, &files).await? {
            RemovalStart::Named => return Ok(Outcome::Recorded),
            RemovalStart::Waits => return Ok(Outcome::Postponed("a move is writing files there".to_owned())),
            RemovalStart::Begun => {}
        }
        let Removal { key, group } = &files;
        let ended = timeout(LIMIT, self.0.remove(key, *group)).await.unwrap_or(Err(RemovalFailure::Late));
        Ok(match ended {
            Ok(()) => {
                tracing::info!(key, group, "removed files");
                Outcome::Done
            }
            Err(why) => Outcome::Failed(format!("can't remove {key} from group {group}: {why}")),
        })
    }
}
