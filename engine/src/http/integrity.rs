//! Routes that check index files and list quarantined stores. These routes are extensions that Meilisearch doesn't have.

use axum::extract::{Path, State};
use serde_json::json;

use super::error::ApiError;
use super::{AppState, JsonResult, blocking, existing, suspect};
use crate::index::store_file;

/// `POST …/check`: checks the whole file of an index while it stays in use. If the index is damaged, it is quarantined right afterwards.
pub async fn check(State(shared): State<AppState>, Path(uid): Path<String>) -> JsonResult {
    let index = existing(&shared, &uid)?;
    blocking(move || {
        let damage = match index.slot.check() {
            Ok(()) => None,
            Err(error) if store_file::is_damage(&error) => {
                shared.queue.suspect(&uid, std::time::Duration::ZERO);
                Some(error.to_string())
            }
            Err(error) => {
                let error = ApiError::internal(error);
                suspect(&shared, &uid, &error);
                return Err(error);
            }
        };
        Ok(axum::Json(json!({ "uid": uid, "damage": damage })))
    })
    .await
}

/// `GET /quarantine`: lists quarantined stores, oldest first.
pub async fn quarantine(State(shared): State<AppState>) -> JsonResult {
    blocking(move || {
        let results = shared.registry.quarantine().list().map_err(ApiError::internal)?;
        Ok(axum::Json(json!({ "results": results })))
    })
    .await
}
