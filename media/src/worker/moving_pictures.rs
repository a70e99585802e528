//! Moves uploaded pictures to another storage group. A picture is served from the old group until all of its files are in the new one.

use lantern_catalog::{
    queue::{Job, Outcome, Queue, Work},
    storage::{
        MoveStart,
        pictures::{self, PictureMove},
    },
};
use tokio_util::sync::CancellationToken;

use super::{
    Worker,
    moving::{self, MoveFailure},
};
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
        Ok(moving::hold(queue, job, picture.clone(), stop, self.0.relocate_picture(job, &picture)).await)
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

/// Copies all files of a picture and reads the copies back to verify them. Only then may the files in the old group be removed.
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
