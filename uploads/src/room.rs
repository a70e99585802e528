//! Disk space reservations. A request reserves only what it will write next, not the whole announced upload.

use std::time::{Duration, Instant};

use lantern_catalog::room;
use lantern_errors::ApiError;
use lantern_media::disk::Disk;
use sqlx::PgPool;

use crate::{failure::full, intake::Intake, of_disk};

/// Disk space reserved by a request. The reservation lasts until it is dropped or the lease expires.
pub struct Room {
    pool: PgPool,
    id: Option<i64>,
    lease: Duration,
    since: Instant,
}

impl Room {
    /// Reserves `bytes` for the duration of `lease`. Fails with 507 if the disk lacks this space in addition to other reservations and
    /// `uploads.reserve_bytes`.
    pub async fn take(intake: &Intake, bytes: u64, lease: Duration) -> Result<Self, ApiError> {
        let mut room = Self { pool: intake.pool.clone(), id: None, lease, since: Instant::now() };
        room.renew(intake, bytes).await?;
        Ok(room)
    }

    /// Returns whether half of the lease is over.
    pub fn needs_renewal(&self) -> bool {
        self.since.elapsed() > self.lease / 2
    }

    /// Replaces the reservation, which has been used up by now, with one of `bytes`. Fails like [`Self::take`]; there is then no
    /// reservation.
    pub async fn renew(&mut self, intake: &Intake, bytes: u64) -> Result<(), ApiError> {
        let folder = intake.incoming.folder().await.map_err(of_disk)?;
        let reserve = intake.config.uploads.reserve_bytes;
        let free = || signed(free(&folder)).saturating_sub(signed(reserve));
        self.since = Instant::now();
        self.id = room::reserve(&self.pool, self.id, signed(bytes.max(1)), self.lease, free).await?;
        if self.id.is_some() { Ok(()) } else { Err(full()) }
    }

    /// Releases the reservation. If the catalog is unavailable, the reservation ends with its lease.
    pub async fn release(mut self) {
        if let Some(id) = self.id.take() {
            release(self.pool.clone(), id).await;
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // A client that disconnects can cancel its request at any point.
        if let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current()) {
            runtime.spawn(release(self.pool.clone(), id));
        }
    }
}

async fn release(pool: PgPool, id: i64) {
    if let Err(error) = room::release(&pool, id).await {
        tracing::warn!(%error, "failed to release disk space reserved for an upload; it is released when its lease expires");
    }
}

/// Fails with 507 unless the disk currently has space for `bytes`. Reserves nothing.
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
