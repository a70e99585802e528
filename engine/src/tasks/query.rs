//! Which tasks a list, a cancelation or a deletion speaks of.

use time::OffsetDateTime;
use time::format_description::BorrowedFormatItem;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;

use super::{Kind, Status, Task, TaskId};
use crate::http::error::{ApiError, Code};
use crate::http::fields::Fields;
use crate::http::uid;

/// Conditions on tasks; an absent one holds for all.
#[derive(Debug, Default)]
pub struct TaskFilter {
    uids: Option<Vec<TaskId>>,
    batch_uids: Option<Vec<u32>>,
    canceled_by: Option<Vec<TaskId>>,
    index_uids: Option<Vec<String>>,
    statuses: Option<Vec<String>>,
    types: Option<Vec<String>>,
    times: Vec<(Moment, Bound, OffsetDateTime)>,
}

#[derive(Debug, Clone, Copy)]
enum Moment {
    Enqueued,
    Started,
    Finished,
}

#[derive(Debug, Clone, Copy)]
enum Bound {
    Before,
    After,
}

type Refusal = (Option<usize>, String);

impl TaskFilter {
    /// Takes the filter's parameters out of a query string.
    pub fn take(fields: &mut Fields) -> Result<Self, ApiError> {
        let mut filter = Self {
            uids: fields.take_text("uids", Code::InvalidTaskUids, |text| list(text, number))?.flatten(),
            batch_uids: fields.take_text("batchUids", Code::InvalidBatchUids, |text| list(text, number))?.flatten(),
            canceled_by: fields
                .take_text("canceledBy", Code::InvalidTaskCanceledBy, |text| list(text, number))?
                .flatten(),
            types: fields.take_text("types", Code::InvalidTaskTypes, |text| list(text, kind))?.flatten(),
            statuses: fields.take_text("statuses", Code::InvalidTaskStatuses, |text| list(text, status))?.flatten(),
            index_uids: fields.take_text("indexUids", Code::InvalidIndexUid, |text| list(text, index_uid))?.flatten(),
            times: Vec::new(),
        };
        for (name, code, moment, bound) in TIMES {
            let limit = fields.take_text(name, code, |text| instant(text, bound))?.flatten();
            filter.times.extend(limit.map(|limit| (moment, bound, limit)));
        }
        Ok(filter)
    }

    /// Whether nothing is asked.
    pub fn is_empty(&self) -> bool {
        let Self { uids, batch_uids, canceled_by, index_uids, statuses, types, times } = self;
        uids.is_none()
            && batch_uids.is_none()
            && canceled_by.is_none()
            && index_uids.is_none()
            && statuses.is_none()
            && types.is_none()
            && times.is_empty()
    }

    /// Whether `task` is spoken of.
    pub fn matches(&self, task: &Task) -> bool {
        fn within<T: PartialEq>(list: Option<&Vec<T>>, value: Option<&T>) -> bool {
            list.is_none_or(|list| value.is_some_and(|value| list.contains(value)))
        }
        within(self.uids.as_ref(), Some(&task.uid))
            && within(self.batch_uids.as_ref(), task.batch_uid.as_ref())
            && within(self.canceled_by.as_ref(), task.canceled_by.as_ref())
            && within(self.index_uids.as_ref(), task.index_uid.as_ref())
            && self.statuses.as_ref().is_none_or(|list| list.iter().any(|s| s == task.status.as_str()))
            && self.types.as_ref().is_none_or(|list| list.iter().any(|t| t == task.kind.as_str()))
            && self.times.iter().all(|(moment, bound, limit)| {
                let at = match moment {
                    Moment::Enqueued => Some(task.enqueued_at),
                    Moment::Started => task.started_at,
                    Moment::Finished => task.finished_at,
                };
                at.is_some_and(|at| match bound {
                    Bound::Before => at < *limit,
                    Bound::After => at > *limit,
                })
            })
    }
}

const TIMES: [(&str, Code, Moment, Bound); 6] = [
    ("afterEnqueuedAt", Code::InvalidTaskAfterEnqueuedAt, Moment::Enqueued, Bound::After),
    ("beforeEnqueuedAt", Code::InvalidTaskBeforeEnqueuedAt, Moment::Enqueued, Bound::Before),
    ("afterStartedAt", Code::InvalidTaskAfterStartedAt, Moment::Started, Bound::After),
    ("beforeStartedAt", Code::InvalidTaskBeforeStartedAt, Moment::Started, Bound::Before),
    ("afterFinishedAt", Code::InvalidTaskAfterFinishedAt, Moment::Finished, Bound::After),
    ("beforeFinishedAt", Code::InvalidTaskBeforeFinishedAt, Moment::Finished, Bound::Before),
];

/// Types of tasks in the protocol that no task here has.
const FOREIGN_KINDS: [&str; 4] = ["documentEdition", "dumpCreation", "snapshotCreation", "upgradeDatabase"];

/// A comma-separated list; `*` is everything. A refusal names the element, unless it is the only one.
fn list<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<Vec<T>>, Refusal> {
    if text == "*" {
        return Ok(None);
    }
    let parts: Vec<&str> = text.split(',').collect();
    let place = |i: usize| (parts.len() > 1).then_some(i);
    let values = parts.iter().enumerate().map(|(i, part)| read(part.trim()).map_err(|message| (place(i), message)));
    values.collect::<Result<_, _>>().map(Some)
}

/// The number of a task or a batch.
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

/// A moment; a day without a time stands for all of it. `*` is any time.
fn instant(text: &str, bound: Bound) -> Result<Option<OffsetDateTime>, Refusal> {
    const DAY: &[BorrowedFormatItem<'_>] = format_description!("[year]-[month]-[day]");
    if text == "*" {
        return Ok(None);
    }
    if let Ok(instant) = OffsetDateTime::parse(text, &Rfc3339) {
        return Ok(Some(instant));
    }
    let day = time::Date::parse(text, DAY).ok().and_then(|day| match bound {
        Bound::Before => Some(day),
        Bound::After => day.next_day(),
    });
    day.map(|day| Some(day.midnight().assume_utc())).ok_or_else(|| {
        let form = "It should follow the YYYY-MM-DD or RFC 3339 date-time format.";
        (None, format!("`{text}` is an invalid date-time. {form}"))
    })
}
