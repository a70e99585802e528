//! Routes for health, version and statistics.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use milli_core as milli;
use milli_core::Index;
use serde_json::{Map, Value, json};

use super::documents::handle;
use super::error::ApiError;
use super::{AppState, JsonResult, blocking, reading};
use crate::PROTOCOL_VERSION;
use crate::shared::Shared;
use crate::tasks::view;

/// `GET /health`
pub async fn health() -> Json<Value> {
    Json(json!({ "status": "available" }))
}

/// `GET /version`: returns the version of the protocol, not of this crate.
pub async fn version() -> Json<Value> {
    Json(json!({ "commitSha": "unknown", "commitDate": "unknown", "pkgVersion": PROTOCOL_VERSION }))
}

/// `GET /stats`
pub async fn all(State(shared): State<AppState>) -> JsonResult {
    blocking(move || {
        let mut total = shared.queue.disk_size()?;
        let (mut used, mut last_update) = (total, None);
        let mut indexes = Map::new();
        for (uid, named) in shared.registry.list() {
            let Some(index) = named.slot.get() else { continue };
            total += index.on_disk_size().map_err(ApiError::internal)?;
            used += index.used_size().map_err(ApiError::internal)?;
            let txn = index.read_txn()?;
            last_update = last_update.max(index.updated_at(&txn).ok());
            drop(txn);
            indexes.insert(uid.clone(), describe(&shared, &uid, &index).map_err(ApiError::internal)?);
        }
        Ok(Json(json!({
            "databaseSize": total,
            "usedDatabaseSize": used,
            "lastUpdate": view::time(last_update),
            "indexes": indexes,
        })))
    })
    .await
}

/// `GET /indexes/{uid}/stats`
pub async fn one(State(shared): State<AppState>, Path(uid): Path<String>) -> JsonResult {
    reading(&Arc::clone(&shared), &uid.clone(), move || {
        let index = handle(&shared, &uid)?;
        describe(&shared, &uid, &index).map(Json).map_err(ApiError::internal)
    })
    .await
}

fn describe(shared: &Shared, uid: &str, index: &Index) -> milli::Result<Value> {
    let txn = index.read_txn()?;
    let documents = index.number_of_documents(&txn)?;
    let sizes = index.documents_stats(&txn)?.unwrap_or_default();
    let is_indexing = shared.queue.running().is_some_and(|running| running.index_uid.as_deref() == Some(uid));
    Ok(json!({
        "numberOfDocuments": documents,
        "rawDocumentDbSize": sizes.total_key_size() + sizes.total_value_size(),
        "avgDocumentSize": sizes.average_key_size() + sizes.average_value_size(),
        "isIndexing": is_indexing,
        "numberOfEmbeddings": 0,
        "numberOfEmbeddedDocuments": 0,
        "fieldDistribution": index.field_distribution(&txn)?,
    }))
}
