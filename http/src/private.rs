//! Responses for a single viewer, which are never cached.

use axum::{
    Json,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// `Cache-Control` of private responses.
pub const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");

/// Returns a private JSON response.
pub fn answer(value: impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, PRIVATE)], Json(value)).into_response()
}

/// Extension that marks a response which must not be compressed.
#[derive(Clone)]
pub struct NeverCompress;

/// Returns a private JSON response that contains a secret, such as a signed link. It is not compressed, because the length of a
/// compressed response reveals whether a guess of its content is right (BREACH).
pub fn uncompressed(value: impl Serialize) -> Response {
    let mut response = answer(value);
    response.extensions_mut().insert(NeverCompress);
    response
}

/// Response of a successful call that returns no data.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    pub ok: u8,
}

/// Returns a private response with [`Done`].
pub fn done() -> Response {
    answer(Done { ok: 1 })
}
