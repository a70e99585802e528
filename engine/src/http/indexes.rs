//! Routes that create, get, list, delete and compact indexes.

use axum::extract::{Path, Query, State};
use serde_json::{Value, json};

use super::body::JsonBody;
use super::documents::handle;
use super::error::{ApiError, Code};
use super::fields::Fields;
use super::{AppState, JsonResult, TaskReceipt, Uid, accept, blocking, check_uid, existing};
use crate::shared::Shared;
use crate::tasks::{Kind, view};

const DEFAULT_LIMIT: usize = 20;

/// `GET /indexes`
pub async fn list(State(shared): State<AppState>, Query(query): Query<Vec<(String, String)>>) -> JsonResult {
    let mut fields = Fields::query(query);
    let offset = fields.take_or("offset", Code::InvalidIndexOffset, 0)?;
    let limit = fields.take_or("limit", Code::InvalidIndexLimit, DEFAULT_LIMIT)?;
    fields.finish()?;
    blocking(move || {
        let all = shared.registry.list();
        let page = all.iter().skip(offset).take(limit);
        let results = page.map(|(uid, _)| describe(&shared, uid)).collect::<Result<Vec<_>, _>>()?;
        Ok(axum::Json(json!({ "results": results, "offset": offset, "limit": limit, "total": all.len() })))
    })
    .await
}

/// `GET /indexes/{uid}`
pub async fn get(State(shared): State<AppState>, Path(uid): Path<String>) -> JsonResult {
    blocking(move || describe(&shared, &uid).map(axum::Json)).await
}

fn describe(shared: &Shared, uid: &str) -> Result<Value, ApiError> {
    let index = handle(shared, uid)?;
    let txn = index.read_txn()?;
    Ok(json!({
        "uid": uid,
        "createdAt": view::time(Some(index.created_at(&txn).map_err(ApiError::internal)?)),
        "updatedAt": view::time(Some(index.updated_at(&txn).map_err(ApiError::internal)?)),
        "primaryKey": index.primary_key(&txn)?,
    }))
}

/// `POST /indexes`
pub async fn create(State(shared): State<AppState>, JsonBody(body): JsonBody) -> Result<TaskReceipt, ApiError> {
    let mut fields = Fields::parse(&body)?;
    let Uid(uid) = fields.require("uid", Code::InvalidIndexUid, Code::MissingIndexUid)?;
    let primary_key = fields.take("primaryKey", Code::InvalidIndexPrimaryKey)?;
    fields.finish()?;
    accept(&shared, Some(uid), Kind::IndexCreation { primary_key }, None).await
}

/// `DELETE /indexes/{uid}`
pub async fn delete(State(shared): State<AppState>, Path(uid): Path<String>) -> Result<TaskReceipt, ApiError> {
    check_uid(&uid)?;
    accept(&shared, Some(uid), Kind::IndexDeletion { deleted: None }, None).await
}

/// `POST /indexes/{uid}/compact`
pub async fn compact(State(shared): State<AppState>, Path(uid): Path<String>) -> Result<TaskReceipt, ApiError> {
    existing(&shared, &uid)?;
    accept(&shared, Some(uid), Kind::IndexCompaction { before: None, after: None }, None).await
}
