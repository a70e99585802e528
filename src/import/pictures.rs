//! Pictures that lines bring of videos whose film isn't here: decoded apart and written anew, as those of members are.

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

/// A line whose row waits to be written, with the picture it names.
pub struct Waiting {
    pub line: u64,
    pub row: ImportRow,
    pub picture: Option<From>,
}

/// What became of the pictures of rows.
#[derive(Debug, Default)]
pub struct Brought {
    /// How many came, or would.
    pub count: u64,
    /// Those that didn't: line, id and why.
    pub refused: Vec<(u64, String, Refusal)>,
}

impl Films<'_> {
    /// Brings the pictures that videos of these rows lack, and puts their keys into the rows. A video comes in without one that is
    /// refused.
    pub async fn bring_pictures(&self, waiting: &mut [Waiting], pictures: &Pictures) -> anyhow::Result<Brought> {
        let mut brought = Brought::default();
        // Most files name none: nothing is asked then.
        if waiting.iter().all(|one| one.picture.is_none()) {
            return Ok(brought);
        }
        let rows: Vec<ImportRow> = waiting.iter().map(|one| one.row.clone()).collect();
        let lacking = imports::lacking(self.pool, self.source, &rows).await?;
        let needed = waiting.iter().enumerate().zip(lacking).filter(|(_, lacks)| *lacks);
        let needed = needed.filter_map(|((at, one), _)| Some((at, one.picture.clone()?)));
        let bringing = needed.map(async |(at, from)| anyhow::Ok((at, self.bring_picture(&from, pictures).await?)));
        let at_once = self.config.import.pictures_at_once;
        let outcomes: Vec<_> = stream::iter(bringing).buffered(at_once).try_collect().await?;
        for (at, outcome) in outcomes {
            let Waiting { line, row, .. } = &mut waiting[at];
            match outcome {
                Ok(key) => {
                    brought.count += 1;
                    row.picture.iter_mut().for_each(|picture| picture.key.clone_from(&key));
                }
                Err(refusal) => brought.refused.push((*line, row.source_id.clone(), refusal)),
            }
        }
        Ok(brought)
    }

    /// The key of a picture that is on the disk now; none in a dry run, which looks at files and asks nobody.
    async fn bring_picture(&self, from: &From, pictures: &Pictures) -> anyhow::Result<Result<Option<String>, Refusal>> {
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
            false => pictures.store_poster(&hex::encode(rand::random::<[u8; 12]>()), bytes).await.map(Some),
        };
        let (From::File(field, said) | From::Address(field, said)) = from;
        let stored = match stored {
            Err(Error::Picture(refused)) => return Ok(refuse(refused.code(), field, said)),
            stored => stored?,
        };
        let Some(stored) = stored else { return Ok(Ok(None)) };
        if prints::is_banned(self.pool, &stored.print, self.config.pictures.look_bits).await? {
            pictures.remove(&stored.key).await?;
            return Ok(refuse("photo_banned", field, said));
        }
        // Its looks are kept once its video has a row: by the job that looks at pictures nobody looked at.
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
