//! Writing and deleting documents.

use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use bytes::Bytes;
use serde_json::Value;
use serde_json::error::Category;

use super::body::{Body, JsonBody};
use super::error::{ApiError, Code};
use super::fields::{self, Fields};
use super::tasks::Pairs;
use super::{AppState, TaskReceipt, accept, blocking, check_uid, payload};
use crate::search;
use crate::tasks::{Kind, Method};

/// `POST …/documents`: adds or replaces documents.
pub async fn add(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    Query(query): Query<Pairs>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<TaskReceipt, ApiError> {
    write(shared, uid, query, headers, body, Method::Replace).await
}

/// `PUT …/documents`: adds documents or updates their fields.
pub async fn update(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    Query(query): Query<Pairs>,
    headers: HeaderMap,
    Body(body): Body,
) -> Result<TaskReceipt, ApiError> {
    write(shared, uid, query, headers, body, Method::Update).await
}

/// Bodies up to this size are checked inline. Larger bodies are checked on a blocking thread.
const CHECK_INLINE: usize = 64 << 10;

async fn write(
    shared: AppState,
    uid: String,
    query: Pairs,
    headers: HeaderMap,
    body: Bytes,
    method: Method,
) -> Result<TaskReceipt, ApiError> {
    let mut fields = Fields::query(query);
    let primary_key = fields.take("primaryKey", Code::InvalidIndexPrimaryKey)?;
    fields.refuse("csvDelimiter")?;
    fields.finish()?;
    check_uid(&uid)?;
    let documents = if body.len() <= CHECK_INLINE {
        payload::documents(&headers, &body)?
    } else {
        blocking(move || payload::documents(&headers, &body)).await?
    };
    let kind = Kind::DocumentAddition { method, primary_key, received: documents.count, indexed: None };
    accept(&shared, Some(uid), kind, Some(documents.lines)).await
}

/// `DELETE …/documents`
pub async fn delete_all(State(shared): State<AppState>, Path(uid): Path<String>) -> Result<TaskReceipt, ApiError> {
    check_uid(&uid)?;
    accept(&shared, Some(uid), Kind::DocumentClear { deleted: None }, None).await
}

/// `DELETE …/documents/{id}`
pub async fn delete_one(
    State(shared): State<AppState>,
    Path((uid, id)): Path<(String, String)>,
) -> Result<TaskReceipt, ApiError> {
    delete_ids(&shared, uid, &[id]).await
}

/// `POST …/documents/delete-batch`: deletes the documents whose ids are in a JSON array.
pub async fn delete_batch(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<TaskReceipt, ApiError> {
    let ids: Vec<Value> = serde_json::from_slice(&body).map_err(|error| match error.classify() {
        Category::Data => ApiError::new(Code::BadRequest, format!("Json deserialize error: {error}")),
        _ => fields::malformed(&body, &error),
    })?;
    let ids: Vec<String> = ids.into_iter().map(text).collect();
    delete_ids(&shared, uid, &ids).await
}

/// Converts an id to text. An invalid id becomes one that no document has.
fn text(id: Value) -> String {
    match id {
        Value::String(id) => id,
        other => other.to_string(),
    }
}

async fn delete_ids(shared: &AppState, uid: String, ids: &[String]) -> Result<TaskReceipt, ApiError> {
    check_uid(&uid)?;
    let payload = serde_json::to_vec(ids).map_err(ApiError::internal)?;
    let kind = Kind::DocumentDeletion { provided: ids.len() as u64, deleted: None };
    accept(shared, Some(uid), kind, Some(payload.into())).await
}

/// `POST …/documents/delete`: deletes documents by filter.
pub async fn delete_by_filter(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<TaskReceipt, ApiError> {
    let mut fields = Fields::parse(&body)?;
    let filter: Value = fields.require("filter", Code::InvalidDocumentFilter, Code::MissingDocumentFilter)?;
    fields.finish()?;
    check_uid(&uid)?;
    let invalid = |error: milli_core::Error| ApiError::new(Code::InvalidDocumentFilter, error.to_string());
    if search::filter(Some(&filter)).map_err(invalid)?.is_none() {
        return Err(ApiError::new(Code::InvalidDocumentFilter, "Sending an empty filter is forbidden."));
    }
    accept(&shared, Some(uid), Kind::DocumentDeletionByFilter { filter, deleted: None }, None).await
}
