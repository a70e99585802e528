//! Responses for one person: never cached.

use axum::{
    Json,
    http::{HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// What personal answers say to caches.
pub const PRIVATE: HeaderValue = HeaderValue::from_static("private, no-store");

/// A JSON answer for this viewer.
pub fn answer(value: impl Serialize) -> Response {
    ([(header::CACHE_CONTROL, PRIVATE)], Json(value)).into_response()
}

/// Mark of an answer that is never compressed.
#[derive(Clone)]
pub struct Secret;

/// A JSON answer with something its holder may use, such as a signed link. It is sent as it is: the length of a compressed
/// answer tells whether a guess at what it holds was right (BREACH).
pub fn secret(value: impl Serialize) -> Response {
    let mut response = answer(value);
    response.extensions_mut().insert(Secret);
    response
}

/// What was asked for is done.
#[derive(Debug, Serialize, ToSchema)]
pub struct Done {
    /// Always 1.
    #[schema(minimum = 1, maximum = 1, example = 1)]
    pub ok: u8,
}

/// The answer that something is done.
pub fn done() -> Response {
    answer(Done { ok: 1 })
}
