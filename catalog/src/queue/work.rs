//! What a worker implements for the jobs of one kind.

use tokio_util::sync::CancellationToken;

use super::{Job, Queue};
use crate::Result;

/// How an attempt ended, for all of its jobs.
#[derive(Debug)]
pub enum Outcome {
    /// The jobs are completed.
    Done,
    /// A transaction of the attempt has ended the jobs, or another worker holds them.
    Recorded,
    /// The attempt failed for this reason. It is retried according to the policy.
    Failed(String),
    /// Like `Failed`, but in normal operation.
    Postponed(String),
    /// No job of the queue can be completed now, so the round ends.
    Outage(String),
    /// The jobs will never succeed.
    Refused {
        /// Error code for the member, if there is one.
        code: Option<&'static str>,
        /// Reason for operators.
        why: String,
    },
    /// The process is shutting down. The attempt doesn't count.
    Interrupted,
}

impl Outcome {
    /// Creates a refusal without a code.
    pub fn refused(why: impl Into<String>) -> Self {
        Self::Refused { code: None, why: why.into() }
    }
}

/// Work on the jobs of one kind.
pub trait Work: Sync {
    /// Prepares a round. Returns whether jobs may be claimed now.
    fn prepare(&self) -> impl Future<Output = Result<bool>> + Send {
        async { Ok(true) }
    }

    /// Attempts claimed jobs, at most [`Queue::batch`].
    ///
    /// # Errors
    /// The catalog is unavailable. The jobs are retried when their leases expire.
    fn attempt(
        &self,
        queue: &Queue,
        jobs: &[Job],
        stop: &CancellationToken,
    ) -> impl Future<Output = Result<Outcome>> + Send;

    /// Ends a job that won't be attempted again. Returns `false` if another worker holds it.
    fn give_up(
        &self,
        queue: &Queue,
        job: &Job,
        code: Option<&'static str>,
        why: &str,
    ) -> impl Future<Output = Result<bool>> + Send {
        let _ = code;
        queue.fail(job, why)
    }
}
