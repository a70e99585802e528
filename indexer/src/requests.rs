//! Rebuilds asked for by `lantern reindex` while this process runs: the only writer of the index does them.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use lantern_catalog::jobs::{self, Job};
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{Error, IndexName, Indexer, Step};

/// Kind of the job.
pub const KIND: &str = "reindex";
/// A rebuild reports far more often than this while it lives.
const LEASE: Duration = Duration::from_secs(60);
/// Between two looks at the requests: a person waits.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Between two reports.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// Payload of the job: what is asked, and how far it got.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Request {
    /// Uid of the only index to rebuild; all when missing.
    pub index: Option<String>,
    /// Uid of the index being filled.
    pub filling: Option<String>,
    /// Documents written.
    pub done: u64,
    /// Rows to write.
    pub total: u64,
}

impl Indexer {
    /// Looks for requests until cancelled. A rebuild that is cut off resumes at the next start.
    pub async fn serve_requests(&self, stop: CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => return,
            outcome = self.resume() => if let Err(error) = outcome {
                tracing::error!(%error, "an interrupted rebuild can't be resumed; the old index stays");
            }
        }
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(LOOK_EVERY) => {}
            }
            tokio::select! {
                () = stop.cancelled() => return,
                outcome = self.serve_request() => if let Err(error) = outcome {
                    tracing::error!(%error, "requests for rebuilds can't be read");
                }
            }
        }
    }

    /// Goes on with a rebuild that an earlier process left unfinished: by its request, which waits again, or
    /// without one.
    async fn resume(&self) -> Result<(), Error> {
        if self.checkpoints.rebuilding()?.is_none() {
            return Ok(());
        }
        let waiting = {
            let mut conn = self.pool.acquire().await?;
            jobs::release(&mut conn, KIND).await?
        };
        if waiting == 0 { self.rebuild(&IndexName::ALL, &|_| {}).await } else { Ok(()) }
    }

    /// Does one waiting rebuild, if there is one.
    async fn serve_request(&self) -> Result<(), Error> {
        let job = {
            let mut conn = self.pool.acquire().await?;
            jobs::claim(&mut conn, KIND, LEASE).await?
        };
        let Some(job) = job else { return Ok(()) };
        let outcome = self.rebuild_for(&job).await;
        if let Err(error) = &outcome {
            tracing::error!(job = job.id, %error, "the rebuild failed; the old index stays");
        }
        let mut conn = self.pool.acquire().await?;
        jobs::finish(&mut conn, job.id, outcome.err().map(|error| error.to_string()).as_deref()).await?;
        Ok(())
    }

    async fn rebuild_for(&self, job: &Job) -> Result<(), Error> {
        let request: Request = serde_json::from_value(job.payload.clone())?;
        let wanted = match &request.index {
            Some(uid) => vec![uid.parse::<IndexName>().map_err(Error::Task)?],
            None => IndexName::ALL.to_vec(),
        };
        let latest: Mutex<Option<Step>> = Mutex::new(None);
        let ended = AtomicBool::new(false);
        let record = |step: Step| *latest.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
        let rebuild = async {
            let outcome = self.rebuild(&wanted, &record).await;
            ended.store(true, Ordering::Relaxed);
            outcome
        };
        let report = async {
            while !ended.load(Ordering::Relaxed) {
                tokio::time::sleep(REPORT_EVERY).await;
                let step = *latest.lock().unwrap_or_else(PoisonError::into_inner);
                let payload = Request {
                    index: request.index.clone(),
                    filling: step.map(|step| step.index.uid().to_owned()),
                    done: step.map_or(0, |step| step.done),
                    total: step.map_or(0, |step| step.total),
                };
                let mut conn = self.pool.acquire().await?;
                jobs::report(&mut conn, job.id, &serde_json::to_value(payload)?, LEASE).await?;
            }
            Ok::<(), Error>(())
        };
        let (rebuilt, reported) = tokio::join!(rebuild, report);
        rebuilt.and(reported)
    }
}
