//! Indexes: create, get, list, change, delete.

use axum::extract::{Path, Query, State};
use bytes::Bytes;
use serde_json::{Value, json};

use super::documents::handle;
use super::error::{ApiError, Code};
use super::fields::Fields;
use super::{Accepted, AppState, JsonResult, accept, blocking, check_uid, existing};
use crate::engine::Shared;
use crate::tasks::{Kind, view};

const DEFAULT_LIMIT: usize = 20;

/// `GET /indexes`
pub async fn list(State(shared): State<AppState>, Query(query): Query<Vec<(String, String)>>) -> JsonResult {
    let (mut offset, mut limit) = (0, DEFAULT_LIMIT);
    for (name, value) in query {
        let (place, code) = match name.as_str() {
            "offset" => (&mut offset, Code::InvalidIndexOffset),
            "limit" => (&mut limit, Code::InvalidIndexLimit),
            other => {
                let message = format!("Unknown parameter `{other}`: expected one of `offset`, `limit`.");
                return Err(ApiError::new(Code::BadRequest, message));
            }
        };
        *place = value.parse().map_err(|_| {
            ApiError::new(code, format!("Invalid value in parameter `{name}`: `{value}` isn't a positive integer."))
        })?;
    }
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
pub async fn create(State(shared): State<AppState>, body: Bytes) -> Result<Accepted, ApiError> {
    let mut fields = Fields::parse(&body)?;
    let uid: Option<String> = fields.take("uid", Code::InvalidIndexUid)?;
    let primary_key = fields.take("primaryKey", Code::InvalidIndexPrimaryKey)?;
    fields.finish()?;
    let uid = uid.ok_or_else(|| ApiError::new(Code::MissingIndexUid, "Missing field `uid`."))?;
    check_uid(&uid)?;
    accept(&shared, Some(uid), Kind::IndexCreation { primary_key }, None).await
}

/// `PATCH /indexes/{uid}`
pub async fn update(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    body: Bytes,
) -> Result<Accepted, ApiError> {
    check_uid(&uid)?;
    let mut fields = Fields::parse(&body)?;
    let primary_key = fields.take("primaryKey", Code::InvalidIndexPrimaryKey)?;
    if fields.take::<Value>("uid", Code::ImmutableIndexUid)?.is_some() {
        return Err(ApiError::new(
            Code::ImmutableIndexUid,
            "Immutable field `uid`: an index's name is changed by a swap.",
        ));
    }
    fields.finish()?;
    accept(&shared, Some(uid), Kind::IndexUpdate { primary_key }, None).await
}

/// `DELETE /indexes/{uid}`
pub async fn delete(State(shared): State<AppState>, Path(uid): Path<String>) -> Result<Accepted, ApiError> {
    check_uid(&uid)?;
    accept(&shared, Some(uid), Kind::IndexDeletion { deleted: None }, None).await
}

/// `POST /indexes/{uid}/compact`
pub async fn compact(State(shared): State<AppState>, Path(uid): Path<String>) -> Result<Accepted, ApiError> {
    existing(&shared, &uid)?;
    accept(&shared, Some(uid), Kind::IndexCompaction { before: None, after: None }, None).await
}
