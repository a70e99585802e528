//! Tasks: get, list, cancel, delete.

use std::sync::atomic::Ordering;

use axum::extract::{Path, Query, RawQuery, State};
use serde_json::{Value, json};

use super::error::{ApiError, Code};
use super::{AboutTasks, AppState, JsonResult, accept, blocking};
use crate::engine::Shared;
use crate::tasks::query::TaskFilter;
use crate::tasks::{Kind, Task, TaskId, view};

type Pairs = Vec<(String, String)>;

/// A page of the list.
struct Listing {
    filter: TaskFilter,
    limit: usize,
    from: Option<TaskId>,
    reverse: bool,
}

const DEFAULT_LIMIT: usize = 20;

/// `GET /tasks/{uid}`
pub async fn get(State(shared): State<AppState>, Path(uid): Path<String>) -> JsonResult {
    let number: TaskId = uid.parse().map_err(|_| {
        ApiError::new(
            Code::InvalidTaskUids,
            format!("Task uid `{uid}` is invalid. It should only contain numeric characters."),
        )
    })?;
    // One look-up in a mapped file: quicker here than on another thread.
    let txn = shared.queue.read()?;
    let task = shared.queue.task(&txn, number)?;
    task.map(|task| axum::Json(view::full(&task)))
        .ok_or_else(|| ApiError::new(Code::TaskNotFound, format!("Task `{uid}` not found.")))
}

/// `GET /tasks`
pub async fn list(State(shared): State<AppState>, Query(query): Query<Pairs>) -> JsonResult {
    let listing = listing(query)?;
    blocking(move || page(&shared, &listing).map(axum::Json)).await
}

fn listing(query: Pairs) -> Result<Listing, ApiError> {
    let mut listing = Listing { filter: TaskFilter::default(), limit: DEFAULT_LIMIT, from: None, reverse: false };
    let invalid =
        |name: &str, value: &str, code| ApiError::new(code, format!("Invalid value in parameter `{name}`: `{value}`."));
    for (name, value) in query {
        match name.as_str() {
            "limit" => listing.limit = value.parse().map_err(|_| invalid(&name, &value, Code::InvalidTaskLimit))?,
            "from" => listing.from = Some(value.parse().map_err(|_| invalid(&name, &value, Code::InvalidTaskFrom))?),
            "reverse" => {
                listing.reverse = value.parse().map_err(|_| invalid(&name, &value, Code::InvalidTaskReverse))?
            }
            _ => take_filter(&mut listing.filter, &name, &value)?,
        }
    }
    Ok(listing)
}

fn take_filter(filter: &mut TaskFilter, name: &str, value: &str) -> Result<(), ApiError> {
    if filter.take(name, value)? {
        return Ok(());
    }
    Err(ApiError::new(Code::BadRequest, format!("Unknown parameter `{name}`.")))
}

fn page(shared: &Shared, listing: &Listing) -> Result<Value, ApiError> {
    let txn = shared.queue.read()?;
    let everything = listing.filter.is_empty();
    let (mut shown, mut next, mut total) = (Vec::new(), None, 0);
    for task in shared.queue.all(&txn, listing.reverse)? {
        let task = task?;
        if !listing.filter.matches(&task) {
            continue;
        }
        total += 1;
        let reached = listing.from.is_none_or(|from| if listing.reverse { task.uid >= from } else { task.uid <= from });
        match (reached, shown.len() < listing.limit) {
            (true, true) => shown.push(task),
            (true, false) if next.is_none() => {
                next = Some(task.uid);
                // Without a filter the total needs no counting.
                if everything {
                    break;
                }
            }
            _ => {}
        }
    }
    if everything {
        total = shared.queue.len(&txn)?;
    }
    Ok(json!({
        "results": shown.iter().map(view::full).collect::<Vec<_>>(),
        "total": total,
        "limit": listing.limit,
        "from": shown.first().map(|task| task.uid),
        "next": next,
    }))
}

/// `POST /tasks/cancel`
pub async fn cancel(
    State(shared): State<AppState>,
    Query(query): Query<Pairs>,
    RawQuery(raw): RawQuery,
) -> Result<AboutTasks, ApiError> {
    let uids = matching(&shared, query, |task| !task.status.is_final()).await?;
    let kind = Kind::TaskCancelation { uids: uids.clone(), filter: original(raw), canceled: None };
    let accepted = accept(&shared, None, kind, None).await?;
    if shared.queue.running().is_some_and(|running| running.uids.iter().any(|uid| uids.contains(uid))) {
        shared.queue.abort.store(true, Ordering::Relaxed);
    }
    Ok(AboutTasks(accepted))
}

/// `DELETE /tasks`
pub async fn delete(
    State(shared): State<AppState>,
    Query(query): Query<Pairs>,
    RawQuery(raw): RawQuery,
) -> Result<AboutTasks, ApiError> {
    let uids = matching(&shared, query, |task| task.status.is_final()).await?;
    accept(&shared, None, Kind::TaskDeletion { uids, filter: original(raw), deleted: None }, None).await.map(AboutTasks)
}

/// The tasks a filter speaks of; there must be a filter.
async fn matching(shared: &AppState, query: Pairs, wanted: fn(&Task) -> bool) -> Result<Vec<TaskId>, ApiError> {
    let mut filter = TaskFilter::default();
    for (name, value) in &query {
        take_filter(&mut filter, name, value)?;
    }
    if query.is_empty() {
        return Err(ApiError::new(Code::MissingTaskFilters, "Query parameters to filter the tasks are missing."));
    }
    let shared = shared.clone();
    blocking(move || {
        let txn = shared.queue.read()?;
        let mut uids = Vec::new();
        for task in shared.queue.all(&txn, true)? {
            let task = task?;
            if filter.matches(&task) && wanted(&task) {
                uids.push(task.uid);
            }
        }
        Ok(uids)
    })
    .await
}

fn original(raw: Option<String>) -> String {
    format!("?{}", raw.unwrap_or_default())
}
