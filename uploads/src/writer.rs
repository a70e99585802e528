//! Writes a piece to disk, or to the upload's store by way of the disk, and counts its durable bytes.

use axum::http::StatusCode;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use lantern_catalog::{
    films,
    uploads::{self, Upload, UploadProgress},
};
use lantern_config::{LOCAL_GROUP, Uploads};
use lantern_errors::{ApiError, ApiResult};
use lantern_media::{incoming::Part, pieces};
use time::Duration;

use crate::{create::expiry, intake::Intake, locked, of_disk, refused, room::Room, turns::Turn, tus::Checksum};

/// Number of bytes per write.
const BLOCK: usize = 1 << 20;

/// Appends to an upload.
pub struct Writer<'a> {
    intake: &'a Intake,
    /// Current row of the upload.
    pub upload: Upload,
    /// Expected checksum. While it is set, nothing is counted.
    pub checksum: Option<Checksum>,
    room: Room,
    /// How long received bytes are retained until the client resumes.
    patience: Duration,
    /// The part of the file to write to, or `None` after a failure, when nothing more is written.
    part: Option<Part>,
    /// Size of the upload, including bytes that have not been counted yet.
    written: i64,
    /// Received bytes that have not been written yet.
    block: BytesMut,
}

impl<'a> Writer<'a> {
    /// Starts at the end of `upload`, to which `part` has been truncated. In a store, `part` is empty. Fails with 507 if the disk lacks space for the next bytes.
    pub async fn begin(intake: &'a Intake, upload: Upload, part: Part, patience: Duration) -> ApiResult<Self> {
        let written = upload.received_bytes;
        let lease = std::time::Duration::from_secs(intake.config.uploads.ahead_seconds);
        let room = Room::take(intake, ahead(&intake.config.uploads, &upload, written), lease).await?;
        Ok(Self { intake, written, upload, checksum: None, room, patience, part: Some(part), block: BytesMut::new() })
    }

    /// Releases unused disk space and returns the current row.
    pub async fn end(self) -> Upload {
        self.room.release().await;
        self.upload
    }

    /// Writes all chunks and counts durable bytes every `uploads.sync_bytes`. Fails if the stream fails, with 413 beyond the upload's
    /// size, with 423 if a later request continues the upload, and with 507 if the disk is full.
    pub async fn take(&mut self, chunks: impl Stream<Item = ApiResult<Bytes>>, turn: &Turn) -> ApiResult<()> {
        let mut chunks = std::pin::pin!(chunks);
        let mut checked = self.written;
        let every = i64::try_from(self.intake.config.uploads.sync_bytes).unwrap_or(i64::MAX);
        loop {
            let bytes = tokio::select! {
                () = turn.replaced() => return Err(locked()),
                bytes = chunks.next() => bytes,
            };
            let Some(bytes) = bytes else { break };
            self.put(&bytes?)?;
            if self.block.len() >= BLOCK {
                self.write().await?;
            }
            let is_filled = self.written - checked >= every;
            if is_filled {
                checked = self.written;
                // A piece with a checksum doesn't count yet, but still uses disk space.
                if self.checksum.is_none() {
                    self.count().await?;
                }
            }
            if is_filled || self.room.needs_renewal() {
                let next = ahead(&self.intake.config.uploads, &self.upload, self.written);
                self.room.renew(self.intake, next).await?;
            }
        }
        self.write().await
    }

    /// Buffers the bytes, up to the upload's size. Fails if there are more bytes.
    fn put(&mut self, bytes: &[u8]) -> ApiResult<()> {
        let size = usize::try_from(self.upload.size_bytes - self.written).map_err(ApiError::internal)?;
        let fits = bytes.len().min(size.saturating_sub(self.block.len()));
        if let Some(checksum) = &mut self.checksum {
            checksum.update(&bytes[..fits]);
        }
        self.block.extend_from_slice(&bytes[..fits]);
        if fits < bytes.len() { Err(ApiError::BodyTooLarge) } else { Ok(()) }
    }

    async fn write(&mut self) -> ApiResult<()> {
        let (Some(part), bytes) = (self.part.take(), self.block.split().freeze()) else { return Ok(()) };
        let length = bytes.len();
        self.part = Some(part.write(bytes).await.map_err(of_disk)?);
        self.written += i64::try_from(length).map_err(ApiError::internal)?;
        Ok(())
    }

    /// Makes received bytes durable and records them in the upload's row. Fails with 409 if another request has counted bytes, and with
    /// 503 if the upload's store is unavailable.
    pub async fn count(&mut self) -> ApiResult<()> {
        self.write().await?;
        if self.written > self.upload.received_bytes
            && let Some(part) = self.part.take()
        {
            let now = self.intake.now()?;
            let expires_at = expiry(&self.intake.config.uploads, &self.upload, self.written, now, self.patience);
            let (id, pool) = (self.upload.id, &self.intake.pool);
            let (part, is_counted) = if self.upload.sg_id == LOCAL_GROUP {
                let part = part.sync().await.map_err(of_disk)?;
                let progress = UploadProgress { from: self.upload.received_bytes, to: self.written, expires_at };
                (part, uploads::advance(pool, id, progress).await?)
            } else {
                let (place, from) = ((self.upload.sg_id, self.upload.token.as_str()), self.upload.received_bytes);
                let bytes = part.read().await.map_err(of_disk)?;
                let piece = pieces::put(&self.intake.stores, place, from, bytes).await.map_err(of_disk)?;
                let is_counted = uploads::advance_by(&mut *pool.acquire().await?, id, &piece, expires_at).await?;
                (part.clear().await.map_err(of_disk)?, is_counted)
            };
            if !is_counted {
                return Err(refused(StatusCode::CONFLICT, "upload_offset"));
            }
            self.part = Some(part);
            (self.upload.received_bytes, self.upload.expires_at) = (self.written, expires_at);
            if self.written == self.upload.size_bytes {
                "received".clone_into(&mut self.upload.state);
                films::begin(&mut *self.intake.pool.acquire().await?, Some(self.upload.id)).await?;
            }
        }
        Ok(())
    }
}

/// Returns the number of bytes to reserve for an upload.
fn ahead(config: &Uploads, upload: &Upload, written: i64) -> u64 {
    (upload.size_bytes - written).unsigned_abs().min(config.ahead_bytes)
}
