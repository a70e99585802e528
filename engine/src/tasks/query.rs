//! Which tasks a list, a cancelation or a deletion speaks of.

use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::{Kind, Status, Task, TaskId};
use crate::http::error::{ApiError, Code};

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

impl TaskFilter {
    /// Takes a query parameter; answers whether it was one of the filter's.
    pub fn take(&mut self, name: &str, value: &str) -> Result<bool, ApiError> {
        match name {
            "uids" => self.uids = numbers(value)?,
            "batchUids" => self.batch_uids = numbers(value)?,
            "canceledBy" => self.canceled_by = numbers(value)?,
            "indexUids" => self.index_uids = list(value),
            "statuses" => self.statuses = words(value, &Status::NAMES, Code::InvalidTaskStatuses)?,
            "types" => self.types = words(value, &Kind::NAMES, Code::InvalidTaskTypes)?,
            _ => {
                let (moment, bound) = match name {
                    "beforeEnqueuedAt" => (Moment::Enqueued, Bound::Before),
                    "afterEnqueuedAt" => (Moment::Enqueued, Bound::After),
                    "beforeStartedAt" => (Moment::Started, Bound::Before),
                    "afterStartedAt" => (Moment::Started, Bound::After),
                    "beforeFinishedAt" => (Moment::Finished, Bound::Before),
                    "afterFinishedAt" => (Moment::Finished, Bound::After),
                    _ => return Ok(false),
                };
                self.times.push((moment, bound, instant(name, value)?));
            }
        }
        Ok(true)
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

/// A comma-separated list; `*` is everything.
fn list(value: &str) -> Option<Vec<String>> {
    (value != "*").then(|| value.split(',').map(|part| part.trim().to_owned()).collect())
}

fn numbers(value: &str) -> Result<Option<Vec<u32>>, ApiError> {
    let parse = |part: String| {
        part.parse().map_err(|_| {
            ApiError::new(Code::InvalidTaskUids, format!("`{part}` isn't a task uid: a positive integer is expected."))
        })
    };
    list(value).map(|parts| parts.into_iter().map(parse).collect()).transpose()
}

fn words(value: &str, known: &[&str], code: Code) -> Result<Option<Vec<String>>, ApiError> {
    let check = |part: String| match known.iter().find(|word| word.eq_ignore_ascii_case(&part)) {
        Some(word) => Ok((*word).to_owned()),
        None => {
            Err(ApiError::new(code, format!("`{part}` is unknown; available values are `{}`.", known.join("`, `"))))
        }
    };
    list(value).map(|parts| parts.into_iter().map(check).collect()).transpose()
}

fn instant(name: &str, value: &str) -> Result<OffsetDateTime, ApiError> {
    const DAY: &[time::format_description::BorrowedFormatItem<'_>] =
        time::macros::format_description!("[year]-[month]-[day]");
    OffsetDateTime::parse(value, &Rfc3339)
        .or_else(|_| time::Date::parse(value, DAY).map(|day| day.midnight().assume_utc()))
        .map_err(|_| {
            let message =
                format!("Invalid value in parameter `{name}`: `{value}` is no date in RFC 3339 or YYYY-MM-DD form.");
            ApiError::new(Code::InvalidTaskTimes, message)
        })
}
