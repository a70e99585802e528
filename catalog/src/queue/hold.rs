//! Long work under a lease that is renewed.

use serde::Serialize;
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};
use tokio_util::sync::CancellationToken;

use super::{Job, Queue, REPORT_INTERVAL, report};
use crate::Result;

/// How work under a lease ended.
#[derive(Debug)]
pub enum Held<T> {
    /// With this result.
    Ended(T),
    /// The process is shutting down.
    Stopped,
    /// Another worker may hold the job.
    Lost,
}

impl Queue {
    /// Runs `work` on a job whose payload is `progress`, while reporting the progress and renewing the lease.
    pub async fn hold<T, P: Serialize + Clone + PartialEq>(
        &self,
        job: &Job,
        progress: watch::Receiver<P>,
        stop: &CancellationToken,
        work: impl Future<Output = T>,
    ) -> Held<T> {
        tokio::select! {
            biased;
            () = stop.cancelled() => Held::Stopped,
            ended = work => Held::Ended(ended),
            () = self.renew(job, progress) => Held::Lost,
        }
    }

    /// Renews the lease and reports progress. Returns when the lease is lost or has expired while the catalog was
    /// unavailable.
    async fn renew<P: Serialize + Clone + PartialEq>(&self, job: &Job, progress: watch::Receiver<P>) {
        let (mut renewed, mut reported) = (Instant::now(), None);
        loop {
            sleep(REPORT_INTERVAL).await;
            let now = progress.borrow().clone();
            if reported.as_ref() == Some(&now) && renewed.elapsed() < self.lease / 3 {
                continue;
            }
            let started = Instant::now();
            match self.report(job, &now).await {
                Ok(true) => (renewed, reported) = (started, Some(now)),
                Ok(false) => return,
                // The catalog may become available again before the lease expires.
                Err(error) if renewed.elapsed() < self.lease => {
                    tracing::warn!(%error, kind = self.kind, "can't renew the lease of a job; retrying");
                }
                Err(_) => return,
            }
        }
    }

    async fn report(&self, job: &Job, progress: &impl Serialize) -> Result<bool> {
        let payload =
            serde_json::to_value(progress).unwrap_or_else(|_| unreachable!("plain numbers and text serialize"));
        report(&mut *self.pool.acquire().await?, job, &payload, self.lease).await
    }
}
