//! Words for what a job is about and how far it is.

use lantern_catalog::queue::{self, JobState, ListedJob, Subject};
use serde_json::Value;

/// Returns the kind without the name of the consumer, which requests to an index contain.
pub fn kind(job: &ListedJob) -> &str {
    job.kind.split(' ').next().unwrap_or_default()
}

/// Returns a value of the payload as text.
fn value(job: &ListedJob, name: &str) -> Option<String> {
    match job.payload.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// Returns what the job is about.
pub fn subject(job: &ListedJob) -> String {
    let of = |name| value(job, name).unwrap_or_else(|| "?".to_owned());
    match kind(job) {
        queue::FILM => match &job.subject {
            Subject { file_name: Some(file), title, member, .. } => {
                let named = title.as_ref().map_or_else(|| file.clone(), |title| format!("“{title}” ({file})"));
                format!("{named} of {}", member.as_deref().unwrap_or("?"))
            }
            _ => format!("upload {}, which is gone", of("upload")),
        },
        queue::FILM_MOVE => format!("{} to group {}", video(job), of("to")),
        queue::FILM_REMAKE => {
            let is_from_rendition = job.payload.get("from_rendition") == Some(&Value::Bool(true));
            format!("{} from its {}", video(job), if is_from_rendition { "largest rendition" } else { "original" })
        }
        queue::PICTURE_MOVE => format!("{} to group {}", of("key"), of("to")),
        queue::FILM_REMOVAL => format!("{} in group {}", of("key"), of("group")),
        queue::MAIL if job.payload.get("to").is_none() => "a mail whose content is deleted".to_owned(),
        queue::MAIL => format!("{} to {}", of("kind"), of("to")),
        queue::PURGE => of("tag"),
        _ => {
            let index = value(job, "index").map_or_else(|| "all indexes".to_owned(), |index| format!("index {index}"));
            format!("{index} of {}", job.kind.split(' ').nth(1).unwrap_or("?"))
        }
    }
}

/// Returns the video that a job names.
fn video(job: &ListedJob) -> String {
    let id = value(job, "video").unwrap_or_else(|| "?".to_owned());
    let title = job.subject.title.as_ref().map_or_else(String::new, |title| format!(" “{title}”"));
    let gone = if job.subject.video_id.is_none() { ", which is gone," } else { "" };
    format!("video {id}{title}{gone}")
}

/// Returns how far a running job is, if it reports that.
pub fn progress(job: &ListedJob) -> Option<String> {
    if job.state != JobState::Running {
        return None;
    }
    match kind(job) {
        queue::FILM | queue::FILM_REMAKE => Some(format!("{}, {} %", value(job, "step")?, value(job, "percent")?)),
        "reindex" => Some(format!("{} of {} documents", value(job, "done")?, value(job, "total")?)),
        _ => None,
    }
}
