//! Receives a film in one form. The film is streamed to disk and gets a row of its own. Interrupted forms can't be resumed, so their films
//! are deleted.

use axum::{body::Bytes, extract::multipart::Field, http::StatusCode};
use futures_util::{StreamExt, TryStreamExt, stream};
use lantern_accounts::{token::Token, viewer::Member};
use lantern_catalog::uploads;
use lantern_errors::{ApiError, ApiResult, Info};
use lantern_http::broken_part;
use time::Duration;

use crate::{
    ENDINGS,
    create::{self, NewFile},
    intake::Intake,
    missing, of_disk, receive,
    turns::Turns,
    tus,
    writer::Writer,
};

/// Form field of the film.
pub const FILM: &str = "video";

/// Receives the film `part`, of which the `first` bytes have been read, and which has at most `most` bytes. `token` is set as soon as the
/// upload exists.
///
/// # Errors
/// Fails with 400 if the connection is lost, with 403, 429 or 507 for the same reasons as creating any upload, with 413 for too many
/// bytes, and with 422 if the film is empty.
pub async fn receive(
    intake: &Intake,
    member: &Member,
    name: &str,
    most: u64,
    (first, part): (Option<Bytes>, Field<'_>),
    token: &mut Option<Token>,
) -> ApiResult<()> {
    let minutes = Duration::minutes(intake.config.uploads.form_minutes.into());
    let begun =
        create::begin(intake, member, NewFile { name, size: most, replaces: None }, intake.now()? + minutes).await?;
    let token = token.insert(begun).as_str();
    let upload = uploads::find(&intake.pool, token, member.id).await?.ok_or_else(missing)?;
    let file = receive::lock(&intake.incoming, token, upload.sg_id).await.map_err(receive::of_append)?;
    let file = receive::begin(&intake.incoming, file, &upload).await.map_err(receive::of_append)?;
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

/// Deletes an incomplete film.
pub async fn delete_incomplete(intake: &Intake, member: &Member, film: &Token) -> ApiResult<()> {
    // If there is no row to delete, another task has deleted the film or is processing it and owns the file.
    if uploads::remove(&intake.pool, film.as_str(), member.id).await? {
        intake.incoming.remove(film.as_str()).await.map_err(of_disk)?;
    }
    Ok(())
}

/// Checks that a file name consists of ASCII letters and digits and has an accepted extension.
pub fn check_name(name: &str) -> ApiResult<()> {
    let (stem, ending) = name.rsplit_once('.').unwrap_or_default();
    let is_plain =
        !stem.is_empty() && stem.bytes().all(|byte| byte.is_ascii_alphanumeric()) && name.len() <= tus::MAX_NAME;
    let is_known = ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known));
    if is_plain && is_known { Ok(()) } else { Err(refused(StatusCode::UNPROCESSABLE_ENTITY, "video_bad_filename")) }
}

/// Converts failures while receiving a film.
pub fn of_film(error: ApiError) -> ApiError {
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

/// Returns 413: the film has more bytes than `uploads.max_bytes`.
pub const fn too_large() -> ApiError {
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
