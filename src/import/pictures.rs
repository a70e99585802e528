//! Pictures for imported videos without a film. They are decoded in the sandbox and re-encoded, like members' pictures.

use std::{path::Path, time::Duration};

use futures_util::{StreamExt, TryStreamExt, stream};
use lantern_catalog::{
    imports::{self, ImportRow},
    prints,
};
use lantern_media::{Error, pictures::Pictures};
use reqwest::{Client, Response};
use tokio::{fs::File, io::AsyncReadExt};

use super::{
    check::{Refusal, refuse},
    films::Films,
    places::{From, PICTURE, Place},
};

/// A row that is to be written, with its line number and picture.
pub struct PendingRow {
    pub line: u64,
    pub row: ImportRow,
    pub picture: Option<From>,
}

/// Result of fetching the pictures for a batch.
#[derive(Debug, Default)]
pub struct FetchedPictures {
    /// Number of pictures that were stored or, in a dry run, would be.
    pub count: u64,
    /// Refused pictures: line number, id and reason.
    pub refused: Vec<(u64, String, Refusal)>,
}

impl Films<'_> {
    /// Fetches the pictures that the videos of these rows lack, and sets their keys in the rows. If a picture is
    /// refused, its video isn't.
    pub async fn fetch_pictures(
        &self,
        pending: &mut [PendingRow],
        pictures: &Pictures,
    ) -> anyhow::Result<FetchedPictures> {
        let mut fetched = FetchedPictures::default();
        // Most files name no pictures, so the query is skipped if none is named.
        if pending.iter().all(|one| one.picture.is_none()) {
            return Ok(fetched);
        }
        let rows: Vec<ImportRow> = pending.iter().map(|one| one.row.clone()).collect();
        let lacking = imports::lacking(self.pool, self.source, &rows).await?;
        let needed = pending.iter().enumerate().zip(lacking).filter(|(_, lacks)| *lacks);
        let needed = needed.filter_map(|((at, one), _)| Some((at, one.picture.clone()?)));
        let fetching = needed.map(async |(at, from)| anyhow::Ok((at, self.fetch_picture(&from, pictures).await?)));
        let at_once = self.config.import.pictures_at_once;
        let outcomes: Vec<_> = stream::iter(fetching).buffered(at_once).try_collect().await?;
        for (at, outcome) in outcomes {
            let PendingRow { line, row, .. } = &mut pending[at];
            match outcome {
                Ok(key) => {
                    fetched.count += 1;
                    row.picture.iter_mut().for_each(|picture| picture.key.clone_from(&key));
                }
                Err(refusal) => fetched.refused.push((*line, row.source_id.clone(), refusal)),
            }
        }
        Ok(fetched)
    }

    /// Stores a picture and returns its key. In a dry run, returns `None`, because local files are checked but nothing
    /// is fetched.
    async fn fetch_picture(&self, from: &From, pictures: &Pictures) -> anyhow::Result<Result<Option<String>, Refusal>> {
        let most = self.config.pictures.max_bytes;
        let read = match self.places.find(from) {
            Ok(Place::Address(_)) if self.is_dry => return Ok(Ok(None)),
            Ok(Place::Address(address)) => {
                fetch(&self.client, &address, most, Duration::from_secs(self.config.import.picture_seconds)).await
            }
            Ok(Place::File(path)) => read(&path, most).await,
            Err(refusal) => Err(refusal),
        };
        let bytes = match read {
            Ok(bytes) => bytes,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let stored = match self.is_dry {
            true => pictures.check_poster(bytes).await.map(|()| None),
            false => pictures.store_poster(&hex::encode(rand::random::<[u8; 12]>()), None, bytes).await.map(Some),
        };
        let (From::File(field, value) | From::Address(field, value)) = from;
        let stored = match stored {
            Err(Error::Picture(refused)) => return Ok(refuse(refused.code(), field, value)),
            stored => stored?,
        };
        let Some(stored) = stored else { return Ok(Ok(None)) };
        if prints::is_banned(self.pool, &stored.print, self.config.pictures.look_bits).await? {
            pictures.remove(&stored.key).await?;
            return Ok(refuse("photo_banned", field, value));
        }
        // The job "looks of pictures" stores the picture's fingerprint once its video has a row.
        Ok(Ok(Some(stored.key)))
    }
}

async fn read(path: &Path, most: usize) -> Result<Vec<u8>, Refusal> {
    let reading = async {
        let mut bytes = Vec::new();
        File::open(path).await?.take(most as u64 + 1).read_to_end(&mut bytes).await?;
        Ok(bytes)
    };
    match reading.await {
        Ok(bytes) if bytes.len() > most => too_large(PICTURE.file, most),
        Ok(bytes) => Ok(bytes),
        Err(error) => refuse("not_readable", PICTURE.file, std::io::Error::to_string(&error)),
    }
}

async fn fetch(client: &Client, address: &str, most: usize, seconds: Duration) -> Result<Vec<u8>, Refusal> {
    let failed = |error: reqwest::Error| {
        let why = format!("{:#}", anyhow::Error::from(error.without_url()));
        refuse("fetch_failed", PICTURE.address, why)
    };
    let sent = client.get(address).timeout(seconds).send().await.and_then(Response::error_for_status);
    let mut response = match sent {
        Ok(response) => response,
        Err(error) => return failed(error),
    };
    let mut bytes = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(more)) if bytes.len() + more.len() > most => return too_large(PICTURE.address, most),
            Ok(Some(more)) => bytes.extend_from_slice(&more),
            Ok(None) => return Ok(bytes),
            Err(error) => return failed(error),
        }
    }
}

fn too_large<T>(field: &'static str, most: usize) -> Result<T, Refusal> {
    refuse("file_too_large", field, most.to_string())
}
