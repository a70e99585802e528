//! Live sync: applies the outbox to the index.

use std::{collections::BTreeMap, time::Duration};

use lantern_catalog::{
    changes::{self, Change},
    consumers::{self, Lease},
    outbox::{self, ClaimSize, ClaimedObject, Entity},
    parked,
};
use lantern_index::IndexName;
use sqlx::Connection;
use tokio_util::sync::CancellationToken;

use crate::{Error, Indexer, apply, apply::RejectedObject, refusal};

/// Longest pause after failures. It is short enough for recovery to appear immediate.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Interval at which a standby process tries to become the writer.
const STANDBY: Duration = Duration::from_secs(1);

/// Logs a failure, unless it only means that another process is the writer.
fn log_error<T>(outcome: Result<T, Error>, meaning: &str) {
    if let Err(error) = outcome
        && !error.is_superseded()
    {
        tracing::error!(%error, "{meaning}");
    }
}

impl Indexer {
    /// Follows the outbox until canceled. Commits are picked up by [`Indexer::wake`] or the next poll. An outage of Postgres or the engine
    /// is logged once per pause and waited out. Nothing is lost, because rows leave the outbox only after the engine's task succeeded.
    /// While another process is the writer, this one stands by. Call [`Indexer::resign`] once nothing in this process writes to the index
    /// any more.
    pub async fn run(&self, stop: CancellationToken) {
        if let Some(lease) = self.lease().await {
            // If an earlier run in this process panicked, free its claims instead of waiting for their lease to end.
            let _writer = self.writer.lock().await;
            log_error(self.free_claims(&lease).await, "cannot free claimed changes; they wait until their lease ends");
        }
        let poll = Duration::from_millis(self.config.sync.poll_ms);
        let mut pause = poll;
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                () = self.wake.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
            pause = match self.drain().await {
                Ok(_) => poll,
                Err(error) if error.is_superseded() => STANDBY,
                Err(error) => {
                    tracing::error!(%error, "changes wait in the outbox");
                    (pause * 2).min(LONGEST_PAUSE)
                }
            };
        }
    }

    /// Applies the outbox, including parked objects that are due, until it is empty. Returns the number of updated objects.
    ///
    /// # Errors
    /// If another process is the writer, or Postgres or the engine is unavailable. Claims are then released.
    pub async fn drain(&self) -> Result<u64, Error> {
        let lease = self.join().await?;
        let outcome = self.drain_as(&lease).await;
        match &outcome {
            Ok(_) => {}
            Err(error) if error.is_superseded() => self.membership.drop_lease(&lease).await,
            Err(_) => {
                // Claims are only made under the writer's lock, so any that remain are stale.
                let _writer = self.writer.lock().await;
                log_error(
                    self.free_claims(&lease).await,
                    "cannot free claimed changes; they wait until their lease ends",
                );
            }
        }
        outcome
    }

    async fn free_claims(&self, lease: &Lease) -> Result<(), Error> {
        Ok(consumers::free_claims(&mut *self.pool.acquire().await?, lease).await?)
    }

    async fn drain_as(&self, lease: &Lease) -> Result<u64, Error> {
        let mut applied = 0;
        loop {
            let _writer = self.writer.lock().await;
            let claimed = {
                let mut conn = self.pool.acquire().await?;
                parked::retry(&mut conn, false).await?;
                let time = Duration::from_secs(self.config.sync.lease);
                let sync = &self.config.sync;
                let size = ClaimSize { rows: sync.batch, derived: sync.derived_batch };
                outbox::claim(&mut conn, lease, size, time).await?
            };
            if claimed.is_empty() {
                return Ok(applied);
            }
            applied += claimed.len() as u64;
            self.apply_claims(lease, &claimed).await?;
        }
    }

    /// The caller must hold the writer's lock.
    async fn apply_claims(&self, lease: &Lease, claimed: &[ClaimedObject]) -> Result<(), Error> {
        let keys: Vec<(Entity, i64)> = claimed.iter().map(|claim| (claim.entity, claim.entity_id)).collect();
        if self.checkpoints.rebuilding()?.is_some() {
            self.checkpoints.mark_dirty(keys.iter().copied())?;
        }
        let live = |index: IndexName| index.uid().to_owned();
        // Category names appear in every list and should not wait for videos claimed in the same batch.
        let (categories, others): (Vec<_>, Vec<_>) =
            keys.iter().copied().partition(|(entity, _)| *entity == Entity::Category);
        let outcome = async {
            let (mut change, mut refused) = (Change::Objects(Vec::new()), Vec::new());
            let present = self.present();
            for part in [categories, others].into_iter().filter(|part| !part.is_empty()) {
                let (changed, of_part) = apply::apply_accepted(self, lease, &part, &present, &live).await?;
                self.changes.note(&changed);
                change = change.and(changed);
                refused.extend(of_part);
            }
            self.acknowledge(lease, claimed, &change, refused).await
        };
        let Err(error) = outcome.await else { return Ok(()) };
        // A failed request may have been executed, so check whether another process has become the writer.
        match self.check(lease).await {
            Err(lost) if lost.is_superseded() => {
                // This write may have overwritten newer documents of another writer: make that writer read these objects again.
                let mut conn = self.pool.acquire().await?;
                outbox::put_back(&mut conn, lease.consumer, &keys).await?;
                Err(lost)
            }
            _ => Err(error),
        }
    }

    /// Acknowledges applied claims and parks rejected ones. The change event is recorded in the same transaction, so that a crash cannot
    /// hide a finished change from other processes.
    async fn acknowledge(
        &self,
        lease: &Lease,
        claimed: &[ClaimedObject],
        change: &Change,
        refused: Vec<RejectedObject>,
    ) -> Result<(), Error> {
        let refused: BTreeMap<(Entity, i64), Error> = refused.into_iter().collect();
        let mut conn = self.pool.acquire().await?;
        let mut done = conn.begin().await?;
        consumers::hold(&mut done, lease).await?;
        let mut applied: Vec<i64> = Vec::new();
        for claim in claimed {
            match refused.get(&(claim.entity, claim.entity_id)) {
                None => applied.extend(&claim.rows),
                Some(reason) => {
                    refusal::log_rejection(claim.entity, claim.entity_id, reason);
                    let pauses = &self.config.sync.parked_retry_seconds;
                    parked::park(&mut done, &claim.rows, &reason.to_string(), pauses).await?;
                }
            }
        }
        parked::forget(&mut done, &applied).await?;
        outbox::ack(&mut done, &applied).await?;
        changes::tell(&mut done, self.changes.node(), change).await?;
        Ok(done.commit().await?)
    }
}
