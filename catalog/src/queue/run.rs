//! Loop of all workers: claims jobs and attempts them.

use std::{future::pending, time::Duration};

use prometheus_client::metrics::counter::Counter;
use sqlx::PgPool;
use tokio::{
    sync::{mpsc, oneshot},
    time::sleep,
};
use tokio_util::sync::CancellationToken;

use super::{Outcome, RetryPolicy, Signal, Work, claim};
use crate::Result;

/// Jobs that stay in the table when they have ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retention {
    /// All jobs.
    All,
    /// Failed jobs with the reason, but without their payload.
    Failed,
    /// None.
    Nothing,
}

/// How the jobs of one kind are claimed, retried and ended.
#[derive(Debug, Clone)]
pub struct Queue {
    /// Connections to the catalog.
    pub pool: PgPool,
    /// Kind of the jobs.
    pub kind: &'static str,
    /// Maximum number of jobs per claim.
    pub batch: u32,
    /// Maximum number of claims per round.
    pub claims: usize,
    /// Duration of a claim. If the holder dies, others can claim its jobs after that.
    pub lease: Duration,
    /// Pause between rounds.
    pub poll: Duration,
    /// Rules for failed jobs.
    pub retry: RetryPolicy,
    /// Which jobs stay in the table.
    pub retention: Retention,
    /// Counts of this process.
    pub counts: Counts,
}

/// Counts since the start of the process.
#[derive(Debug, Clone, Default)]
pub struct Counts {
    /// Completed jobs.
    pub done: Counter,
    /// Jobs that were postponed.
    pub delayed: Counter,
    /// Jobs that were given up.
    pub given_up: Counter,
    /// Attempts that failed because no job can be completed.
    pub outages: Counter,
}

/// Numbers of a round.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Round {
    /// Claims that returned jobs.
    pub claims: usize,
    /// Completed jobs, without [`Outcome::Recorded`].
    pub done: usize,
}

impl Queue {
    /// Runs rounds until `stop`, or until all senders of `signals` are dropped.
    pub async fn run(
        &self,
        work: &impl Work,
        stop: &CancellationToken,
        mut signals: Option<&mut mpsc::Receiver<Signal>>,
    ) {
        let mut flush = None::<oneshot::Sender<()>>;
        while !stop.is_cancelled() {
            match self.round(work, stop).await {
                Ok(round) if round.claims >= self.claims => continue,
                Ok(_) => {}
                // Tests close their databases before their tasks end.
                Err(_) if self.pool.is_closed() => return,
                Err(error) => tracing::error!(kind = self.kind, %error, "can't process the queue; retrying"),
            }
            if let Some(done) = flush.take() {
                // The caller may have stopped waiting.
                let _ = done.send(());
            }
            let signal = async {
                match &mut signals {
                    Some(signals) => signals.recv().await,
                    None => pending().await,
                }
            };
            tokio::select! {
                () = stop.cancelled() => {}
                () = sleep(self.poll) => {}
                signal = signal => match signal {
                    None => return,
                    Some(Signal::Wake) => {}
                    Some(Signal::Flush(done)) => flush = Some(done),
                },
            }
        }
    }

    /// Attempts due jobs, in at most [`Queue::claims`] claims.
    ///
    /// # Errors
    /// The catalog is unavailable. Claimed jobs become available again when their leases expire.
    pub async fn round(&self, work: &impl Work, stop: &CancellationToken) -> Result<Round> {
        let mut round = Round::default();
        if !work.prepare().await? {
            return Ok(round);
        }
        while round.claims < self.claims && !stop.is_cancelled() {
            let jobs = claim(&mut *self.pool.acquire().await?, self.kind, self.batch, self.lease).await?;
            if jobs.is_empty() {
                break;
            }
            round.claims += 1;
            let mut fresh = Vec::new();
            for job in jobs {
                match self.retry.spent(&job) {
                    None => fresh.push(job),
                    Some(why) => self.record(work, &[job], &Outcome::refused(why), stop).await?,
                }
            }
            if fresh.is_empty() {
                continue;
            }
            let outcome = work.attempt(self, &fresh, stop).await?;
            self.record(work, &fresh, &outcome, stop).await?;
            match outcome {
                Outcome::Done => round.done += fresh.len(),
                Outcome::Outage(_) => break,
                _ => {}
            }
        }
        Ok(round)
    }
}
