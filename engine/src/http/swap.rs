//! Swapping the names of indexes.

use std::collections::HashSet;

use axum::extract::State;
use bytes::Bytes;
use serde_json::Value;

use super::error::{ApiError, Code};
use super::fields::Fields;
use super::{Accepted, AppState, accept, check_uid};
use crate::tasks::Kind;

/// `POST /swap-indexes`: `[{"indexes": ["a", "b"]}]`
pub async fn swap(State(shared): State<AppState>, body: Bytes) -> Result<Accepted, ApiError> {
    if body.is_empty() {
        return Err(ApiError::new(Code::MissingPayload, "A json payload is missing."));
    }
    let swaps: Vec<Value> = serde_json::from_slice(&body).map_err(|error| {
        ApiError::new(Code::MalformedPayload, format!("The json payload provided is malformed. `{error}`."))
    })?;
    let swaps = swaps.into_iter().map(pair).collect::<Result<Vec<_>, _>>()?;
    let mut seen = HashSet::new();
    for uid in swaps.iter().flat_map(|(a, b)| [a, b]) {
        check_uid(uid)?;
        if !seen.insert(uid) {
            let message =
                format!("Indexes must be declared only once during a swap. `{uid}` was specified several times.");
            return Err(ApiError::new(Code::InvalidSwapDuplicateIndexFound, message));
        }
    }
    accept(&shared, None, Kind::IndexSwap { swaps }, None).await
}

fn pair(swap: Value) -> Result<(String, String), ApiError> {
    let mut fields = Fields::from_value(swap)?;
    let indexes: Option<Vec<String>> = fields.take("indexes", Code::InvalidSwapIndexes)?;
    fields.refuse("rename")?;
    fields.finish()?;
    match indexes.map(<[String; 2]>::try_from) {
        Some(Ok([a, b])) => Ok((a, b)),
        Some(Err(other)) => {
            let message = format!("Two indexes must be given for each swap, not {}.", other.len());
            Err(ApiError::new(Code::InvalidSwapIndexes, message))
        }
        None => Err(ApiError::new(Code::MissingSwapIndexes, "Missing field `indexes`.")),
    }
}
