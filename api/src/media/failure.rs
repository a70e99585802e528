//! Converts failures of stores to responses.

use axum::http::StatusCode;
use lantern_errors::{ApiError, Info};
use lantern_media::stores::{RETRY_AFTER, StoreFailure};

/// Converts a store failure to an error response.
pub fn of_store(failure: StoreFailure) -> ApiError {
    match failure {
        StoreFailure::Folder(error) => ApiError::internal(error),
        // The store logs that it is unavailable.
        _ => store_unavailable(),
    }
}

/// Returns 503: the store of a film is unavailable.
pub fn store_unavailable() -> ApiError {
    let info = Info { retry_after: Some(RETRY_AFTER), ..Info::default() };
    let status = StatusCode::SERVICE_UNAVAILABLE;
    ApiError::Refused { status, code: "store_unavailable", field: None, info: Some(info) }
}
