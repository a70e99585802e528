//! `POST /api/uploads/`: begins an upload.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_accounts::{token::Token, viewer::Member};
use lantern_catalog::uploads::{self, BeginOutcome, NewUpload, Upload, UploadBounds};
use lantern_config::{Config, LOCAL_GROUP, Uploads};
use lantern_errors::{ApiError, ApiResult};
use lantern_http::openapi::{Doc, cross_site, header as header_param, invalid, refusal, too_often};
use lantern_ratelimit::{Action, Key};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use crate::{docs, intake::Intake, of_disk, refused, room::has_room, tus};

pub fn doc(config: &Config) -> Doc {
    let length = json!({ "type": "integer", "minimum": 1, "maximum": config.uploads.max_bytes });
    Doc::call(Method::POST, "uploads", "upload_begin", "/api/uploads/", "Begin an upload")
        .about(
            "tus 1.0, creation. `Location` is the address to which the pieces of the upload are sent. Only the member who began the upload can \
             use it. With `replaces` the file becomes the new film of an own video, which keeps its address, details, comments and votes: it is \
             processed as soon as it is complete, and the video's film is replaced once a moderator has approved the new one.",
        )
        .for_members()
        .takes(docs::version())
        .takes(header_param("Upload-Length", "Bytes of the whole file.", length, 360_710_144).required())
        .takes(header_param(
            "Upload-Metadata",
            "Pairs of a key and a base64 value; `filename` is stored, and `replaces` is the id of the own video that gets a new film.",
            json!({ "type": "string" }),
            "filename ZmlsbS5tcDQ=",
        ))
        .answers_empty(201, "The upload was created.")
        .with_header(201, "Location", "Address for the pieces of the upload.", "/api/uploads/9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")
        .with_header(201, "Upload-Expires", "When the upload is deleted unless a piece arrives.", "Thu, 01 Oct 2026 12:00:00 GMT")
        .refuses(docs::other_version())
        .refuses(refusal(
            403,
            &[
                ("upload_quota", "the member has too many unfinished uploads, or too many bytes that are not videos yet"),
                ("upload_new_account", "the account is younger than `uploads.new_days`, and its bytes that are not videos yet exceed `uploads.new_bytes`"),
                ("film_replacing", "another new film for the video is being sent, processed or reviewed"),
            ],
        ))
        .refuses(refusal(404, &[("video_not_found", "`replaces` is no own video with a film that is published, scheduled or in review")]))
        .refuses(refusal(413, &[("video_size_limit", "more bytes than `uploads.max_bytes`")]))
        .refuses(refusal(422, &[("required", "no `Upload-Length`")]))
        .refuses(invalid())
        .refuses(cross_site())
        .refuses(too_often())
        .refuses(docs::no_room())
}

pub async fn create(State(intake): State<Intake>, member: Member, headers: HeaderMap) -> ApiResult<Response> {
    tus::check_version(&headers)?;
    let size = tus::bytes(&headers, tus::LENGTH, "upload_length")?;
    if size == 0 {
        return Err(ApiError::invalid("upload_length"));
    }
    if size > intake.config.uploads.max_bytes {
        return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, "video_size_limit"));
    }
    let new = NewFile { name: &tus::file_name(&headers)?, size, replaces: tus::replaces(&headers)? };
    let expires_at = intake.expires_at()?;
    let token = begin(&intake, &member, new, expires_at).await?;
    let location = format!("/api/uploads/{}", token.as_str());
    let location = HeaderValue::try_from(location).map_err(ApiError::internal)?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location), (tus::EXPIRES, tus::date(expires_at))]).into_response())
}

/// A file to upload.
#[derive(Debug, Clone, Copy)]
pub struct NewFile<'a> {
    /// Name given by the member's browser.
    pub name: &'a str,
    /// Number of bytes.
    pub size: u64,
    /// Id of the video whose film it is to replace.
    pub replaces: Option<i64>,
}

/// Creates the row for an upload, and its file if it stays on this node, without reserving disk space. Fails with 403 if the member has too many unfinished
/// uploads or the film is already being replaced, with 404 if it can't be, with 429 after too many recent uploads, and with 507 if the disk currently
/// lacks space for the whole upload.
pub async fn begin(
    intake: &Intake,
    member: &Member,
    file: NewFile<'_>,
    expires_at: OffsetDateTime,
) -> ApiResult<Token> {
    let group = intake.stores.for_uploads();
    // Pieces are on this node's disk only until they are in their store.
    let needed = if group == LOCAL_GROUP { file.size } else { file.size.min(intake.config.uploads.ahead_bytes) };
    has_room(intake, needed).await?;
    let taken = intake.limits.take(Action::Upload, &Key::member(member.id)).await?;
    let token = Token::random()?;
    if group == LOCAL_GROUP {
        // The file is created first, so that every row has a file.
        intake.incoming.create(token.as_str()).await.map_err(of_disk)?;
    }
    let new = NewUpload {
        token: token.as_str(),
        user_id: member.id,
        file_name: file.name,
        size_bytes: file.size.try_into().map_err(ApiError::internal)?,
        replaces: file.replaces,
        group,
        now: intake.now()?,
        expires_at,
    };
    let error = match uploads::begin(&intake.pool, new, bounds(&intake.config)?).await? {
        BeginOutcome::Begun => return Ok(token),
        BeginOutcome::TooMuch => refused(StatusCode::FORBIDDEN, "upload_quota"),
        BeginOutcome::TooMuchForNew => refused(StatusCode::FORBIDDEN, "upload_new_account"),
        BeginOutcome::NoVideo => ApiError::NotFound("video_not_found"),
        // Clients retry after 409, which tus uses for wrong offsets.
        BeginOutcome::Replacing => refused(StatusCode::FORBIDDEN, "film_replacing"),
    };
    intake.incoming.remove(token.as_str()).await.map_err(of_disk)?;
    // Clients retry automatically, which would use up the day's limit.
    taken.give_back().await?;
    Err(error)
}

/// Returns when an upload with `received` bytes expires. It expires after `patience`, or earlier if its progress is too slow
/// (`uploads.hour_bytes`), but no later than `uploads.total_hours` after it began. A complete upload only waits for its metadata.
pub fn expiry(
    config: &Uploads,
    upload: &Upload,
    received: i64,
    now: OffsetDateTime,
    patience: Duration,
) -> OffsetDateTime {
    if received == upload.size_bytes {
        return now + patience;
    }
    let earned = received.unsigned_abs().saturating_mul(3600) / config.hour_bytes;
    let earned = Duration::hours(config.expire_hours.into()) + Duration::seconds(earned.try_into().unwrap_or(i64::MAX));
    let most = earned.min(Duration::hours(config.total_hours.into()));
    (now + patience).min(upload.created_at + most)
}

fn bounds(config: &Config) -> ApiResult<UploadBounds> {
    let Uploads { member_bytes, new_bytes, new_days, per_member, .. } = config.uploads;
    let bytes = |bytes: u64| i64::try_from(bytes).map_err(ApiError::internal);
    Ok(UploadBounds {
        uploads: per_member.into(),
        bytes: bytes(member_bytes)?,
        new_bytes: bytes(new_bytes.min(member_bytes))?,
        new_for: Duration::days(new_days.into()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expiry_depends_on_progress() {
        let config = Config::default().uploads;
        let (begun, patience) = (OffsetDateTime::UNIX_EPOCH, Duration::hours(config.expire_hours.into()));
        let upload = Upload {
            id: 1,
            token: String::new(),
            file_name: String::new(),
            size_bytes: i64::MAX,
            received_bytes: 0,
            state: "receiving".to_owned(),
            error_code: None,
            expires_at: begun,
            created_at: begun,
            sg_id: LOCAL_GROUP,
        };
        let after = |hours: i64, received: u64| {
            let at = expiry(&config, &upload, received.cast_signed(), begun + Duration::hours(hours), patience) - begun;
            at.whole_hours()
        };
        assert_eq!([after(0, 0), after(0, 9 * config.hour_bytes)], [48, 48]);
        // A byte now and then earns no extra time, but steady progress does. A week is the maximum.
        assert_eq!([after(47, 2), after(47, 10 * config.hour_bytes), after(47, 1 << 40)], [48, 58, 95]);
        assert_eq!(after(160, 1 << 40), i64::from(config.total_hours));
        assert_eq!(after(167, i64::MAX as u64), 167 + 48, "a complete upload waits for its member");
    }
}
