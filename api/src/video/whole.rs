//! Upload of a film in one form, together with its metadata. The film is streamed to disk and gets a row of its own. Interrupted forms
//! can't be resumed, so their films are deleted.

use axum::{
    extract::{FromRequest, Multipart, Request, multipart::Field},
    http::{StatusCode, header},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use lantern_accounts::{token::Token, viewer::Member};
use lantern_catalog::{films, uploads};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, FieldError, Info};
use lantern_http::{Texts, broken_part, refused_body};
use lantern_index::text::TermList;
use lantern_media::incoming::Incoming;
use sqlx::PgPool;
use time::Duration;

use super::{details, edit::EditForm};
use crate::{
    intake::{Intake, turns::Turns},
    upload::{
        ENDINGS,
        create::{self, moment, piece_timeout},
        missing, of_disk, receive, tus,
        writer::Writer,
    },
};

/// Form field of the film.
pub const FILM: &str = "video";

/// A received form.
pub enum SentFilm {
    /// A form without a film.
    Texts(EditForm),
    /// The film is now the upload with this token, complete and with metadata.
    Film(Token),
}

/// Receives a multipart form. Fails with 400 if the connection is lost, with 403, 429 or 507 for the same reasons as creating any upload,
/// with 413 for too many bytes, and with 422 for an invalid name or metadata.
pub async fn take(intake: &Intake, prohibited: &TermList, member: &Member, request: Request) -> ApiResult<SentFilm> {
    let mut receiver = FormReceiver {
        intake,
        prohibited,
        member,
        most: most(&intake.config, &request)?,
        texts: Texts::new(&intake.config),
        film: None,
    };
    let sent = receiver.read(request).await;
    if let (Err(_), Some(film)) = (&sent, &receiver.film)
        && let Err(error) = delete_incomplete(&intake.pool, &intake.incoming, member, film).await
    {
        // The film is deleted when it expires.
        tracing::warn!(%error, "failed to delete an incomplete film");
    }
    sent
}

/// Returns the maximum size of the film. It is the size of the form, or the general maximum if the form has no length. Fails with 413 if
/// the form is too large for any film.
fn most(config: &Config, request: &Request) -> ApiResult<u64> {
    let (most, texts) = (config.uploads.max_bytes, config.server.body_limit as u64);
    let length = request.headers().get(header::CONTENT_LENGTH);
    match length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok()) {
        Some(length) if length > most.saturating_add(texts) => Err(too_large()),
        Some(length) => Ok(length.clamp(1, most)),
        None => Ok(most),
    }
}

/// A form that is being received.
struct FormReceiver<'a> {
    intake: &'a Intake,
    prohibited: &'a TermList,
    member: &'a Member,
    most: u64,
    texts: Texts,
    /// The upload of the film, once it has started.
    film: Option<Token>,
}

impl FormReceiver<'_> {
    async fn read(&mut self, request: Request) -> ApiResult<SentFilm> {
        let mut parts =
            Multipart::from_request(request, &()).await.map_err(|refused| refused_body(refused.status()))?;
        while let Some(part) = parts.next_field().await.map_err(|error| broken_part(&error))? {
            match part.file_name().map(str::to_owned) {
                None => self.texts.take(part).await?,
                Some(name) if part.name() == Some(FILM) => self.film(&name, part).await?,
                Some(_) => self.texts.skip()?,
            }
        }
        let form: EditForm = self.texts.read()?;
        match self.film.take() {
            None => Ok(SentFilm::Texts(form)),
            Some(film) => {
                let described = self.describe(&film, &form).await;
                self.film = Some(film.clone());
                described.map(|()| SentFilm::Film(film))
            }
        }
    }

    async fn film(&mut self, name: &str, mut part: Field<'_>) -> ApiResult<()> {
        let first = part.chunk().await.map_err(|error| of_film(broken_part(&error)))?;
        if name.is_empty() && first.as_ref().is_none_or(|bytes| bytes.is_empty()) {
            // The file field was left empty.
            return self.texts.skip();
        }
        if self.film.is_some() {
            return Err(ApiError::invalid(FILM));
        }
        check_name(name)?;
        self.check_early().await?;
        let (intake, minutes) = (self.intake, Duration::minutes(self.intake.config.uploads.form_minutes.into()));
        let expires_at = moment((intake.now)())? + minutes;
        let token = create::begin(intake, self.member, name, self.most, expires_at).await?;
        let token = self.film.insert(token).as_str();
        let file = intake.incoming.lock(token).await.map_err(receive::of_append)?;
        let file = file.append(0).await.map_err(receive::of_append)?;
        let upload = uploads::find(&intake.pool, token, self.member.id).await?.ok_or_else(missing)?;
        let mut writer = Writer::begin(intake, upload, file, minutes).await.map_err(of_film)?;
        let chunks = stream::iter(first.map(Ok)).chain(part.map_err(|error| of_film(broken_part(&error))));
        // A separate `Turns`, so that other requests for the upload don't interrupt the form.
        let turn = Turns::default().take(token).await;
        let written = async {
            writer.take(chunks, &turn).await?;
            writer.count().await
        };
        let written = written.await;
        let upload = writer.end().await;
        written.map_err(of_film)?;
        if upload.received_bytes == 0 {
            Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "video_corrupted_file"))
        } else {
            Ok(())
        }
    }

    /// Fails early if metadata that precedes the film is invalid, so that the film need not be sent. Missing fields may still follow the
    /// film.
    async fn check_early(&self) -> ApiResult<()> {
        let form: EditForm = self.texts.read()?;
        let Err(error) = details::read(&self.intake.pool, &self.intake.config, self.prohibited, form.details()).await
        else {
            return Ok(());
        };
        let fields = error.fields();
        if fields.is_empty() {
            return Err(error);
        }
        let wrong: Vec<FieldError> = fields.into_iter().filter(|wrong| wrong.code != "required").collect();
        if wrong.is_empty() { Ok(()) } else { Err(ApiError::Fields(wrong)) }
    }

    /// Stores the metadata of a film, which starts its processing.
    async fn describe(&self, film: &Token, form: &EditForm) -> ApiResult<()> {
        if !form.is_for_new_film() {
            return Err(ApiError::invalid(FILM));
        }
        let intake = self.intake;
        let details = details::read(&intake.pool, &intake.config, self.prohibited, form.details()).await?;
        let upload = uploads::find(&intake.pool, film.as_str(), self.member.id).await?.ok_or_else(missing)?;
        let (is_exclusive, expires_at) =
            (form.exclusive.unwrap_or(false), moment((intake.now)())? + piece_timeout(&intake.config));
        let exists = films::complete(&intake.pool, upload.id, &details, is_exclusive, expires_at).await?;
        if exists { Ok(()) } else { Err(missing()) }
    }
}

/// Deletes an incomplete film.
async fn delete_incomplete(pool: &PgPool, incoming: &Incoming, member: &Member, film: &Token) -> ApiResult<()> {
    // If there is no row to delete, another task has deleted the film or is processing it and owns the file.
    if uploads::remove(pool, film.as_str(), member.id).await? {
        incoming.remove(film.as_str()).await.map_err(of_disk)?;
    }
    Ok(())
}

/// Checks that a file name consists of ASCII letters and digits and has an accepted extension.
fn check_name(name: &str) -> ApiResult<()> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or_default();
    let is_plain =
        !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric()) && name.len() <= tus::MAX_NAME;
    let is_known = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    if is_plain && is_known { Ok(()) } else { Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "video_bad_filename")) }
}

/// Converts failures while receiving a film.
fn of_film(error: ApiError) -> ApiError {
    match error {
        ApiError::BodyTooLarge => too_large(),
        ApiError::Malformed(_) => ApiError::Refused {
            status: StatusCode::BAD_REQUEST,
            code: "video_upload_error",
            field: Some(FILM),
            info: Some(Info { code: Some(error.code()), ..Info::default() }),
        },
        // The bytes were counted by another request, or the upload was deleted.
        ApiError::Refused { code: "upload_offset", .. } => missing(),
        error => error,
    }
}

const fn too_large() -> ApiError {
    refused(StatusCode::PAYLOAD_TOO_LARGE, "video_size_limit")
}

const fn refused(status: StatusCode, code: &'static str) -> ApiError {
    ApiError::Refused { status, code, field: Some(FILM), info: None }
}

#[cfg(test)]
mod tests {
    use super::check_name;

    #[test]
    fn check_name_accepts_plain_names_with_known_extensions() {
        for name in ["film.mp4", "Film7.MKV", "7.webm", "a.3gp"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        let long = format!("{}.mp4", "a".repeat(252));
        for name in
            ["", ".mp4", "film", "film.txt", "film.mp4.exe", "a b.mp4", "a-b.mp4", "夜.mp4", "../a.mp4", "mp4", &long]
        {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
