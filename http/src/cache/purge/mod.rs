//! Purges an external cache (a CDN) by the tags of changed objects.
//!
//! Tags are queued in the transaction of the change ([`lantern_catalog::purges`]) until they are sent. Failed requests are retried with
//! growing pauses, and other nodes send the tags of a node that crashed. Delivery is at least once.

mod client;
mod worker;

use std::time::Duration;

use anyhow::Context;
use lantern_catalog::{
    purges,
    queue::{self, Counts, Queue, QueueSize, Retention, RetryPolicy, Signals},
    tasks::Task,
};
use lantern_config::Purge as Settings;
use lantern_errors::ApiResult;
use prometheus_client::{
    metrics::{counter::Counter, gauge::ConstGauge},
    registry::Registry,
};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use self::{client::PurgeClient, worker::PurgeWorker};

/// How much longer a lease lasts than the timeout of a request.
const LEASE_MARGIN: Duration = Duration::from_secs(10);

/// Purges the external cache, if one is configured.
pub struct Purger {
    settings: Settings,
    counts: Counts,
    told: Counter,
    signals: Option<Signals>,
}

impl Purger {
    /// Creates the purger and, if a cache is configured, the task that sends the tags. The task ends when the purger is dropped.
    ///
    /// # Errors
    /// A URL, method or header in `[purge]` is invalid.
    pub fn new(pool: PgPool, settings: &Settings) -> anyhow::Result<(Self, Option<Task>)> {
        let queue = queue(pool.clone(), settings);
        let (counts, told) = (queue.counts.clone(), Counter::default());
        let (mut signals, mut task) = (None, None);
        if settings.is_on() {
            let client = PurgeClient::new(settings)?;
            let worker = (queue, PurgeWorker { pool, client, told: told.clone(), is_on: false.into() });
            let (sender, received) = queue::signals();
            let purging = Task::new("cache purges", worker, received, |(queue, worker), received| {
                Box::pin(async move { queue.run(worker, &CancellationToken::new(), Some(received)).await })
            });
            (signals, task) = (Some(sender), Some(purging));
        }
        Ok((Self { settings: settings.clone(), counts, told, signals }, task))
    }

    /// Sends all due tags and waits for the result. Stops at the first request that fails. Does nothing if no cache is configured.
    ///
    /// # Errors
    /// The task panicked or has ended.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let Some(signals) = &self.signals else { return Ok(()) };
        signals.flush().await.context("can't purge the external cache")
    }

    /// Drops tags older than `purge.keep_seconds`, which exceeds the lifetime of any response. If no cache is configured, drops all tags.
    pub async fn sweep(&self, pool: &PgPool) -> ApiResult<()> {
        purges::switch(pool, self.settings.is_on()).await?;
        let age = Duration::from_secs(self.settings.keep_seconds.into());
        let rows = queue::expire(pool, queue::PURGE, age).await?;
        if rows > 0 {
            tracing::error!(rows, "dropped cache purges that could not be sent; check purge.url");
        }
        Ok(())
    }

    /// Registers the metrics if a cache is configured. `size` is the size of the queue, or `None` if Postgres is unavailable.
    pub fn register(&self, size: Option<&QueueSize>, registry: &mut Registry) {
        if !self.settings.is_on() {
            return;
        }
        let purge = registry.sub_registry_with_prefix("purge");
        purge.register("told", "Tags that this node purged from the external cache", self.told.clone());
        let failed = self.counts.outages.clone();
        purge.register("failed", "Purge requests that failed or were rejected", failed);
        if let Some(QueueSize { waiting, oldest, .. }) = size {
            purge.register("waiting", "Tags of all nodes that are not purged yet", ConstGauge::new(*waiting));
            purge.register("oldest_seconds", "Age of the oldest tag that is not purged yet", ConstGauge::new(*oldest));
        }
    }
}

fn queue(pool: PgPool, settings: &Settings) -> Queue {
    Queue {
        pool,
        kind: queue::PURGE,
        batch: settings.tags,
        claims: usize::MAX,
        lease: Duration::from_millis(settings.timeout_ms) + LEASE_MARGIN,
        poll: Duration::from_millis(settings.poll_ms),
        retry: RetryPolicy {
            pauses: settings.retry_seconds.iter().map(|&seconds| Duration::from_secs(seconds.into())).collect(),
            max_age: Some((Duration::from_secs(settings.keep_seconds.into()), "purge.keep_seconds")),
            ..RetryPolicy::default()
        },
        retention: Retention::Nothing,
        counts: Counts::default(),
    }
}
