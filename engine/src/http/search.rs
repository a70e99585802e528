//! Search, multi-search and facet search, with limited concurrency.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::extract::{Path, State};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::body::JsonBody;
use super::documents::{handle, reader};
use super::error::{ApiError, Code};
use super::fields::{Fields, Place};
use super::{AppState, JsonResult, RawJson, Uid, blocking, reading, suspect};
use crate::search::{self, FacetSearch, Interrupt, SearchParams};
use crate::shared::Shared;

/// Seconds after which a refused client may retry.
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
    reading(&Arc::clone(&shared), &uid.clone(), move || {
        let _turn = turn;
        Ok(RawJson(search::search(&reader(&shared, &uid)?, &params, &interrupt, &uid, false)?))
    })
    .await
}

/// `POST /multi-search`: runs several searches and returns their results in the same order.
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
    let multi = Arc::new(MultiSearch { shared, queries, interrupt, next: AtomicUsize::new(0) });
    // Uses an idle core as well, because search-as-you-type waits for a dozen counts.
    let answers = match multi.spare_permits() {
        Some(spare) => {
            let (mut answers, others) = tokio::try_join!(multi.search(turn, false), multi.search(spare, true))?;
            answers.extend(others);
            answers.sort_unstable_by_key(|(i, _)| *i);
            answers
        }
        None => multi.search(turn, false).await?,
    };
    let mut out = b"{\"results\":[".to_vec();
    for (i, answer) in answers {
        if i > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&answer?);
    }
    out.extend_from_slice(b"]}");
    Ok(RawJson(out))
}

/// The searches of one request. The next free thread takes the next search.
struct MultiSearch {
    shared: AppState,
    queries: Vec<(String, SearchParams)>,
    interrupt: Interrupt,
    next: AtomicUsize,
}

impl MultiSearch {
    /// Returns a second permit for each of the indexes. Returns none if another request is waiting for one, or if a later request would
    /// then have no place in the queue.
    fn spare_permits(&self) -> Option<Vec<OwnedSemaphorePermit>> {
        if self.queries.len() < 2 || self.shared.options.search_queue == 0 || self.others_wait() {
            return None;
        }
        let uids: BTreeSet<&str> = self.queries.iter().map(|(uid, _)| uid.as_str()).collect();
        let slots = uids.into_iter().filter_map(|uid| self.shared.registry.get(uid));
        slots.map(|named| Arc::clone(&named.slot.searches).try_acquire_owned().ok()).collect()
    }

    /// Returns whether another request is waiting for a permit.
    fn others_wait(&self) -> bool {
        self.shared.search_places.available_permits() < self.shared.options.search_queue
    }

    /// Runs searches until none is left or one fails. Every search before the failed one is completed by one of the threads. A helper
    /// thread stops when another request is waiting.
    async fn search(
        self: &Arc<Self>,
        turn: Vec<OwnedSemaphorePermit>,
        is_helper: bool,
    ) -> Result<Vec<(usize, Result<Vec<u8>, ApiError>)>, ApiError> {
        let multi = Arc::clone(self);
        blocking(move || {
            let _turn = turn;
            let mut answers = Vec::new();
            while let Some((i, (uid, params))) = multi.take(is_helper) {
                let answer = reader(&multi.shared, uid)
                    .and_then(|index| Ok(search::search(&index, params, &multi.interrupt, uid, true)?))
                    .inspect_err(|error| suspect(&multi.shared, uid, error))
                    .map_err(|error| error.inside(&format!("Inside `.queries[{i}]`: ")));
                if answer.is_err() {
                    multi.next.store(multi.queries.len(), Ordering::Relaxed);
                }
                answers.push((i, answer));
            }
            Ok(answers)
        })
        .await
    }

    fn take(&self, is_helper: bool) -> Option<(usize, &(String, SearchParams))> {
        if is_helper && self.others_wait() {
            return None;
        }
        let i = self.next.fetch_add(1, Ordering::Relaxed);
        Some((i, self.queries.get(i)?))
    }
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
    reading(&Arc::clone(&shared), &uid.clone(), move || {
        let _turn = turn;
        search::facet_search(&handle(&shared, &uid)?, &wanted, &interrupt).map(axum::Json)
    })
    .await
}

/// Acquires a permit for each of the existing indexes, either immediately or after a short wait in a bounded queue.
async fn admit<'a>(
    shared: &Shared,
    uids: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<OwnedSemaphorePermit>, ApiError> {
    // The uids are sorted and deduplicated, so that two requests cannot deadlock.
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
