//! Films named by imported lines. They are stored in the upload folder and enqueued for transcoding.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use bytes::Bytes;
use lantern_catalog::{
    imports::{self, ImportedFilm, NewFilm},
    storage,
    uploads::UploadPiece,
};
use lantern_config::{Config, LOCAL_GROUP};
use lantern_media::disk::Disk;
use lantern_media::{
    incoming::{Incoming, Part},
    pieces,
    stores::Stores,
};
use reqwest::Client;
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio::io::AsyncReadExt;

use super::{
    check::{CheckedLine, Refusal, details, refuse},
    names::Names,
    places::{From, Place, Places},
    report::RowOutcome,
};

/// Number of bytes copied at a time.
const BLOCK: usize = 1 << 20;
/// Interval at which the worker's queue is checked for room.
const POLL: Duration = Duration::from_secs(2);
/// Time within which the catalog must name a film that was sent to a store.
const NAMED_WITHIN: Duration = Duration::from_secs(86400);

/// Where films come from and where they are stored.
pub struct Films<'a> {
    pub config: &'a Config,
    pub pool: &'a PgPool,
    pub source: &'a str,
    pub places: Places<'a>,
    pub incoming: Incoming,
    pub stores: Stores,
    pub client: Client,
    pub is_dry: bool,
}

impl Films<'_> {
    /// Stores and enqueues the film of a line, unless the line's video already has one.
    pub async fn take(
        &self,
        checked: &CheckedLine,
        from: &From,
        names: &Names,
    ) -> anyhow::Result<Result<RowOutcome, Refusal>> {
        let row = &checked.row;
        match imports::film(self.pool, self.source, &row.source_id, &row.digest).await? {
            ImportedFilm::Needed => {}
            ImportedFilm::Waits => return Ok(Ok(RowOutcome::Unchanged)),
            ImportedFilm::Failed(code) => return Ok(refuse("film_refused", "file", code)),
            ImportedFilm::There => return Ok(Ok(RowOutcome::Existing)),
        }
        let Some(user_id) = row.user_id else { return Ok(refuse("required", "member", "")) };
        let place = match self.places.find(from) {
            Ok(place) => place,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if self.is_dry {
            return Ok(Ok(RowOutcome::Film));
        }
        self.wait_for_room().await?;
        let token = hex::encode(rand::random::<[u8; 32]>());
        self.incoming.create(&token).await?;
        let size = match self.bring(&place, &token).await {
            Ok(Ok(size)) => size,
            failed => {
                self.incoming.remove(&token).await?;
                return Ok(failed?.map(|_| RowOutcome::Film));
            }
        };
        let (group, pieces) = (self.stores.for_uploads(), self.send(&token).await?);
        let expires_at = OffsetDateTime::now_utc() + time::Duration::hours(self.config.uploads.expire_hours.into());
        let film = NewFilm {
            token: &token,
            size_bytes: size,
            source_id: &row.source_id,
            digest: row.digest,
            user_id,
            details: &details(checked, names, self.source),
            is_exclusive: checked.is_exclusive,
            expires_at,
            group,
            pieces: &pieces,
        };
        imports::enqueue(self.pool, self.source, &film).await?;
        Ok(Ok(RowOutcome::Film))
    }

    /// Sends the film to the store of uploads, if it doesn't stay on this node. Returns its only piece.
    async fn send(&self, token: &str) -> anyhow::Result<Vec<UploadPiece>> {
        let group = self.stores.for_uploads();
        if group == LOCAL_GROUP {
            return Ok(Vec::new());
        }
        // A row that names the upload keeps it.
        storage::announce(&mut *self.pool.acquire().await?, &pieces::folder(token), group, NAMED_WITHIN).await?;
        let file = tokio::fs::File::open(self.incoming.path(token)).await?;
        let piece = pieces::put(&self.stores, (group, token), 0, file).await;
        self.incoming.remove(token).await?;
        Ok(vec![piece?])
    }

    /// Waits until fewer than `import.waiting_films` films are enqueued.
    async fn wait_for_room(&self) -> anyhow::Result<()> {
        while imports::waiting(self.pool).await? >= i64::from(self.config.import.waiting_films) {
            tokio::time::sleep(POLL).await;
        }
        Ok(())
    }

    /// Writes the film to its upload file and syncs the file. Returns the size in bytes.
    async fn bring(&self, place: &Place, token: &str) -> anyhow::Result<Result<i64, Refusal>> {
        let part = self.incoming.lock(token).await?.append(0).await?;
        let mut to = Target {
            part: Some(part),
            written: 0,
            most: self.config.uploads.max_bytes,
            folder: self.incoming.folder().await?,
            reserve: self.config.uploads.reserve_bytes,
        };
        let brought = match place {
            Place::File(path) => copy(path, &mut to).await,
            Place::Address(address) => self.fetch(address, &mut to).await,
        };
        if let Err(refusal) = brought? {
            return Ok(Err(refusal));
        }
        if to.written == 0 {
            return Ok(refuse("empty", "file", ""));
        }
        to.part.take().context("the file is closed")?.sync().await?;
        Ok(Ok(to.written.try_into()?))
    }

    async fn fetch(&self, address: &str, to: &mut Target) -> anyhow::Result<Result<(), Refusal>> {
        let failed = |error: reqwest::Error| {
            refuse("fetch_failed", "address", format!("{:#}", anyhow::Error::from(error.without_url())))
        };
        let mut response = match self.client.get(address).send().await.and_then(reqwest::Response::error_for_status) {
            Ok(response) => response,
            Err(error) => return Ok(failed(error)),
        };
        loop {
            match response.chunk().await {
                Ok(Some(bytes)) => {
                    if let Err(refusal) = to.write(bytes, "address").await? {
                        return Ok(Err(refusal));
                    }
                }
                Ok(None) => return Ok(Ok(())),
                Err(error) => return Ok(failed(error)),
            }
        }
    }
}

/// A film being written.
struct Target {
    part: Option<Part>,
    written: u64,
    most: u64,
    folder: PathBuf,
    reserve: u64,
}

impl Target {
    async fn write(&mut self, bytes: Bytes, field: &'static str) -> anyhow::Result<Result<(), Refusal>> {
        let length = bytes.len() as u64;
        if self.written.saturating_add(length) > self.most {
            return Ok(refuse("video_size_limit", field, self.most.to_string()));
        }
        if Disk::of(&self.folder).is_some_and(|disk| disk.free < self.reserve.saturating_add(length)) {
            anyhow::bail!(
                "the disk of {} has no free space above uploads.reserve_bytes; free some and run the import again",
                self.folder.display()
            );
        }
        let part = self.part.take().context("the file is closed")?;
        self.part = Some(part.write(bytes).await?);
        self.written += length;
        Ok(Ok(()))
    }
}

async fn copy(path: &Path, to: &mut Target) -> anyhow::Result<Result<(), Refusal>> {
    let mut file = match tokio::fs::File::open(path).await {
        Ok(file) => file,
        Err(error) => return Ok(refuse("not_readable", "file", error.to_string())),
    };
    let mut block = bytes::BytesMut::with_capacity(BLOCK);
    while file.read_buf(&mut block).await.with_context(|| path.display().to_string())? > 0 {
        if let Err(refusal) = to.write(block.split().freeze(), "file").await? {
            return Ok(Err(refusal));
        }
        block.reserve(BLOCK);
    }
    Ok(Ok(()))
}
