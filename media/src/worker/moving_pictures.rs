//! Moves uploaded pictures to another storage group. A picture is served from the old group until all of its files are in the new one.

use lantern_catalog::{
    queue::{Held, Job, Outcome, Queue, Work},
    storage::{
        MoveStart,
        pictures::{self, PictureMove},
    },
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::{Worker, moving::MoveFailure};
use crate::{
    pictures::files_of,
    stores::{Store, StoreFailure},
};

impl Worker {
    /// Moves one picture if one is due. Returns whether there was one.
    ///
    /// # Errors
    /// Fails if the catalog is unavailable. A claimed job becomes available again when its lease expires.
    pub async fn move_picture_once(&self, stop: &CancellationToken) -> lantern_catalog::Result<bool> {
        Ok(self.picture_moves.round(&PictureMoveWork(self), stop).await?.claims > 0)
    }

    async fn relocate_picture(&self, job: &Job, picture: &PictureMove) -> Result<Outcome, MoveFailure> {
        let from = match pictures::begin_move(&self.pool, picture).await? {
            MoveStart::Removing => return Err(MoveFailure::Removing(picture.to)),
            MoveStart::Unneeded => return Ok(Outcome::Done),
            MoveStart::From(group) if group == picture.to => return Ok(Outcome::Done),
            MoveStart::From(group) => group,
        };
        copy((self.stores.group(from)?, self.stores.group(picture.to)?), &picture.key, from).await?;
        // Other nodes use the old location until their cache expires.
        pictures::end_move(&self.pool, job, picture, from, self.known_for).await?;
        Ok(Outcome::Recorded)
    }
}

/// Moves pictures.
pub(super) struct PictureMoveWork<'a>(pub(super) &'a Worker);

impl Work for PictureMoveWork<'_> {
    async fn attempt(&self, queue: &Queue, jobs: &[Job], stop: &CancellationToken) -> lantern_catalog::Result<Outcome> {
        let [job] = jobs else { return Ok(Outcome::Interrupted) };
        let picture = match job.parse::<PictureMove>() {
            Ok(picture) => picture,
            Err(refused) => return Ok(refused),
        };
        let (_sender, progress) = watch::channel(picture.clone());
        Ok(match queue.hold(job, progress, stop, self.0.relocate_picture(job, &picture)).await {
            Held::Ended(moved) => moved.unwrap_or_else(|held| Outcome::Failed(held.to_string())),
            Held::Stopped => Outcome::Interrupted,
            Held::Lost => Outcome::Recorded,
        })
    }

    async fn give_up(
        &self,
        queue: &Queue,
        job: &Job,
        _: Option<&'static str>,
        why: &str,
    ) -> lantern_catalog::Result<bool> {
        tracing::error!(payload = %job.payload, lost = job.lost, why, "giving up on moving a picture");
        queue.fail(job, why).await
    }
}

/// Copies all files of a picture and reads the copies back to verify them. Only then may the originals be removed.
async fn copy((from, to): (&Store, &Store), key: &str, group: i32) -> Result<(), MoveFailure> {
    let mut copied = 0;
    for file in files_of(key) {
        let Some(length) = from.length(&file).await? else { continue };
        let seal = to.put(&file, from.read(&file).await?).await?;
        if seal.length != length {
            return Err(StoreFailure::Differs { file, found: seal.length, length }.into());
        }
        copied += 1;
    }
    if copied == 0 { Err(MoveFailure::Nothing(group)) } else { Ok(()) }
}
