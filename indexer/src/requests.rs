//! Serves rebuilds and comparisons requested by `lantern reindex` and `lantern verify`, since this process is the only writer of the
//! index.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use lantern_catalog::queue::{self, Job};
use lantern_index::IndexName;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use crate::{Error, Findings, Indexer, Step};

/// Kind of request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// A rebuild, whose payload is a [`Request`].
    Rebuild,
    /// A comparison with the catalog, whose payload is a [`Comparison`].
    Verify,
}

impl Work {
    /// Returns the job kind for the writer of a consumer's indexes.
    #[must_use]
    pub fn kind(self, consumer: &str) -> String {
        match self {
            Self::Rebuild => format!("reindex {consumer}"),
            Self::Verify => format!("verify {consumer}"),
        }
    }
}

/// Lease of a job. A running rebuild reports its progress far more often than this.
const LEASE: Duration = Duration::from_secs(60);
/// Interval between polls for requests. It is short, because a person is waiting.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Pause before a failed automatic rebuild is retried.
const REBUILD_RETRY: Duration = Duration::from_secs(60);
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// Payload of a rebuild job: the request and its progress.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Request {
    /// Uid of the index to rebuild. If it is missing, all indexes are rebuilt.
    pub index: Option<String>,
    /// Uid of the index being filled.
    pub filling: Option<String>,
    /// Documents written.
    pub done: u64,
    /// Rows to write.
    pub total: u64,
}

/// Payload of a verification job: the request and its findings.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// Whether to repair differences.
    pub repair: bool,
    /// Uids of the finished indexes with their findings.
    pub found: Vec<(String, Findings)>,
    /// Uids of the indexes that cannot be compared because their files are damaged or missing, each with the reason. These indexes will be
    /// rebuilt.
    #[serde(default)]
    pub damaged: Vec<(String, String)>,
}

impl Indexer {
    /// Serves requests until canceled. A rebuild that is interrupted resumes at the next start.
    pub async fn serve_requests(&self, stop: CancellationToken) {
        tokio::select! {
            () = stop.cancelled() => return,
            outcome = self.resume() => if let Err(error) = outcome {
                tracing::error!(%error, "cannot resume an interrupted rebuild; keeping the old index");
            }
        }
        let mut again = Instant::now();
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
            if Instant::now() >= again {
                tokio::select! {
                    () = stop.cancelled() => return,
                    outcome = self.catch_up() => if let Err(error) = outcome {
                        tracing::error!(%error, "cannot rebuild the indexes; keeping the old ones");
                        again = Instant::now() + REBUILD_RETRY;
                    }
                }
            }
            tokio::select! {
                () = stop.cancelled() => return,
                outcome = self.serve_request() => if let Err(error) = outcome {
                    tracing::error!(%error, "cannot read requests of commands");
                }
            }
        }
    }

    /// Resumes a rebuild that an earlier process left unfinished, whether or not it was requested.
    async fn resume(&self) -> Result<(), Error> {
        if self.checkpoints.rebuilding()?.is_none() {
            return Ok(());
        }
        let Some(consumer) = self.consumer().await else { return Ok(()) };
        let waiting = {
            let mut conn = self.pool.acquire().await?;
            queue::release(&mut conn, &Work::Rebuild.kind(&consumer)).await?
        };
        if waiting > 0 {
            return Ok(());
        }
        let needed = self.plan().await?.rebuild;
        let indexes = if needed.is_empty() { IndexName::ALL.to_vec() } else { needed };
        match self.rebuild(&indexes, &|_| {}).await {
            Err(error) if error.is_superseded() => Ok(()),
            outcome => outcome,
        }
    }

    /// Executes the plan for the live indexes if they were damaged, missed changes (this consumer was dropped, or another process took over
    /// halfway), or were built by another version or with other settings.
    async fn catch_up(&self) -> Result<(), Error> {
        if self.lease().await.is_none() {
            return Ok(());
        }
        self.retire_former().await?;
        let plan = self.plan().await?;
        let Some(needed) = plan.describe() else { return Ok(()) };
        tracing::warn!(needed, "the indexes are outdated");
        let caught_up = async {
            if !plan.tune.is_empty() {
                self.tune(&plan.tune).await?;
            }
            if !plan.rebuild.is_empty() {
                self.rebuild(&plan.rebuild, &|_| {}).await?;
                tracing::info!("rebuilt the indexes");
            }
            Ok::<(), Error>(())
        };
        match caught_up.await {
            // The new writer continues this work.
            Err(error) if error.is_superseded() => Ok(()),
            outcome => outcome,
        }
    }

    /// Serves one pending request, if there is one and this process is the writer.
    async fn serve_request(&self) -> Result<(), Error> {
        let Some(lease) = self.lease().await else { return Ok(()) };
        let Some(consumer) = self.consumer().await else { return Ok(()) };
        for work in [Work::Rebuild, Work::Verify] {
            let job = {
                let mut conn = self.pool.acquire().await?;
                queue::claim(&mut conn, &work.kind(&consumer), 1, LEASE).await?.pop()
            };
            let Some(job) = job else { continue };
            let outcome = match work {
                Work::Rebuild => self.rebuild_for(&job).await,
                Work::Verify => self.verify_for(&job).await,
            };
            let mut conn = self.pool.acquire().await?;
            if outcome.as_ref().is_err_and(Error::is_superseded) {
                // The new writer will serve the request.
                self.membership.drop_lease(&lease).await;
                return Ok(queue::give_back(&mut conn, &job).await?);
            }
            if let Err(error) = &outcome {
                tracing::error!(job = job.id, %error, "a requested job failed; the indexes are unchanged");
            }
            queue::finish(&mut conn, &job, outcome.err().map(|error| error.to_string()).as_deref()).await?;
        }
        Ok(())
    }

    async fn verify_for(&self, job: &Job) -> Result<(), Error> {
        let mut comparison: Comparison = serde_json::from_value(job.payload.clone())?;
        comparison.found.clear();
        comparison.damaged = self.damaged().await?;
        for index in IndexName::ALL {
            if comparison.damaged.iter().any(|(uid, _)| uid == index.uid()) {
                continue;
            }
            let found = self.verify(index, comparison.repair).await?;
            comparison.found.push((index.uid().to_owned(), found));
            let mut conn = self.pool.acquire().await?;
            queue::report(&mut conn, job, &serde_json::to_value(&comparison)?, LEASE).await?;
        }
        Ok(())
    }

    async fn rebuild_for(&self, job: &Job) -> Result<(), Error> {
        let request: Request = serde_json::from_value(job.payload.clone())?;
        let wanted = match &request.index {
            Some(uid) => vec![uid.parse::<IndexName>().map_err(Error::Request)?],
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
                queue::report(&mut conn, job, &serde_json::to_value(payload)?, LEASE).await?;
            }
            Ok::<(), Error>(())
        };
        let (rebuilt, reported) = tokio::join!(rebuild, report);
        rebuilt.and(reported)
    }
}
