//! A film that comes in one form, with what its member says of it. It goes to the disk as it comes, with a row of its own; what breaks
//! off can't be gone on with, so nothing is left of it.

use axum::{
    extract::{FromRequest, Multipart, Request, multipart::Field},
    http::{StatusCode, header},
};
use futures_util::{StreamExt, TryStreamExt, stream};
use lantern_catalog::{films, uploads};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult, FieldError, Info};
use lantern_http::{Texts, broken_part, refused_body};
use lantern_index::text::TermList;
use lantern_media::incoming::Incoming;
use sqlx::PgPool;
use time::Duration;

use super::{
    Intake,
    create::{self, moment, patience},
    missing, of_disk, receive,
    turns::Turns,
    tus,
    writer::Writer,
};
use crate::{
    account::token::Token,
    session::Member,
    video::{details, edit::EditForm},
};

/// Name of the field of the film.
pub const FILM: &str = "video";
/// What names of films end with: the specification's formats. What a file is it says itself, later.
pub const ENDINGS: [&str; 19] = [
    "3gp", "mp4", "mov", "asf", "flv", "mpg", "avi", "mpeg", "wmv", "rm", "dat", "mkv", "vob", "m2v", "m2t", "m4v",
    "f4v", "mts", "webm",
];

/// A form that has come.
pub enum SentFilm {
    /// Without a film.
    Texts(EditForm),
    /// Its film is an upload of this name now, whole and described.
    Film(Token),
}

/// Reads a multipart form to its end. Fails with 400 for a line that breaks, 403, 429 or 507 as the beginning of any upload, 413 for
/// too many bytes, 422 for a wrong name or wrong texts.
pub async fn take(intake: &Intake, prohibited: &TermList, member: &Member, request: Request) -> ApiResult<SentFilm> {
    let mut coming = ComingFilm {
        intake,
        prohibited,
        member,
        most: most(&intake.config, &request)?,
        texts: Texts::new(&intake.config),
        film: None,
    };
    let sent = coming.read(request).await;
    if let (Err(_), Some(film)) = (&sent, &coming.film)
        && let Err(error) = forget(&intake.pool, &intake.incoming, member, film).await
    {
        // It goes when its time is over.
        tracing::warn!(%error, "what came of a film can't be removed");
    }
    sent
}

/// Bytes that the film can have: those of the form, or what any film may have where it doesn't say. Fails with 413 for a form that
/// is too large for any film.
fn most(config: &Config, request: &Request) -> ApiResult<u64> {
    let (most, texts) = (config.uploads.max_bytes, config.server.body_limit as u64);
    let length = request.headers().get(header::CONTENT_LENGTH);
    match length.and_then(|length| length.to_str().ok()?.parse::<u64>().ok()) {
        Some(length) if length > most.saturating_add(texts) => Err(too_large()),
        Some(length) => Ok(length.clamp(1, most)),
        None => Ok(most),
    }
}

/// A form that comes.
struct ComingFilm<'a> {
    intake: &'a Intake,
    prohibited: &'a TermList,
    member: &'a Member,
    most: u64,
    texts: Texts,
    /// The upload that its film is, once it has begun.
    film: Option<Token>,
}

impl ComingFilm<'_> {
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
            // A field of a file that was left empty.
            return self.texts.skip();
        }
        if self.film.is_some() {
            return Err(ApiError::invalid(FILM));
        }
        check_name(name)?;
        self.look_ahead().await?;
        let (intake, minutes) = (self.intake, Duration::minutes(self.intake.config.uploads.form_minutes.into()));
        let expires_at = moment((intake.now)())? + minutes;
        let token = create::begin(intake, self.member, name, self.most, expires_at).await?;
        let token = self.film.insert(token).as_str();
        let file = intake.incoming.lock(token).await.map_err(receive::of_append)?;
        let file = file.append(0).await.map_err(receive::of_append)?;
        let upload = uploads::find(&intake.pool, token, self.member.id).await?.ok_or_else(missing)?;
        let mut writer = Writer::begin(intake, upload, file, minutes).await.map_err(of_film)?;
        let coming = stream::iter(first.map(Ok)).chain(part.map_err(|error| of_film(broken_part(&error))));
        // Nobody takes its turn: what else is said of the upload leaves the form alone.
        let turn = Turns::default().take(token).await;
        let written = async {
            writer.take(coming, &turn).await?;
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

    /// Fails for texts that came before the film and are wrong, so that it need not come; what is missing may still follow it.
    async fn look_ahead(&self) -> ApiResult<()> {
        let form: EditForm = self.texts.read()?;
        let Err(error) = details::read(&self.intake.pool, &self.intake.config, self.prohibited, form.said()).await
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

    /// Lets the work on a film begin.
    async fn describe(&self, film: &Token, form: &EditForm) -> ApiResult<()> {
        if !form.is_of_a_film() {
            return Err(ApiError::invalid(FILM));
        }
        let intake = self.intake;
        let details = details::read(&intake.pool, &intake.config, self.prohibited, form.said()).await?;
        let upload = uploads::find(&intake.pool, film.as_str(), self.member.id).await?.ok_or_else(missing)?;
        let (is_exclusive, expires_at) =
            (form.exclusive.unwrap_or(false), moment((intake.now)())? + patience(&intake.config));
        let is_there = films::complete(&intake.pool, upload.id, &details, is_exclusive, expires_at).await?;
        if is_there { Ok(()) } else { Err(missing()) }
    }
}

/// Removes what came of a film that nothing is made of.
async fn forget(pool: &PgPool, incoming: &Incoming, member: &Member, film: &Token) -> ApiResult<()> {
    // Whoever removed the row, or works on it, has the file.
    if uploads::remove(pool, film.as_str(), member.id).await? {
        incoming.remove(film.as_str()).await.map_err(of_disk)?;
    }
    Ok(())
}

/// Names of files are Latin letters and digits, and end with that of a format.
fn check_name(name: &str) -> ApiResult<()> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or_default();
    let is_plain =
        !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric()) && name.len() <= tus::NAME_MOST;
    let is_known = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    if is_plain && is_known { Ok(()) } else { Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "video_bad_filename")) }
}

/// What is said of a film that doesn't come as it should.
fn of_film(error: ApiError) -> ApiError {
    match error {
        ApiError::BodyTooLarge => too_large(),
        ApiError::Malformed(_) => ApiError::Refused {
            status: StatusCode::BAD_REQUEST,
            code: "video_upload_error",
            field: Some(FILM),
            info: Some(Info { code: Some(error.code()), ..Info::default() }),
        },
        // Counted from elsewhere, or removed: it isn't there as it came.
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
    fn a_name_is_letters_and_digits_with_the_ending_of_a_format() {
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
