//! `POST /api/uploads/`: begins an upload.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_catalog::uploads::{self, NewUpload, UploadBounds};
use lantern_config::Config;
use lantern_ratelimit::{Action, Key};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::{Intake, docs, has_room, of_disk, refused, tus};
use crate::{
    account::token::Token,
    http::{ApiError, ApiResult, Member},
    openapi::{Doc, cross_site, header as header_param, invalid, refusal, too_often},
};

pub fn doc(config: &Config) -> Doc {
    let length = json!({ "type": "integer", "minimum": 1, "maximum": config.uploads.max_bytes });
    Doc::call(Method::POST, "uploads", "upload_begin", "/api/uploads/", "Begin an upload")
        .about("tus 1.0, creation. The address of the upload is in `Location`; its pieces are sent there. Nobody else can use it.")
        .for_members()
        .takes(docs::version())
        .takes(header_param("Upload-Length", "Bytes of the whole file.", length, 360_710_144).required())
        .takes(header_param(
            "Upload-Metadata",
            "Pairs of a key and its value in base64; `filename` is stored.",
            json!({ "type": "string" }),
            "filename ZmlsbS5tcDQ=",
        ))
        .answers_empty(201, "It has begun.")
        .with_header(201, "Location", "Where its pieces go.", "/api/uploads/9xYl2wVqkq3Qq0a1k1hH8mWfJc5cTqO6yH3b0dFzUuE")
        .with_header(201, "Upload-Expires", "When it is removed unless a piece comes.", "Thu, 01 Oct 2026 12:00:00 GMT")
        .refuses(docs::other_version())
        .refuses(refusal(403, &[("upload_quota", "the member has too many unfinished uploads, or too many bytes of which nothing was made yet")]))
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
    let file_name = tus::file_name(&headers)?;
    let expires_at = expiry((intake.now)(), patience(&intake.config))?;
    let token = begin(&intake, &member, &file_name, size, expires_at).await?;
    let location = format!("/api/uploads/{}", token.as_str());
    let location = HeaderValue::try_from(location).map_err(ApiError::internal)?;
    Ok((StatusCode::CREATED, [(header::LOCATION, location), (tus::EXPIRES, tus::date(expires_at))]).into_response())
}

/// Makes the file and the row of an upload of so many bytes. Fails with 403 when the member has too much unfinished, 429 when they
/// began too many of late, 507 when the disk has no room.
pub async fn begin(
    intake: &Intake,
    member: &Member,
    file_name: &str,
    size: u64,
    expires_at: OffsetDateTime,
) -> ApiResult<Token> {
    has_room(intake, size).await?;
    let taken = intake.limits.take(Action::Upload, &Key::member(member.id)).await?;
    let token = Token::random()?;
    // The file first: a row always has one.
    intake.incoming.create(token.as_str()).await.map_err(of_disk)?;
    let new = NewUpload {
        token: token.as_str(),
        user_id: member.id,
        file_name,
        size_bytes: size.try_into().map_err(ApiError::internal)?,
        expires_at,
    };
    if !uploads::begin(&intake.pool, new, bounds(&intake.config)?).await? {
        intake.incoming.remove(token.as_str()).await.map_err(of_disk)?;
        // Programs try again by themselves, and a day's allowance would be gone.
        taken.give_back().await?;
        return Err(refused(StatusCode::FORBIDDEN, "upload_quota"));
    }
    Ok(token)
}

/// How long whoever sends an upload in pieces has for the next one.
pub const fn patience(config: &Config) -> Duration {
    Duration::hours(config.uploads.expire_hours as i64)
}

/// When an upload of which something comes now is removed unless more does.
pub fn expiry(now: i64, patience: Duration) -> ApiResult<OffsetDateTime> {
    let now = OffsetDateTime::from_unix_timestamp(now).map_err(ApiError::internal)?;
    Ok(now + patience)
}

fn bounds(config: &Config) -> ApiResult<UploadBounds> {
    let bytes = config.uploads.member_bytes.try_into().map_err(ApiError::internal)?;
    Ok(UploadBounds { uploads: config.uploads.per_member.into(), bytes })
}
