//! Search, multi-search and facet search, admitted a few at a time.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::extract::{Path, State};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::body::JsonBody;
use super::documents::{handle, reader};
use super::error::{ApiError, Code};
use super::fields::{Fields, Place};
use super::{AppState, JsonResult, RawJson, Uid, blocking};
use crate::search::{self, FacetSearch, Interrupt, SearchParams};
use crate::shared::Shared;

/// Seconds after which a refused client may come again.
const RETRY_AFTER: u16 = 10;

/// `POST …/search`
pub async fn post(
    State(shared): State<AppState>,
    Path(uid): Path<String>,
    JsonBody(body): JsonBody,
) -> Result<RawJson, ApiError> {
    one(shared, uid, Fields::parse(&body)?).await
}

async fn one(shared: AppState, uid: String, mut fields: Fields) -> Result<RawJson, ApiError> {
    let params = SearchParams::take(&mut fields)?;
    fields.finish()?;
    let turn = admit(&shared, [uid.as_str()]).await?;
    let interrupt = Interrupt::new(shared.options.search_budget);
    let _waiting = interrupt.on_drop();
    blocking(move || {
        let _turn = turn;
        Ok(RawJson(search::search(&reader(&shared, &uid)?, &params, &interrupt, &uid, false)?))
    })
    .await
}

/// `POST /multi-search`: several searches, answered in order.
pub async fn multi(State(shared): State<AppState>, JsonBody(body): JsonBody) -> Result<RawJson, ApiError> {
    let mut fields = Fields::parse(&body)?;
    fields.refuse("federation")?;
    let queries: Vec<Value> = fields.require("queries", Code::BadRequest, Code::BadRequest)?;
    fields.finish()?;
    let queries =
        queries.into_iter().enumerate().map(|(i, query)| parse_query(i, query)).collect::<Result<Vec<_>, _>>()?;
    let turn = admit(&shared, queries.iter().map(|(uid, _)| uid.as_str())).await?;
    let interrupt = Interrupt::new(shared.options.search_budget);
    let _waiting = interrupt.on_drop();
    blocking(move || {
        let _turn = turn;
        let mut out = b"{\"results\":[".to_vec();
        for (i, (uid, params)) in queries.iter().enumerate() {
            let answer = reader(&shared, uid)
                .and_then(|index| Ok(search::search(&index, params, &interrupt, uid, true)?))
                .map_err(|error| error.inside(&format!("Inside `.queries[{i}]`: ")))?;
            if i > 0 {
                out.push(b',');
            }
            out.extend_from_slice(&answer);
        }
        out.extend_from_slice(b"]}");
        Ok(RawJson(out))
    })
    .await
}

fn parse_query(i: usize, query: Value) -> Result<(String, SearchParams), ApiError> {
    let mut fields = Fields::at(Place::Element(Some("queries"), i), query)?;
    let Uid(uid) = fields.require("indexUid", Code::InvalidIndexUid, Code::MissingIndexUid)?;
    let params = SearchParams::take(&mut fields)?;
    fields.finish()?;
    Ok((uid, params))
}

/// `POST …/facet-search`
pub async fn facets(State(shared): State<AppState>, Path(uid): Path<String>, JsonBody(body): JsonBody) -> JsonResult {
    let wanted = FacetSearch::parse(Fields::parse(&body)?)?;
    let turn = admit(&shared, [uid.as_str()]).await?;
    let interrupt = Interrupt::new(shared.options.search_budget);
    let _waiting = interrupt.on_drop();
    blocking(move || {
        let _turn = turn;
        search::facet_search(&handle(&shared, &uid)?, &wanted, &interrupt).map(axum::Json)
    })
    .await
}

/// A turn to search these indexes, as far as there are any: at once, or after a short wait in a bounded queue.
async fn admit<'a>(
    shared: &Shared,
    uids: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<OwnedSemaphorePermit>, ApiError> {
    // By name and each once, so that no two requests wait for each other.
    let uids: BTreeSet<&str> = uids.into_iter().collect();
    let mut turns = Vec::with_capacity(uids.len());
    for searches in uids.into_iter().filter_map(|uid| Some(Arc::clone(&shared.registry.get(uid)?.slot.searches))) {
        turns.push(turn(shared, searches).await?);
    }
    Ok(turns)
}

async fn turn(shared: &Shared, searches: Arc<Semaphore>) -> Result<OwnedSemaphorePermit, ApiError> {
    let busy = || {
        ApiError::new(Code::TooManySearchRequests, "Too many searches are running at the same time.")
            .retry_after(RETRY_AFTER)
    };
    if let Ok(permit) = Arc::clone(&searches).try_acquire_owned() {
        return Ok(permit);
    }
    let _place = Arc::clone(&shared.search_places).try_acquire_owned().map_err(|_| busy())?;
    match tokio::time::timeout(shared.options.search_wait, searches.acquire_owned()).await {
        Ok(Ok(permit)) => Ok(permit),
        Ok(Err(_)) | Err(_) => Err(busy()),
    }
}
