//! Route that swaps the names of indexes.

use std::collections::HashSet;

use axum::extract::State;
use serde_json::Value;

use super::body::JsonBody;
use super::error::{ApiError, Code};
use super::fields::{self, Fields, Place};
use super::{AppState, TaskReceipt, Uid, accept};
use crate::tasks::Kind;

/// `POST /swap-indexes`: `[{"indexes": ["a", "b"]}]`
pub async fn swap(State(shared): State<AppState>, JsonBody(body): JsonBody) -> Result<TaskReceipt, ApiError> {
    let swaps = fields::list(fields::json(&body)?)?;
    let swaps = swaps.into_iter().enumerate().map(|(i, swap)| pair(i, swap)).collect::<Result<Vec<_>, _>>()?;
    let mut seen = HashSet::new();
    for uid in swaps.iter().flat_map(|(a, b)| [a, b]) {
        if !seen.insert(uid) {
            let message =
                format!("Indexes must be declared only once during a swap. `{uid}` was specified several times.");
            return Err(ApiError::new(Code::InvalidSwapDuplicateIndexFound, message));
        }
    }
    accept(&shared, None, Kind::IndexSwap { swaps }, None).await
}

fn pair(i: usize, swap: Value) -> Result<(String, String), ApiError> {
    let mut fields = Fields::at(Place::Element(None, i), swap)?;
    let indexes: Vec<Uid> = fields.require("indexes", Code::InvalidSwapIndexes, Code::MissingSwapIndexes)?;
    fields.refuse("rename")?;
    fields.finish()?;
    let names: Vec<String> = indexes.into_iter().map(|Uid(uid)| uid).collect();
    <[String; 2]>::try_from(names).map(|[a, b]| (a, b)).map_err(|names| {
        let message =
            format!("Two indexes must be given for each swap. The list `{names:?}` contains {} indexes.", names.len());
        ApiError::new(Code::InvalidSwapIndexes, message)
    })
}
