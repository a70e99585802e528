//! Outcomes of attempts, as recorded in the table.

use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::{
    Job, Outcome, Queue, REPORT_INTERVAL, Retention, Work, finish, give_back,
    rows::{delete, end, retry},
};
use crate::Result;

impl Queue {
    /// Records an outcome. Retries as long as the lease would last, because an idle connection may have broken, and
    /// hours of work must not be lost or repeated because of that.
    pub(super) async fn record(
        &self,
        work: &impl Work,
        jobs: &[Job],
        outcome: &Outcome,
        stop: &CancellationToken,
    ) -> Result<()> {
        let ends = Instant::now() + self.lease;
        while let Err(error) = self.settle(work, jobs, outcome).await {
            if stop.is_cancelled() || self.pool.is_closed() || Instant::now() >= ends {
                return Err(error);
            }
            tracing::warn!(%error, kind = self.kind, "can't record the outcome of jobs; retrying");
            sleep(REPORT_INTERVAL).await;
        }
        Ok(())
    }

    async fn settle(&self, work: &impl Work, jobs: &[Job], outcome: &Outcome) -> Result<()> {
        match outcome {
            Outcome::Recorded => {}
            Outcome::Done => {
                let mut conn = self.pool.acquire().await?;
                if self.retention == Retention::All {
                    for job in jobs {
                        finish(&mut conn, job, None).await?;
                    }
                } else {
                    delete(&mut conn, jobs).await?;
                }
                self.counts.done.inc_by(jobs.len() as u64);
            }
            Outcome::Interrupted => {
                for job in jobs {
                    give_back(&mut *self.pool.acquire().await?, job).await?;
                }
            }
            Outcome::Refused { code, why } => {
                for job in jobs {
                    self.give_up(work, job, *code, why).await?;
                }
            }
            Outcome::Failed(why) => {
                let tries = jobs.iter().map(|job| job.attempts).max();
                tracing::warn!(
                    kind = self.kind,
                    job = jobs.first().map(|job| job.id),
                    tries,
                    why,
                    "a job failed; retrying later"
                );
                self.postpone(work, jobs, why, false).await?;
            }
            Outcome::Postponed(why) => {
                tracing::info!(kind = self.kind, job = jobs.first().map(|job| job.id), why, "a job was postponed");
                self.postpone(work, jobs, why, false).await?;
            }
            Outcome::Outage(why) => {
                tracing::warn!(
                    kind = self.kind,
                    jobs = jobs.len(),
                    why,
                    "outage: no job of this kind can be completed; retrying later"
                );
                self.postpone(work, jobs, why, true).await?;
                self.counts.outages.inc();
            }
        }
        Ok(())
    }

    /// Requeues jobs, or gives them up if the policy says so.
    async fn postpone(&self, work: &impl Work, jobs: &[Job], why: &str, is_outage: bool) -> Result<()> {
        let (mut again, mut pauses, mut count) = (Vec::new(), Vec::new(), true);
        for job in jobs {
            match self.retry.next(job, why, is_outage) {
                Ok((pause, counts)) => {
                    again.push(job);
                    pauses.push(pause.as_secs_f64());
                    count = counts;
                }
                Err(why) => self.give_up(work, job, None, &why).await?,
            }
        }
        retry(&mut *self.pool.acquire().await?, &again, &pauses, count, why).await?;
        if !is_outage {
            self.counts.delayed.inc_by(again.len() as u64);
        }
        Ok(())
    }

    async fn give_up(&self, work: &impl Work, job: &Job, code: Option<&'static str>, why: &str) -> Result<()> {
        if work.give_up(self, job, code, why).await? {
            self.counts.given_up.inc();
        }
        Ok(())
    }

    /// Ends a job with the reason for its failure. Returns `false` if another worker holds it.
    pub async fn fail(&self, job: &Job, why: &str) -> Result<bool> {
        tracing::error!(kind = self.kind, job = job.id, tries = job.attempts, why, "giving up on a job");
        let mut conn = self.pool.acquire().await?;
        match self.retention {
            Retention::Nothing => Ok(delete(&mut conn, std::slice::from_ref(job)).await? > 0),
            kept => end(&mut conn, job, Some(why), kept == Retention::Failed).await,
        }
    }
}
