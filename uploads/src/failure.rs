//! Converts failures of disks and stores to responses.

use axum::http::StatusCode;
use lantern_errors::{ApiError, Info};
use lantern_http::openapi::{Refusal, refusal};
use lantern_media::{
    Error as MediaError,
    stores::{RETRY_AFTER, StoreFailure},
};

use crate::refused;

/// Documentation of the refusal when a store is unavailable.
#[must_use]
pub const fn away() -> Refusal {
    refusal(
        503,
        &[("store_unavailable", "the store of the files is unavailable; retry after `info.retry_after` seconds")],
    )
}

/// Converts a failure to store something: the disk is full or failing, the store is unavailable, or the machine is too busy.
pub fn of_disk(error: MediaError) -> ApiError {
    match error {
        MediaError::Io { source, .. } if source.kind() == std::io::ErrorKind::StorageFull => full(),
        MediaError::Store(failure) => of_store(*failure),
        MediaError::Catalog(error) => error.into(),
        error @ (MediaError::TimedOut { .. } | MediaError::Group(_)) => ApiError::unavailable(error),
        error => ApiError::internal(error),
    }
}

/// Converts a store failure to an error response.
pub fn of_store(failure: StoreFailure) -> ApiError {
    match failure {
        StoreFailure::Folder(error) => of_disk(error),
        // The store logs that it is unavailable.
        _ => store_unavailable(),
    }
}

/// Returns 503: a store is unavailable.
#[must_use]
pub fn store_unavailable() -> ApiError {
    let info = Info { retry_after: Some(RETRY_AFTER), ..Info::default() };
    let status = StatusCode::SERVICE_UNAVAILABLE;
    ApiError::Refused { status, code: "store_unavailable", field: None, info: Some(info) }
}

/// Returns 507: the disk is full.
pub(crate) const fn full() -> ApiError {
    refused(StatusCode::INSUFFICIENT_STORAGE, "disk_full")
}
