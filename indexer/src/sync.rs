//! Live sync: the outbox drives the index.

use std::time::Duration;

use lantern_catalog::{
    changes::{self, Change},
    managed,
    outbox::{self, Claimed, Entity},
};
use sqlx::Connection;
use time::OffsetDateTime;
use tokio_util::sync::CancellationToken;

use crate::{Error, IndexName, Indexer, apply};

/// Longest pause after failures; short enough that a recovered engine is noticed at once by a person.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

impl Indexer {
    /// Follows the outbox until cancelled. A commit is picked up by [`Indexer::wake`] or the next poll.
    /// An outage of Postgres or the engine is logged once per pause and waited out; nothing is lost,
    /// because rows leave the outbox only after the engine's task succeeded.
    pub async fn run(&self, stop: CancellationToken) {
        let poll = Duration::from_millis(self.config.sync.poll_ms);
        let mut counters = tokio::time::interval(Duration::from_secs(self.config.sync.counters_interval));
        counters.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        counters.tick().await;
        let mut charts = tokio::time::interval(Duration::from_secs(self.config.sync.charts_interval));
        charts.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        charts.tick().await;
        let mut rolled = None;
        let mut pause = poll;
        loop {
            tokio::select! {
                () = stop.cancelled() => return,
                () = self.wake.notified() => {}
                () = tokio::time::sleep(pause) => {}
                _ = counters.tick() => {
                    if let Err(error) = self.transfer_counters().await {
                        tracing::error!(%error, "counters did not reach the index; they follow at the next interval");
                    }
                    if let Err(error) = managed::bring_back(&self.pool, OffsetDateTime::now_utc()).await {
                        tracing::error!(%error, "videos to re-add wait for the next interval");
                    }
                }
                _ = charts.tick() => {
                    if let Err(error) = self.refresh_charts(&mut rolled).await {
                        tracing::error!(%error, "charts and suggestions were not refreshed; they are at the next interval");
                    }
                }
            }
            pause = match self.drain().await {
                Ok(_) => poll,
                Err(error) => {
                    tracing::error!(%error, "changes wait in the outbox");
                    (pause * 2).min(LONGEST_PAUSE)
                }
            };
        }
    }

    /// Applies the outbox until it is empty and says how many objects were brought up to date.
    ///
    /// # Errors
    /// Postgres or the engine is away; the claimed rows are released.
    pub async fn drain(&self) -> Result<u64, Error> {
        let mut applied = 0;
        loop {
            let claimed = {
                let mut conn = self.pool.acquire().await?;
                outbox::claim(&mut conn, self.config.sync.batch, Duration::from_secs(self.config.sync.lease)).await?
            };
            if claimed.is_empty() {
                return Ok(applied);
            }
            applied += claimed.len() as u64;
            self.apply_claims(&claimed).await?;
        }
    }

    async fn apply_claims(&self, claimed: &[Claimed]) -> Result<(), Error> {
        let _writer = self.writer.lock().await;
        if self.checkpoints.rebuilding()?.is_some() {
            self.checkpoints.mark_dirty(claimed.iter().map(|claim| (claim.entity, claim.entity_id)))?;
        }
        // A failing batch is halved until the one row that fails is alone; it is parked, the others go on.
        let mut batches = vec![claimed];
        while let Some(batch) = batches.pop() {
            let keys: Vec<(Entity, i64)> = batch.iter().map(|claim| (claim.entity, claim.entity_id)).collect();
            let outcome = apply::apply(self, &keys, &IndexName::ALL, &|index| index.uid().to_owned()).await;
            let rows: Vec<i64> = batch.iter().flat_map(|claim| claim.rows.iter().copied()).collect();
            let mut conn = self.pool.acquire().await?;
            match outcome {
                Ok(applied) => {
                    self.changes.note(&applied);
                    // Together, so that no crash leaves others with what is done with here.
                    let mut done = conn.begin().await?;
                    outbox::ack(&mut done, &rows).await?;
                    changes::tell(&mut done, self.changes.node(), &applied).await?;
                    done.commit().await?;
                }
                Err(error) if error.is_outage() => {
                    let rest: Vec<i64> = batches
                        .iter()
                        .flat_map(|batch| batch.iter())
                        .flat_map(|claim| claim.rows.iter().copied())
                        .chain(rows)
                        .collect();
                    outbox::release(&mut conn, &rest).await?;
                    return Err(error);
                }
                Err(error) if batch.len() == 1 => {
                    tracing::error!(entity = %batch[0].entity, entity_id = batch[0].entity_id, %error, "an object can't be indexed and is parked");
                    // The catalog's own pages of it have changed all the same.
                    let changed = Change::Objects(keys);
                    self.changes.note(&changed);
                    let mut done = conn.begin().await?;
                    outbox::park(&mut done, &rows, &error.to_string()).await?;
                    changes::tell(&mut done, self.changes.node(), &changed).await?;
                    done.commit().await?;
                }
                Err(_) => {
                    let (left, right) = batch.split_at(batch.len() / 2);
                    batches.push(right);
                    batches.push(left);
                }
            }
        }
        Ok(())
    }
}
