//! Selects the waiting tasks that are applied together.

use std::collections::VecDeque;

use super::{Kind, Task, TaskId};

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub tasks: usize,
    pub documents: u64,
    pub bytes: usize,
}

/// Selects the next tasks, in queue order. Document additions and deletions by id in one index are batched until the next task of another
/// kind for that index, the first swap, or a cap.
pub fn next(waiting: &VecDeque<Task>, limits: Limits) -> Vec<TaskId> {
    let Some(head) = waiting.front() else { return Vec::new() };
    let mut picked = vec![head.uid];
    if !is_documents(&head.kind) {
        return picked;
    }
    let mut key = primary_key(&head.kind);
    let (mut documents, mut bytes) = (head.kind.documents(), head.payload_bytes);
    for task in waiting.iter().skip(1) {
        if matches!(task.kind, Kind::IndexSwap { .. }) {
            break;
        }
        if task.index_uid != head.index_uid {
            continue;
        }
        documents = documents.saturating_add(task.kind.documents());
        bytes = bytes.saturating_add(task.payload_bytes);
        let full = picked.len() >= limits.tasks || documents > limits.documents || bytes > limits.bytes;
        if full || !is_documents(&task.kind) || !keys_agree(&mut key, &task.kind) {
            break;
        }
        picked.push(task.uid);
    }
    picked
}

/// Returns whether tasks after `task` may join its batch.
pub fn grows(task: &Task) -> bool {
    is_documents(&task.kind)
}

fn is_documents(kind: &Kind) -> bool {
    matches!(kind, Kind::DocumentAddition { .. } | Kind::DocumentDeletion { .. })
}

/// Returns the primary key that an addition specifies, or `None` if the task isn't an addition.
fn primary_key(kind: &Kind) -> Option<&Option<String>> {
    match kind {
        Kind::DocumentAddition { primary_key, .. } => Some(primary_key),
        _ => None,
    }
}

/// Checks that all additions of a batch specify the same primary key (or none at all). Deletions don't matter.
fn keys_agree<'t>(key: &mut Option<&'t Option<String>>, kind: &'t Kind) -> bool {
    match (*key, primary_key(kind)) {
        (Some(known), Some(new)) => known == new,
        (None, Some(new)) => {
            *key = Some(new);
            true
        }
        (_, None) => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use time::OffsetDateTime;

    use super::super::{Method, Status};
    use super::*;

    const LIMITS: Limits = Limits { tasks: 4, documents: 100, bytes: 1000 };

    fn task(uid: TaskId, index: &str, kind: Kind) -> Task {
        Task {
            uid,
            batch_uid: None,
            index_uid: Some(index.into()),
            status: Status::Enqueued,
            kind,
            error: None,
            enqueued_at: OffsetDateTime::UNIX_EPOCH,
            started_at: None,
            finished_at: None,
            payload_bytes: 10,
        }
    }

    fn add(received: u64) -> Kind {
        Kind::DocumentAddition { method: Method::Replace, primary_key: None, received, indexed: None }
    }

    fn settings() -> Kind {
        Kind::Settings { changes: Value::Null, is_deletion: false }
    }

    fn pick(tasks: impl IntoIterator<Item = (&'static str, Kind)>) -> Vec<TaskId> {
        let waiting = (0..).zip(tasks).map(|(uid, (index, kind))| task(uid, index, kind)).collect();
        next(&waiting, LIMITS)
    }

    #[test]
    fn document_writes_of_one_index_are_batched() {
        let delete = Kind::DocumentDeletion { provided: 1, deleted: None };
        assert_eq!(pick([("a", add(1)), ("b", add(1)), ("a", delete), ("a", settings()), ("a", add(1))]), [0, 2]);
        assert!(pick([]).is_empty());
    }

    #[test]
    fn batches_respect_caps() {
        assert_eq!(pick((0..9).map(|_| ("a", add(1)))), [0, 1, 2, 3]);
        assert_eq!(pick([("a", add(60)), ("a", add(60)), ("a", add(1))]), [0]);
        assert_eq!(pick([("a", add(500)), ("a", add(1))]), [0]);
    }

    #[test]
    fn swaps_and_other_writes_are_not_batched() {
        let swap = Kind::IndexSwap { swaps: vec![("a".into(), "b".into())] };
        assert_eq!(pick([("a", add(1)), ("", swap.clone()), ("a", add(1))]), [0]);
        assert_eq!(pick([("", swap), ("a", add(1))]), [0]);
        assert_eq!(pick([("a", settings()), ("a", add(1))]), [0]);
    }

    #[test]
    fn batched_primary_keys_are_equal() {
        let keyed = |key: &str| Kind::DocumentAddition {
            method: Method::Update,
            primary_key: Some(key.into()),
            received: 1,
            indexed: None,
        };
        assert_eq!(pick([("a", keyed("id")), ("a", keyed("id")), ("a", keyed("sku"))]), [0, 1]);
    }
}
