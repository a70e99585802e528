//! The Meilisearch REST protocol.

mod auth;
mod body;
mod codes;
mod documents;
mod documents_write;
pub mod error;
mod fallback;
pub mod fields;
mod indexes;
mod integrity;
pub mod parameter;
mod payload;
mod search;
mod settings;
mod stats;
mod swap;
mod tasks;
pub mod uid;

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn_with_state, map_response};
use axum::routing::{get, post};
use serde_json::Value;
use tower_http::cors::{AllowHeaders, AllowMethods, Any, CorsLayer};

pub use auth::{Access, Keys};
use error::{ApiError, Code};

use crate::index::registry::NamedIndex;
use crate::shared::Shared;
use crate::tasks::queue::TaskRefusal;
use crate::tasks::{Kind, NewTask, Task};
pub use uid::{Uid, check as check_uid};

pub type AppState = Arc<Shared>;

/// Builds all routes. Unknown routes are handled by [`fallback`].
pub fn router(shared: AppState, access: Access) -> Router {
    let document_routes = get(documents::list)
        .post(documents_write::add)
        .put(documents_write::update)
        .delete(documents_write::delete_all);
    let mut router = Router::new()
        .route("/version", get(stats::version))
        .route("/stats", get(stats::all))
        .route("/indexes", get(indexes::list).post(indexes::create))
        .route("/indexes/{uid}", get(indexes::get).delete(indexes::delete))
        .route("/indexes/{uid}/stats", get(stats::one))
        .route("/indexes/{uid}/compact", post(indexes::compact))
        .route("/indexes/{uid}/check", post(integrity::check))
        .route("/quarantine", get(integrity::quarantine))
        .route("/indexes/{uid}/documents", document_routes)
        .route("/indexes/{uid}/documents/fetch", post(documents::fetch))
        .route("/indexes/{uid}/documents/delete-batch", post(documents_write::delete_batch))
        .route("/indexes/{uid}/documents/delete", post(documents_write::delete_by_filter))
        .route("/indexes/{uid}/documents/{id}", get(documents::get).delete(documents_write::delete_one))
        .route("/indexes/{uid}/search", post(search::post))
        .route("/indexes/{uid}/facet-search", post(search::facets))
        .route("/multi-search", post(search::multi))
        .route("/indexes/{uid}/settings", settings::whole())
        .route("/swap-indexes", post(swap::swap))
        .route("/tasks", get(tasks::list))
        .route("/tasks/{uid}", get(tasks::get));
    for (name, path, _) in crate::settings::NAMES {
        router = router.route(&format!("/indexes/{{uid}}/settings/{path}"), settings::part(name));
    }
    router
        .fallback(fallback::unknown_route)
        .method_not_allowed_fallback(fallback::unknown_method)
        .layer(from_fn_with_state(access, auth::check))
        .route("/health", get(stats::health))
        .layer(map_response(error::shape))
        .layer(browsers())
        .layer(DefaultBodyLimit::max(shared.options.max_body))
        .with_state(shared)
}

/// Returns the index `uid`.
fn existing(shared: &Shared, uid: &str) -> Result<NamedIndex, ApiError> {
    check_uid(uid)?;
    shared.registry.get(uid).ok_or_else(|| ApiError::index_not_found(uid))
}

/// Allows browsers to call from any origin, as Meilisearch does. The keys control access.
fn browsers() -> CorsLayer {
    const DAY: std::time::Duration = std::time::Duration::from_secs(24 * 60 * 60);
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods(AllowMethods::mirror_request())
        .allow_headers(AllowHeaders::mirror_request())
        .max_age(DAY)
}

/// Runs `work` on a blocking thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(ApiError::internal)?
}

/// Runs a read of index `uid`. After an unexpected failure, the writer checks the index file.
async fn reading<T: Send + 'static>(
    shared: &AppState,
    uid: &str,
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let outcome = blocking(work).await;
    if let Err(error) = &outcome {
        suspect(shared, uid, error);
    }
    outcome
}

/// Requests a check of an index file if the error may result from damage.
fn suspect(shared: &Shared, uid: &str, error: &ApiError) {
    if error.is_suspicious() {
        shared.queue.suspect(uid, shared.options.suspect_pause);
    }
}

/// Stores a write and returns status 202 with the task's summary.
async fn accept(
    shared: &Shared,
    index_uid: Option<String>,
    kind: Kind,
    payload: Option<bytes::Bytes>,
) -> Result<TaskReceipt, ApiError> {
    match shared.intake.accept(NewTask { index_uid, kind, payload }).await {
        Ok(task) => Ok(TaskReceipt(task)),
        Err(full @ TaskRefusal::Full(_)) => {
            Err(ApiError::new(Code::NoSpaceLeftOnDevice, format!("{full}. Wait until some have finished."))
                .retry_after(5))
        }
        Err(TaskRefusal::Closed) => {
            Err(ApiError::new(Code::Unavailable, "The search engine is shutting down.").retry_after(5))
        }
        Err(TaskRefusal::Store(error)) => Err(store_error(&error)),
    }
}

fn store_error(error: &milli_core::heed::Error) -> ApiError {
    use milli_core::heed::{Error, MdbError};
    match error {
        Error::Mdb(MdbError::MapFull) => ApiError::new(Code::NoSpaceLeftOnDevice, "The task queue is full."),
        Error::Io(io) if io.kind() == std::io::ErrorKind::StorageFull => {
            ApiError::new(Code::NoSpaceLeftOnDevice, "There is no space left on the device for the task.")
        }
        other => ApiError::internal(other),
    }
}

/// Response with status 202 and the summary of a task.
pub struct TaskReceipt(pub Task);

impl axum::response::IntoResponse for TaskReceipt {
    fn into_response(self) -> axum::response::Response {
        (axum::http::StatusCode::ACCEPTED, axum::Json(crate::tasks::view::summary(&self.0))).into_response()
    }
}

pub struct RawJson(pub Vec<u8>);

impl axum::response::IntoResponse for RawJson {
    fn into_response(self) -> axum::response::Response {
        ([(axum::http::header::CONTENT_TYPE, "application/json")], self.0).into_response()
    }
}

type JsonResult = Result<axum::Json<Value>, ApiError>;
