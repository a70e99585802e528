//! `/api/uploads/`: film uploads by tus 1.0, resumable after lost connections; or in one form (`whole.rs`).
//!
//! Implements the core protocol, creation, termination, checksum and expiration of <https://tus.io/protocols/resumable-upload>.

pub mod create;
pub mod docs;
pub mod receive;
pub mod remove;
mod room;
pub mod show;
pub mod tus;
pub mod writer;

use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
};
use lantern_accounts::{token::Token, viewer::Member};
use lantern_catalog::uploads;
use lantern_errors::{ApiError, NOTIFY};
use lantern_http::Segments;
use lantern_media::Error as MediaError;
use sqlx::PgPool;

pub use self::room::Room;
use crate::intake::turns::{Turn, Turns};

/// Accepted file name extensions, as specified. The actual format is probed later.
pub const ENDINGS: [&str; 19] = [
    "3gp", "mp4", "mov", "asf", "flv", "mpg", "avi", "mpeg", "wmv", "rm", "dat", "mkv", "vob", "m2v", "m2t", "m4v",
    "f4v", "mts", "webm",
];

/// Token of the upload in an address. As an extractor, refuses malformed tokens with 404.
pub struct UploadName(String);

impl<S: Send + Sync> FromRequestParts<S> for UploadName {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let [name] = Segments::from_request_parts(parts, state).await?.take()?;
        Token::parse(&name).map(|token| Self(token.as_str().to_owned())).ok_or_else(missing)
    }
}

/// Returns a refusal of an upload request.
pub const fn refused(status: StatusCode, code: &'static str) -> ApiError {
    ApiError::Refused { status, code, field: Some(NOTIFY), info: None }
}

/// Returns 404: the member has no such upload.
pub const fn missing() -> ApiError {
    ApiError::NotFound("upload_not_found")
}

/// Returns 423: another request continues the upload.
const fn locked() -> ApiError {
    refused(StatusCode::LOCKED, "upload_locked")
}

/// Acquires exclusive access to a member's own upload; a request that is appending ends first.
async fn turn(pool: &PgPool, turns: &Turns, member: &Member, token: &str) -> Result<Turn, ApiError> {
    uploads::find(pool, token, member.id).await?.ok_or_else(missing)?;
    Ok(turns.take(token).await)
}

/// Converts a disk failure: full, too busy, or failing.
pub fn of_disk(error: MediaError) -> ApiError {
    match error {
        MediaError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => full(),
        error @ MediaError::TimedOut { .. } => ApiError::unavailable(error),
        error => ApiError::internal(error),
    }
}

/// Returns 507: the disk is full.
const fn full() -> ApiError {
    refused(StatusCode::INSUFFICIENT_STORAGE, "disk_full")
}
