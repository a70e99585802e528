//! Purges an external cache (a CDN) by the tags of changed objects.
//!
//! Tags are queued in the transaction of the change ([`lantern_catalog::purges`]) until they are sent. Failed requests are retried with
//! growing pauses, and other nodes send the tags of a node that crashed. Delivery is at least once.

mod client;
mod metrics;
mod worker;

use std::{sync::Arc, time::Duration};

use anyhow::Context;
use lantern_catalog::{purges, tasks::Task};
use lantern_config::Purge as Settings;
use lantern_errors::ApiResult;
use prometheus_client::registry::Registry;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use self::{metrics::PurgeMetrics, worker::PurgeWorker};

/// Capacity of the queue of flush requests.
const FLUSHES: usize = 16;

/// Purges the external cache, if one is configured.
pub struct Purger {
    settings: Settings,
    metrics: Arc<PurgeMetrics>,
    flush: Option<mpsc::Sender<oneshot::Sender<()>>>,
}

impl Purger {
    /// Creates the purger and, if a cache is configured, the task that sends the tags. The task ends when the purger is dropped.
    ///
    /// # Errors
    /// A URL, method or header in `[purge]` is invalid.
    pub fn new(pool: PgPool, settings: &Settings) -> anyhow::Result<(Self, Option<Task>)> {
        let metrics = Arc::new(PurgeMetrics::default());
        let (mut flush, mut task) = (None, None);
        if settings.is_on() {
            let (sender, flushes) = mpsc::channel(FLUSHES);
            let worker = PurgeWorker::new(pool, settings, Arc::clone(&metrics))?;
            let purging = Task::new("cache purges", worker, flushes, |worker, flushes| Box::pin(worker.run(flushes)));
            (flush, task) = (Some(sender), Some(purging));
        }
        Ok((Self { settings: settings.clone(), metrics, flush }, task))
    }

    /// Sends all due tags and waits for the result. Stops at the first request that fails. Does nothing if no cache is configured.
    ///
    /// # Errors
    /// The task panicked or has ended.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let Some(flush) = &self.flush else { return Ok(()) };
        let (done, flushed) = oneshot::channel();
        flush.send(done).await.context("the purge task has ended")?;
        flushed.await.context("the purge task has ended")
    }

    /// Drops tags older than `purge.keep_seconds`, which exceeds the lifetime of any response. If no cache is configured, drops all tags.
    pub async fn sweep(&self, pool: &PgPool) -> ApiResult<()> {
        purges::switch(pool, self.settings.is_on()).await?;
        let rows = purges::give_up(pool, Duration::from_secs(self.settings.keep_seconds.into())).await?;
        if rows > 0 {
            tracing::error!(rows, "dropped cache purges that could not be sent; check purge.url");
        }
        Ok(())
    }

    /// Registers the metrics if a cache is configured.
    pub fn register(&self, registry: &mut Registry) {
        if self.settings.is_on() {
            self.metrics.register(registry);
        }
    }
}
