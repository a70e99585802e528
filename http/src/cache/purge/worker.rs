//! Task that sends the tags in the queue.

use std::{sync::Arc, time::Duration};

use lantern_catalog::purges;
use lantern_config::Purge as Settings;
use sqlx::PgPool;
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, MissedTickBehavior, interval_at},
};

use super::{client::PurgeClient, metrics::PurgeMetrics};

/// How much longer a lease lasts than the timeout of a request.
const LEASE_MARGIN: Duration = Duration::from_secs(10);

/// Claims due tags and purges them.
pub struct PurgeWorker {
    pool: PgPool,
    client: PurgeClient,
    /// Maximum number of tags per request.
    tags: u32,
    lease: Duration,
    poll: Duration,
    /// Pauses in seconds after failed attempts. The last one is repeated.
    pauses: Vec<f64>,
    metrics: Arc<PurgeMetrics>,
}

impl PurgeWorker {
    /// Creates a worker.
    ///
    /// # Errors
    /// See [`PurgeClient::new`].
    pub fn new(pool: PgPool, settings: &Settings, metrics: Arc<PurgeMetrics>) -> anyhow::Result<Self> {
        Ok(Self {
            pool,
            client: PurgeClient::new(settings)?,
            tags: settings.tags,
            lease: Duration::from_millis(settings.timeout_ms) + LEASE_MARGIN,
            poll: Duration::from_millis(settings.poll_ms),
            pauses: settings.retry_seconds.iter().copied().map(f64::from).collect(),
            metrics,
        })
    }

    /// Sends due tags at each poll and each flush request, until the sender of `flushes` is dropped.
    pub async fn run(&self, flushes: &mut mpsc::Receiver<oneshot::Sender<()>>) {
        let mut poll = interval_at(Instant::now() + self.poll, self.poll);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (mut is_on, mut waiting) = (false, None::<oneshot::Sender<()>>);
        loop {
            match self.send_all(&mut is_on).await {
                Ok(()) => {}
                // Tests drop their database before their tasks end.
                Err(_) if self.pool.is_closed() => return,
                Err(error) => tracing::warn!(%error, "failed to process cache purges"),
            }
            if let Some(done) = waiting.take() {
                // The caller may have stopped waiting.
                let _ = done.send(());
            }
            waiting = tokio::select! {
                flush = flushes.recv() => match flush {
                    None => return,
                    done => done,
                },
                _ = poll.tick() => None,
            };
        }
    }

    /// Sends all due tags. Stops at the first failed request, because the next one would probably fail, too.
    async fn send_all(&self, is_on: &mut bool) -> lantern_catalog::Result<()> {
        if !*is_on {
            purges::switch(&self.pool, true).await?;
            *is_on = true;
        }
        while self.send_batch().await? {}
        self.metrics.set_waiting(purges::waiting(&self.pool).await?);
        Ok(())
    }

    /// Sends one batch of due tags. Returns whether a batch was sent.
    async fn send_batch(&self) -> lantern_catalog::Result<bool> {
        let due = purges::claim(&self.pool, self.tags, self.lease).await?;
        if due.is_empty() {
            return Ok(false);
        }
        let ids: Vec<i64> = due.iter().map(|due| due.id).collect();
        let mut tags: Vec<&str> = due.iter().map(|due| due.tag.as_str()).collect();
        tags.sort_unstable();
        tags.dedup();
        match self.client.purge(&tags).await {
            Ok(()) => {
                purges::mark_purged(&self.pool, &ids).await?;
                self.metrics.count_tags(tags.len());
                Ok(true)
            }
            Err(why) => {
                tracing::warn!(why, tags = tags.len(), "failed to purge the external cache; will retry");
                self.metrics.count_failure();
                purges::retry(&self.pool, &ids, &why, &self.pauses).await?;
                Ok(false)
            }
        }
    }
}
