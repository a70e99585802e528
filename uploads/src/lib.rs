//! Film uploads: `/api/uploads/` by tus 1.0, resumable after lost connections, or in one form ([`whole`]).
//!
//! Implements the core protocol, creation, termination, checksum and expiration of <https://tus.io/protocols/resumable-upload>.

mod create;
mod docs;
mod failure;
mod intake;
mod receive;
mod remove;
mod room;
mod show;
mod sweep;
mod turns;
mod tus;
pub mod whole;
mod writer;

use std::sync::Arc;

use axum::{
    extract::{FromRef, FromRequestParts},
    http::{StatusCode, request::Parts},
};
use lantern_accounts::{
    token::Token,
    viewer::{Member, Sessions},
};
use lantern_catalog::uploads;
use lantern_config::Config;
use lantern_errors::{ApiError, NOTIFY};
use lantern_http::{Segments, openapi::Calls, proxies::TrustedProxies};
use sqlx::PgPool;

use crate::turns::Turn;
pub use crate::{
    docs::no_room,
    failure::{away, of_disk, of_store, store_unavailable},
    intake::Intake,
    room::Room,
    sweep::sweep,
    turns::Turns,
    tus::add_version,
};

/// File name extensions that are accepted: those of the specification, and two more names of transport streams, as recorders and
/// newer cameras write them. The actual format is probed later.
pub const ENDINGS: [&str; 21] = [
    "3gp", "mp4", "mov", "asf", "flv", "mpg", "avi", "mpeg", "wmv", "rm", "dat", "mkv", "vob", "m2v", "m2t", "m4v",
    "f4v", "mts", "webm", "ts", "m2ts",
];

/// Returns the calls with their documentation.
pub fn calls<S>(config: &Config) -> Calls<S>
where
    S: Clone + Send + Sync + 'static,
    Intake: FromRef<S>,
    Sessions: FromRef<S>,
    TrustedProxies: FromRef<S>,
    Arc<Config>: FromRef<S>,
    PgPool: FromRef<S>,
{
    Calls::default()
        .serve(show::options, show::options_doc(config))
        .serve(show::list, show::list_doc(config))
        .serve(create::create, create::doc(config))
        .serve(show::offset, show::offset_doc(config))
        .serve(receive::receive, receive::doc(config))
        .serve(remove::remove, remove::doc(config))
        .serve(remove::overridden, remove::overridden_doc(config))
}

/// Token of the upload in an address. As an extractor, refuses malformed tokens with 404.
struct UploadName(String);

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

/// Acquires exclusive access to a member's own upload. First stops any request that is still appending to it.
async fn turn(intake: &Intake, member: &Member, token: &str) -> Result<Turn, ApiError> {
    uploads::find(&intake.pool, token, member.id).await?.ok_or_else(missing)?;
    Ok(intake.turns.take(token).await)
}
