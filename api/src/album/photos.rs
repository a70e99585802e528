//! Stores the pictures of an album on disk and adds them to its row.

use axum::http::StatusCode;
use lantern_catalog::own_albums::{AlbumBounds, AlbumChange, AlbumOutcome, Done, NewPhoto, Refusal, change};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_media::{Error as MediaError, pictures::Pictures};
use rand::{TryRngCore, rngs::OsRng};
use sqlx::PgPool;

use super::form::{PHOTOS, SentPhoto};

/// A rejected picture: its index among the pictures sent, and the code.
pub type PhotoRefusal = (usize, &'static str);

/// Number of random bytes in a picture's name, which is written in hex. They are too many to guess.
const NAME_BYTES: usize = 12;

/// Pictures from a form that are on disk but to which no row refers yet.
#[derive(Default)]
pub struct StoredPhotos {
    photos: Vec<NewPhoto>,
    refused: Vec<PhotoRefusal>,
}

impl StoredPhotos {
    /// Decodes and re-encodes the pictures one by one. Fails with 422 if all are rejected and with 507 if the disk is full. In these
    /// cases, it leaves no files behind.
    pub async fn store(pictures: &Pictures, sent: Vec<SentPhoto>) -> ApiResult<Self> {
        let mut stored = Self::default();
        for (index, photo) in sent.into_iter().enumerate() {
            if let Err(error) = stored.store_one(pictures, index, photo).await {
                stored.discard(pictures).await;
                return Err(error);
            }
        }
        if stored.photos.is_empty() && !stored.refused.is_empty() {
            Err(all_rejected(stored.refused))
        } else {
            Ok(stored)
        }
    }

    async fn store_one(&mut self, pictures: &Pictures, index: usize, photo: SentPhoto) -> ApiResult<()> {
        let sent = match photo {
            Ok(sent) => sent,
            Err(code) => {
                self.refused.push((index, code));
                return Ok(());
            }
        };
        let mut random = [0; NAME_BYTES];
        OsRng.try_fill_bytes(&mut random).map_err(ApiError::internal)?;
        match pictures.store_photo(&hex::encode(random), sent).await {
            Ok(photo) => self.photos.push(NewPhoto {
                index,
                media_key: photo.key,
                print: photo.print,
                width: photo.width.try_into().map_err(ApiError::internal)?,
                height: photo.height.try_into().map_err(ApiError::internal)?,
            }),
            Err(MediaError::Picture(refused)) => self.refused.push((index, refused.code())),
            Err(error) => return Err(lantern_uploads::of_disk(error)),
        }
        Ok(())
    }

    /// Adds the pictures to an album together with its other changes. Returns the outcome and the rejected pictures. Removes files that
    /// no row refers to.
    pub async fn save(
        self,
        pool: &PgPool,
        config: &Config,
        pictures: &Pictures,
        user_id: i64,
        wanted: AlbumChange<'_>,
    ) -> ApiResult<(Done, Vec<PhotoRefusal>)> {
        let albums = &config.albums;
        let bounds = AlbumBounds {
            photos: albums.max_photos,
            undecided: albums.undecided.into(),
            look_bits: config.pictures.look_bits,
        };
        let done = match change(pool, user_id, AlbumChange { add: &self.photos, ..wanted }, bounds).await {
            Ok(AlbumOutcome::Done(done)) => done,
            other => {
                self.discard(pictures).await;
                return Err(refusal(other?, self.refused));
            }
        };
        let is_refused = |photo: &&NewPhoto| done.refused.iter().any(|(index, _)| *index == photo.index);
        remove(pictures, self.photos.iter().filter(is_refused).map(|photo| photo.media_key.as_str())).await;
        remove(pictures, done.removed.iter().map(String::as_str)).await;
        let refused = merged(self.refused, &done.refused);
        Ok((done, refused))
    }

    async fn discard(&self, pictures: &Pictures) {
        remove(pictures, self.photos.iter().map(|photo| photo.media_key.as_str())).await;
    }
}

/// Converts a refused change to an error.
fn refusal(changed: AlbumOutcome, refused: Vec<PhotoRefusal>) -> ApiError {
    match changed {
        AlbumOutcome::NoPhoto => ApiError::NotFound("photo_not_found"),
        AlbumOutcome::Empty => ApiError::Field { field: PHOTOS, code: "no_photos", bound: None },
        AlbumOutcome::Quota => lantern_uploads::refused(StatusCode::FORBIDDEN, "upload_quota"),
        AlbumOutcome::NoneTaken(others) => all_rejected(merged(refused, &others)),
        AlbumOutcome::NoAlbum | AlbumOutcome::Done(_) => ApiError::NotFound("album_not_found"),
    }
}

/// Returns one code per picture, in the order in which they were received.
fn all_rejected(refused: Vec<PhotoRefusal>) -> ApiError {
    ApiError::Fields(
        refused.into_iter().map(|(_, code)| FieldError { field: PHOTOS, code, bound: None, line: None }).collect(),
    )
}

fn merged(mut refused: Vec<PhotoRefusal>, others: &[(usize, Refusal)]) -> Vec<PhotoRefusal> {
    refused.extend(others.iter().map(|(index, refusal)| (*index, refusal.code())));
    refused.sort_unstable();
    refused
}

/// Removes pictures. Failures are only logged, because the sweep removes leftover files.
async fn remove(pictures: &Pictures, keys: impl Iterator<Item = &str>) {
    for key in keys {
        if let Err(error) = pictures.remove(key).await {
            tracing::warn!(key, %error, "could not remove an unused picture");
        }
    }
}
