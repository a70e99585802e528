//! Shows tasks in the protocol's format.

use serde_json::{Value, json};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339};

use super::{Kind, Task};

/// Formats a time as RFC 3339. `None` becomes null.
pub fn time(at: Option<OffsetDateTime>) -> Value {
    at.and_then(|at| at.format(&Rfc3339).ok()).map_or(Value::Null, Value::String)
}

/// Returns the short form of a task, sent with status 202.
pub fn summary(task: &Task) -> Value {
    json!({
        "taskUid": task.uid,
        "indexUid": task.index_uid,
        "status": task.status.as_str(),
        "type": task.kind.as_str(),
        "enqueuedAt": time(Some(task.enqueued_at)),
    })
}

pub fn full(task: &Task) -> Value {
    let duration = match (task.started_at, task.finished_at) {
        (Some(started), Some(finished)) => Value::String(iso_duration(finished - started)),
        _ => Value::Null,
    };
    json!({
        "uid": task.uid,
        "batchUid": task.batch_uid,
        "indexUid": task.index_uid,
        "status": task.status.as_str(),
        "type": task.kind.as_str(),
        "canceledBy": null,
        "details": details(&task.kind),
        "error": task.error,
        "duration": duration,
        "enqueuedAt": time(Some(task.enqueued_at)),
        "startedAt": time(task.started_at),
        "finishedAt": time(task.finished_at),
    })
}

fn details(kind: &Kind) -> Value {
    match kind {
        Kind::DocumentAddition { received, indexed, .. } => {
            json!({ "receivedDocuments": received, "indexedDocuments": indexed })
        }
        Kind::DocumentDeletion { provided, deleted } => {
            json!({ "providedIds": provided, "deletedDocuments": deleted, "originalFilter": null })
        }
        Kind::DocumentDeletionByFilter { filter, deleted } => {
            json!({ "providedIds": 0, "deletedDocuments": deleted, "originalFilter": filter.to_string() })
        }
        Kind::DocumentClear { deleted } | Kind::IndexDeletion { deleted } => json!({ "deletedDocuments": deleted }),
        Kind::Settings { changes, .. } => changes.clone(),
        Kind::IndexCreation { primary_key } => json!({ "primaryKey": primary_key }),
        Kind::IndexSwap { swaps } => {
            json!({ "swaps": swaps.iter().map(|(a, b)| json!({ "indexes": [a, b] })).collect::<Vec<_>>() })
        }
        Kind::IndexCompaction { before, after } => {
            json!({ "preCompactionSize": before.map(size), "postCompactionSize": after.map(size) })
        }
    }
}

/// Formats a size for humans, as in `1.50 GiB`.
pub fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    let mut size = bytes as f64;
    let mut unit = "B";
    for larger in UNITS {
        if size < 1024.0 {
            break;
        }
        (size, unit) = (size / 1024.0, larger);
    }
    format!("{size:.2} {unit}")
}

/// Formats a duration as ISO 8601, as in `PT1.234567S`.
fn iso_duration(duration: Duration) -> String {
    let duration = duration.max(Duration::ZERO);
    format!("PT{}.{:09}S", duration.whole_seconds(), duration.subsec_nanoseconds())
}
