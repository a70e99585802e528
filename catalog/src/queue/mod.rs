//! Queue: work that one process requests from another. Each row of the table `jobs` is a job, which is leased to the
//! process that does it. [`Queue`] describes how the jobs of one kind are claimed, retried and ended.
//!
//! The outbox of the indexer isn't part of the queue: each of its rows has several consumers, and the rows of one
//! object are processed in order ([`crate::outbox`]).

mod hold;
mod list;
mod record;
mod retry;
mod rows;
mod run;
mod signals;
mod work;

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde_json::Value;

pub use self::{
    hold::Held,
    list::{JobState, ListedJob, Subject, WantedJobs, list},
    retry::RetryPolicy,
    rows::{
        QueueSize, claim, enqueue, expire, finish, get, give_back, release, report, requeue, running, sizes, waiting,
    },
    run::{Counts, Queue, Retention, Round},
    signals::{Signal, Signals, TaskEnded, signals},
    work::{Outcome, Work},
};

/// Interval between progress reports, and between attempts to record an outcome.
const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Kind of jobs that convert an upload to a video. The payload is a [`crate::films::FilmProgress`].
pub const FILM: &str = "film";
/// Kind of jobs that move a film to another storage group. The payload is a [`crate::storage::Move`].
pub const FILM_MOVE: &str = "film_move";
/// Kind of jobs that encode a film anew. The payload is a [`crate::films::Remake`].
pub const FILM_REMAKE: &str = "film_remake";
/// Kind of jobs that move a picture to another storage group. The payload is a [`crate::storage::pictures::PictureMove`].
pub const PICTURE_MOVE: &str = "picture_move";
/// Kind of jobs that remove the files of a film, an original, a picture or an upload. The payload is a [`crate::storage::Removal`].
pub const FILM_REMOVAL: &str = "film_removal";
/// Kind of jobs that send an e-mail. The payload contains a link, so it is deleted when the job ends.
pub const MAIL: &str = "mail";
/// Kind of jobs that purge a cache tag. The payload is a [`crate::purges::Purge`].
pub const PURGE: &str = "purge";
/// The kinds above. The kinds of requests to the writer of an index also contain the name of its consumer.
pub const KINDS: [&str; 7] = [FILM, FILM_MOVE, FILM_REMAKE, PICTURE_MOVE, FILM_REMOVAL, MAIL, PURGE];

/// A job and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Id of the job.
    pub id: i64,
    /// Request and progress, as a JSON object whose keys depend on the kind of job.
    pub payload: Value,
    /// `queued`, `running`, `done` or `failed`.
    pub state: String,
    /// Number of claims. The holder uses it to check that it still holds the job.
    pub attempts: i32,
    /// How many times the holder was lost before it reported a result.
    pub lost: i32,
    /// Reason for the last failure.
    pub last_error: Option<String>,
    /// Seconds since the job was enqueued.
    pub age: i64,
}

impl Job {
    /// Parses the payload. If it is invalid, returns the outcome of the job.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Outcome> {
        let parsed = serde_json::from_value(self.payload.clone());
        parsed.map_err(|error| Outcome::refused(format!("the payload of the job is invalid: {error}")))
    }
}
