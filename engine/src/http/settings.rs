//! Routes for settings, as a whole and one by one.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::routing::{MethodRouter, get};
use serde_json::{Value, json as value};

use super::body::JsonBody;
use super::documents::handle;
use super::error::ApiError;
use super::fields::json;
use super::{AppState, JsonResult, TaskReceipt, accept, check_uid, reading};
use crate::settings::{self, Changes};
use crate::shared::Shared;
use crate::tasks::Kind;

/// `/indexes/{uid}/settings`
pub fn whole() -> MethodRouter<AppState> {
    get(read_all).patch(change_all).delete(reset_all)
}

/// Settings that are objects. A change is merged into them, so it uses PATCH.
const MERGED: [&str; 3] = ["typoTolerance", "faceting", "pagination"];

/// Builds the sub-route of the setting `name`: get, set, reset.
pub fn part(name: &'static str) -> MethodRouter<AppState> {
    let change = move |State(shared): State<AppState>, Path(uid): Path<String>, JsonBody(body): JsonBody| async move {
        let new = json(&body)?;
        settings::check_part(name, &new)?;
        update(&shared, uid, value!({ name: new }), false).await
    };
    let routes = get(move |State(shared): State<AppState>, Path(uid): Path<String>| async move {
        reading(&Arc::clone(&shared), &uid.clone(), move || {
            let mut all = current(&shared, &uid)?;
            Ok(axum::Json(all.get_mut(name).map(Value::take).unwrap_or_default()))
        })
        .await
    })
    .delete(move |State(shared): State<AppState>, Path(uid): Path<String>| async move {
        update(&shared, uid, value!({ name: null }), true).await
    });
    if MERGED.contains(&name) { routes.patch(change) } else { routes.put(change) }
}

async fn read_all(State(shared): State<AppState>, Path(uid): Path<String>) -> JsonResult {
    reading(&Arc::clone(&shared), &uid.clone(), move || current(&shared, &uid).map(axum::Json)).await
}

async fn change_all(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<TaskReceipt, ApiError> {
    update(&shared, uid, json(&body)?, false).await
}

async fn reset_all(State(shared): State<AppState>, Path(uid): Path<String>) -> Result<TaskReceipt, ApiError> {
    update(&shared, uid, settings::all_reset(), true).await
}

fn current(shared: &Shared, uid: &str) -> Result<Value, ApiError> {
    let index = handle(shared, uid)?;
    let txn = index.read_txn()?;
    settings::current(&index, &txn).map_err(ApiError::internal)
}

async fn update(shared: &AppState, uid: String, changes: Value, is_deletion: bool) -> Result<TaskReceipt, ApiError> {
    Changes::parse(&changes)?;
    check_uid(&uid)?;
    accept(shared, Some(uid), Kind::Settings { changes, is_deletion }, None).await
}
