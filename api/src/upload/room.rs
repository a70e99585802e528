//! Room on the disk: a request has as much of it as it fills next, and what an upload only announces has none.

use std::time::{Duration, Instant};

use lantern_catalog::room;
use lantern_errors::ApiError;
use sqlx::PgPool;

use super::{Intake, full, of_disk};
use crate::monitor::disk::Disk;

/// Room that a request may fill, until this is dropped or its time is over.
pub struct Room {
    pool: PgPool,
    id: Option<i64>,
    lease: Duration,
    since: Instant,
}

impl Room {
    /// Takes so many bytes for the time of `lease`. Fails with 507 where the disk doesn't have them beside what others take and
    /// `uploads.reserve_bytes`.
    pub async fn take(intake: &Intake, bytes: u64, lease: Duration) -> Result<Self, ApiError> {
        let mut room = Self { pool: intake.pool.clone(), id: None, lease, since: Instant::now() };
        room.renew(intake, bytes).await?;
        Ok(room)
    }

    /// Whether half of its time is over.
    pub fn ages(&self) -> bool {
        self.since.elapsed() > self.lease / 2
    }

    /// Takes so many bytes in place of what it had, which is filled by now; fails as `take` does, and has none then.
    pub async fn renew(&mut self, intake: &Intake, bytes: u64) -> Result<(), ApiError> {
        let folder = intake.incoming.folder().await.map_err(of_disk)?;
        let reserve = intake.config.uploads.reserve_bytes;
        let free = || signed(free(&folder)).saturating_sub(signed(reserve));
        self.since = Instant::now();
        self.id = room::reserve(&self.pool, self.id, signed(bytes.max(1)), self.lease, free).await?;
        if self.id.is_some() { Ok(()) } else { Err(full()) }
    }

    /// Gives it back. What isn't given back for want of the catalog is free when its time is over.
    pub async fn release(mut self) {
        if let Some(id) = self.id.take() {
            release(self.pool.clone(), id).await;
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // A client that hangs up ends its request at any moment.
        if let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(release(self.pool.clone(), id));
        }
    }
}

async fn release(pool: PgPool, id: i64) {
    if let Err(error) = room::release(&pool, id).await {
        tracing::warn!(%error, "room for an upload isn't given back until its time is over");
    }
}

/// Fails with 507 unless the disk has room for so many bytes now, which others may fill meanwhile.
pub async fn has_room(intake: &Intake, bytes: u64) -> Result<(), ApiError> {
    let promised = room::promised(&intake.pool).await?.unsigned_abs();
    let folder = intake.incoming.folder().await.map_err(of_disk)?;
    let needed = bytes.saturating_add(promised).saturating_add(intake.config.uploads.reserve_bytes);
    if free(&folder) < needed { Err(full()) } else { Ok(()) }
}

fn free(folder: &std::path::Path) -> u64 {
    Disk::of(folder).map_or(0, |disk| disk.free)
}

fn signed(bytes: u64) -> i64 {
    i64::try_from(bytes).unwrap_or(i64::MAX)
}
