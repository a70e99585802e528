//! Receives the album form: texts in memory, pictures on disk.

use std::time::Duration;

use axum::extract::{FromRequest, Multipart, Request, multipart::Field};
use lantern_accounts::viewer::Member;
use lantern_config::{Gender, Lang};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{Texts, broken_part, is_multipart, refused_body, small_form};
use lantern_media::pictures::Spool;
use lantern_ratelimit::{Action, Key};
use lantern_uploads::{Intake, Room, of_disk};
use serde::Deserialize;

use crate::{
    action::form::Id,
    video::details::{SentDetails, Visible},
};

/// Form field of the pictures.
pub const PHOTOS: &str = "photos";

/// Action on the whole album, with the same number on the wire as for videos.
#[derive(Debug, Clone, Copy, Deserialize)]
pub enum AlbumAct {
    #[serde(rename = "2")]
    Delete,
}

#[derive(Debug, Deserialize)]
pub struct AlbumForm {
    pub act: Option<AlbumAct>,
    pub album_id: Option<Id>,
    pub title: Option<String>,
    description: Option<String>,
    lang: Option<Lang>,
    orientation: Option<Gender>,
    categories: Option<String>,
    models: Option<String>,
    visible: Option<Visible>,
    remove: Option<String>,
    order: Option<String>,
    pub cover: Option<Id>,
    pub draft: Option<bool>,
}

impl AlbumForm {
    pub fn details(&self) -> SentDetails<'_> {
        SentDetails {
            title: self.title.as_deref(),
            description: self.description.as_deref(),
            chapters: None,
            duration: None,
            lang: self.lang,
            orientation: self.orientation,
            categories: self.categories.as_deref(),
            models: self.models.as_deref(),
            visible: self.visible,
            publish_at: None,
        }
    }

    /// Ids of the pictures to remove, at most `most`.
    pub fn removed(&self, most: usize) -> ApiResult<Vec<i64>> {
        ids("remove", self.remove.as_deref(), most)
    }

    /// Ids of the pictures to move to the front, at most `most`.
    pub fn ordered(&self, most: usize) -> ApiResult<Vec<i64>> {
        ids("order", self.order.as_deref(), most)
    }
}

/// Parses comma-separated ids. Duplicates are invalid.
fn ids(field: &'static str, text: Option<&str>, most: usize) -> ApiResult<Vec<i64>> {
    let mut ids = Vec::new();
    for part in text.unwrap_or_default().split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let id = part.parse().map_err(|_| ApiError::invalid(field))?;
        if id < 1 || ids.len() == most || ids.contains(&id) {
            return Err(ApiError::invalid(field));
        }
        ids.push(id);
    }
    Ok(ids)
}

/// A received picture, or the code that says why it was rejected.
pub type SentPhoto = Result<Spool, &'static str>;

/// A completely received form.
pub struct SentAlbum {
    pub form: AlbumForm,
    /// Pictures in the order in which they were received.
    pub photos: Vec<SentPhoto>,
}

impl SentAlbum {
    /// Reads the whole form and spools its pictures to disk. Fails with 400, 408, 413 or 415 for a malformed, slow or oversized form,
    /// with 422 `too_many_photos`, with 429 if the member has recently sent too many pictures, and with 507 if the disk is full.
    pub async fn read(request: Request, intake: &Intake, member: &Member) -> ApiResult<Self> {
        if !is_multipart(&request) {
            return Ok(Self { form: small_form(request, &intake.config).await?, photos: Vec::new() });
        }
        let incoming = IncomingForm { intake, member, texts: Texts::new(&intake.config), photos: Vec::new() };
        let limit = Duration::from_secs(intake.config.albums.form_seconds);
        let room = Room::take(intake, intake.config.albums.form_bytes as u64, limit).await?;
        let sent = tokio::time::timeout(limit, incoming.read(request)).await;
        room.release().await;
        sent.map_err(|_| ApiError::BodyTooSlow)?
    }
}

/// A form that is being received.
struct IncomingForm<'a> {
    intake: &'a Intake,
    member: &'a Member,
    texts: Texts,
    photos: Vec<SentPhoto>,
}

impl IncomingForm<'_> {
    async fn read(mut self, request: Request) -> ApiResult<SentAlbum> {
        let mut parts =
            Multipart::from_request(request, &()).await.map_err(|refused| refused_body(refused.status()))?;
        while let Some(part) = parts.next_field().await.map_err(|error| broken_part(&error))? {
            match part.file_name().map(str::to_owned) {
                None => self.texts.take(part).await?,
                Some(file) if part.name() == Some(PHOTOS) => self.photo(&file, part).await?,
                Some(_) => self.texts.skip()?,
            }
        }
        Ok(SentAlbum { form: self.texts.read()?, photos: self.photos })
    }

    async fn photo(&mut self, file: &str, mut part: Field<'_>) -> ApiResult<()> {
        let (intake, most) = (self.intake, self.intake.config.albums.form_photos);
        let mut chunk = part.chunk().await.map_err(|error| broken_part(&error))?;
        if file.is_empty() && chunk.as_ref().is_none_or(|bytes| bytes.is_empty()) {
            // The file field is empty.
            return self.texts.skip();
        }
        if self.photos.len() == most {
            return Err(ApiError::Field { field: PHOTOS, code: "too_many_photos", bound: Some(most) });
        }
        intake.limits.take(Action::Photo, &Key::member(self.member.id)).await?;
        let folder = intake.incoming.folder().await.map_err(of_disk)?;
        let mut spool = Some(Spool::begin(&folder).await.map_err(of_disk)?);
        let mut room = intake.config.pictures.photo_bytes;
        while let Some(bytes) = chunk {
            match room.checked_sub(bytes.len()) {
                Some(left) => room = left,
                // Drop the file and ignore its remaining bytes.
                None => (room, spool) = (0, None),
            }
            if let Some(spool) = &mut spool {
                spool.write(&bytes).await.map_err(of_disk)?;
            }
            chunk = part.chunk().await.map_err(|error| broken_part(&error))?;
        }
        self.photos.push(spool.ok_or("file_too_large"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ids;

    #[test]
    fn ids_keep_order_and_reject_duplicates() {
        assert_eq!(ids("order", Some(" 3,1 , 2,"), 3).unwrap(), [3, 1, 2]);
        assert_eq!(ids("order", None, 3).unwrap(), [0_i64; 0]);
        for wrong in ["0", "-1", "1,1", "1;2", "x", "99999999999999999999", "1,2,3,4"] {
            assert!(ids("order", Some(wrong), 3).is_err(), "{wrong}");
        }
    }
}
