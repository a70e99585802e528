//! Upload of a film in one form, together with its metadata.

use axum::{
    extract::{FromRequest, Multipart, Request, multipart::Field},
    http::header,
};
use lantern_accounts::{token::Token, viewer::Member};
use lantern_catalog::{films, uploads};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, FieldError};
use lantern_http::{Texts, broken_part, refused_body};
use lantern_index::text::TermList;
use lantern_uploads::{
    Intake, missing,
    whole::{self, FILM, of_film, too_large},
};

use super::{details, edit::EditForm};

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
        && let Err(error) = whole::delete_incomplete(intake, member, film).await
    {
        // The film is deleted when the upload expires.
        tracing::warn!(%error, "failed to delete an incomplete film");
    }
    sent
}

/// Returns the maximum size of the film. It is the size of the form, or the general maximum if the request doesn't announce its length.
/// Fails with 413 if the form is too large for any film.
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
        whole::check_name(name)?;
        self.check_early().await?;
        whole::receive(self.intake, self.member, name, self.most, (first, part), &mut self.film).await
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
        let (is_exclusive, expires_at) = (form.exclusive.unwrap_or(false), intake.expires_at()?);
        let exists = films::complete(&intake.pool, upload.id, &details, is_exclusive, expires_at).await?;
        if exists { Ok(()) } else { Err(missing()) }
    }
}
