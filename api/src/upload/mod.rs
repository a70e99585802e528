//! `/api/uploads/`: films come in by tus 1.0, in as many pieces as the line breaks into; or in one form (`whole.rs`).
//!
//! <https://tus.io/protocols/resumable-upload>: the core, creation, termination, checksum and expiration.

pub mod create;
pub mod docs;
pub mod receive;
pub mod remove;
mod room;
pub mod show;
pub mod turns;
pub mod tus;
pub mod whole;
mod writer;

use std::sync::Arc;

use axum::{
    extract::FromRequestParts,
    http::{StatusCode, request::Parts},
};
use lantern_catalog::uploads;
use lantern_config::Config;
use lantern_errors::{ApiError, NOTIFY};
use lantern_http::Segments;
use lantern_media::{Error as MediaError, incoming::Incoming};
use lantern_ratelimit::Limits;
use sqlx::PgPool;

pub use self::room::Room;
use self::turns::Turn;
use crate::{account::token::Token, session::Member, upload::turns::Turns};

/// What films on their way in need.
#[derive(Clone)]
pub struct Intake {
    pub config: Arc<Config>,
    pub pool: PgPool,
    /// Where their files are.
    pub incoming: Incoming,
    pub limits: Arc<Limits>,
    pub now: fn() -> i64,
}

/// The upload an address names; what can't be a name leads to none.
pub struct UploadName(String);

impl<S: Send + Sync> FromRequestParts<S> for UploadName {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let [name] = Segments::from_request_parts(parts, state).await?.take()?;
        Token::parse(&name).map(|token| Self(token.as_str().to_owned())).ok_or_else(missing)
    }
}

/// What may be said of an upload beside what any call is refused with.
pub const fn refused(status: StatusCode, code: &'static str) -> ApiError {
    ApiError::Refused { status, code, field: Some(NOTIFY), info: None }
}

/// There is no such upload, of this member.
const fn missing() -> ApiError {
    ApiError::NotFound("upload_not_found")
}

/// Another request goes on with it.
const fn locked() -> ApiError {
    refused(StatusCode::LOCKED, "upload_locked")
}

/// The right to a member's own upload; whoever appends ends first.
async fn turn(pool: &PgPool, turns: &Turns, member: &Member, token: &str) -> Result<Turn, ApiError> {
    uploads::find(pool, token, member.id).await?.ok_or_else(missing)?;
    Ok(turns.take(token).await)
}

/// No room, a machine too busy, or a disk that fails.
pub fn of_disk(error: MediaError) -> ApiError {
    match error {
        MediaError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => full(),
        error @ MediaError::TimedOut { .. } => ApiError::unavailable(error),
        error => ApiError::internal(error),
    }
}

/// No room for more, until something goes.
const fn full() -> ApiError {
    refused(StatusCode::INSUFFICIENT_STORAGE, "disk_full")
}
