//! Settings as a whole and one by one.

use axum::extract::{Path, State};
use axum::routing::{MethodRouter, get};
use bytes::Bytes;
use serde_json::{Value, json};

use super::documents::handle;
use super::error::{ApiError, Code};
use super::{Accepted, AppState, JsonResult, accept, blocking, check_uid};
use crate::engine::Shared;
use crate::settings::{self, Changes};
use crate::tasks::Kind;

/// `/indexes/{uid}/settings`
pub fn whole() -> MethodRouter<AppState> {
    get(read_all).patch(change_all).delete(reset_all)
}

/// The sub-route of the setting `name`: get, set (by PUT or PATCH, as clients differ), reset.
pub fn part(name: &'static str) -> MethodRouter<AppState> {
    let change = move |State(shared): State<AppState>, Path(uid): Path<String>, body: Bytes| async move {
        update(&shared, uid, json!({ name: parse(&body)? }), false).await
    };
    get(move |State(shared): State<AppState>, Path(uid): Path<String>| async move {
        blocking(move || {
            let mut all = current(&shared, &uid)?;
            Ok(axum::Json(all.get_mut(name).map(Value::take).unwrap_or_default()))
        })
        .await
    })
    .put(change)
    .patch(change)
    .delete(move |State(shared): State<AppState>, Path(uid): Path<String>| async move {
        update(&shared, uid, json!({ name: null }), true).await
    })
}

async fn read_all(State(shared): State<AppState>, Path(uid): Path<String>) -> JsonResult {
    blocking(move || current(&shared, &uid).map(axum::Json)).await
}

async fn change_all(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    body: Bytes,
) -> Result<Accepted, ApiError> {
    update(&shared, uid, parse(&body)?, false).await
}

async fn reset_all(State(shared): State<AppState>, Path(uid): Path<String>) -> Result<Accepted, ApiError> {
    update(&shared, uid, settings::all_reset(), true).await
}

fn current(shared: &Shared, uid: &str) -> Result<Value, ApiError> {
    let index = handle(shared, uid)?;
    let txn = index.read_txn()?;
    settings::current(&index, &txn).map_err(ApiError::internal)
}

fn parse(body: &[u8]) -> Result<Value, ApiError> {
    if body.is_empty() {
        return Err(ApiError::new(Code::MissingPayload, "A json payload is missing."));
    }
    serde_json::from_slice(body).map_err(|error| {
        ApiError::new(Code::MalformedPayload, format!("The json payload provided is malformed. `{error}`."))
    })
}

async fn update(shared: &AppState, uid: String, changes: Value, is_deletion: bool) -> Result<Accepted, ApiError> {
    check_uid(&uid)?;
    Changes::parse(&changes)?;
    accept(shared, Some(uid), Kind::Settings { changes, is_deletion }, None).await
}
