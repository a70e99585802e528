//! Routes that get and list tasks.

use axum::extract::{Path, Query, State};
use serde_json::{Value, json};

use super::error::{ApiError, Code};
use super::fields::Fields;
use super::{AppState, JsonResult, blocking};
use crate::shared::Shared;
use crate::tasks::query::{self, TaskFilter};
use crate::tasks::{TaskId, view};

pub type Pairs = Vec<(String, String)>;

/// A page of the task list.
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
    // A single lookup in a mapped file is faster here than on another thread.
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
    let mut fields = Fields::query(query);
    let limit = fields.take_or("limit", Code::InvalidTaskLimit, DEFAULT_LIMIT)?;
    let from = fields.take_text("from", Code::InvalidTaskFrom, |text| query::number(text).map_err(|e| (None, e)))?;
    let reverse = fields.take_or("reverse", Code::InvalidTaskReverse, false)?;
    let filter = TaskFilter::take(&mut fields)?;
    fields.finish()?;
    Ok(Listing { filter, limit, from, reverse })
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
                // Without a filter, the total is known without counting.
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
