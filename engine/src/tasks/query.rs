//! Filters of the task list.

use super::{Kind, Status, Task, TaskId};
use crate::http::error::{ApiError, Code};
use crate::http::fields::Fields;
use crate::http::uid;

/// Conditions on tasks. An absent condition matches all tasks.
#[derive(Debug, Default)]
pub struct TaskFilter {
    uids: Option<Vec<TaskId>>,
    index_uids: Option<Vec<String>>,
    statuses: Option<Vec<String>>,
    types: Option<Vec<String>>,
}

type Refusal = (Option<usize>, String);

impl TaskFilter {
    /// Extracts the filter parameters from a query string.
    pub fn take(fields: &mut Fields) -> Result<Self, ApiError> {
        let filter = Self {
            uids: fields.take_text("uids", Code::InvalidTaskUids, |text| list(text, number))?.flatten(),
            types: fields.take_text("types", Code::InvalidTaskTypes, |text| list(text, kind))?.flatten(),
            statuses: fields.take_text("statuses", Code::InvalidTaskStatuses, |text| list(text, status))?.flatten(),
            index_uids: fields.take_text("indexUids", Code::InvalidIndexUid, |text| list(text, index_uid))?.flatten(),
        };
        for name in UNSUPPORTED {
            fields.refuse(name)?;
        }
        Ok(filter)
    }

    pub fn is_empty(&self) -> bool {
        let Self { uids, index_uids, statuses, types } = self;
        uids.is_none() && index_uids.is_none() && statuses.is_none() && types.is_none()
    }

    /// Returns whether `task` matches the filter.
    pub fn matches(&self, task: &Task) -> bool {
        fn within<T: PartialEq>(list: Option<&Vec<T>>, value: Option<&T>) -> bool {
            list.is_none_or(|list| value.is_some_and(|value| list.contains(value)))
        }
        within(self.uids.as_ref(), Some(&task.uid))
            && within(self.index_uids.as_ref(), task.index_uid.as_ref())
            && self.statuses.as_ref().is_none_or(|list| list.iter().any(|s| s == task.status.as_str()))
            && self.types.as_ref().is_none_or(|list| list.iter().any(|t| t == task.kind.as_str()))
    }
}

/// Filters in the protocol that this engine doesn't support.
const UNSUPPORTED: [&str; 8] = [
    "batchUids",
    "canceledBy",
    "beforeEnqueuedAt",
    "afterEnqueuedAt",
    "beforeStartedAt",
    "afterStartedAt",
    "beforeFinishedAt",
    "afterFinishedAt",
];

/// Task types in the protocol that this engine never creates.
const FOREIGN_KINDS: [&str; 7] = [
    "indexUpdate",
    "taskCancelation",
    "taskDeletion",
    "documentEdition",
    "dumpCreation",
    "snapshotCreation",
    "upgradeDatabase",
];

/// Parses a comma-separated list. `*` means everything. An error includes the position of the element, unless it is the only one.
fn list<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<Vec<T>>, Refusal> {
    if text == "*" {
        return Ok(None);
    }
    let parts: Vec<&str> = text.split(',').collect();
    let place = |i: usize| (parts.len() > 1).then_some(i);
    let values = parts.iter().enumerate().map(|(i, part)| read(part.trim()).map_err(|message| (place(i), message)));
    values.collect::<Result<_, _>>().map(Some)
}

/// Parses the number of a task or a batch.
pub fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("could not parse `{text}` as a positive integer"))
}

fn index_uid(text: &str) -> Result<String, String> {
    if uid::is_uid(text) { Ok(text.to_owned()) } else { Err(uid::invalid(text)) }
}

fn status(text: &str) -> Result<String, String> {
    word(text, Status::NAMES.iter()).ok_or_else(|| {
        let known = Status::NAMES.join("`, `");
        format!("`{text}` is not a valid task status. Available statuses are `{known}`.")
    })
}

fn kind(text: &str) -> Result<String, String> {
    let known = || Kind::NAMES.iter().chain(&FOREIGN_KINDS);
    word(text, known()).ok_or_else(|| {
        let known = known().copied().collect::<Vec<_>>().join("`, `");
        format!("`{text}` is not a valid task type. Available types are `{known}`.")
    })
}

fn word<'w>(text: &str, mut known: impl Iterator<Item = &'w &'w str>) -> Option<String> {
    known.find(|word| word.eq_ignore_ascii_case(text)).map(|word| (*word).to_owned())
}
