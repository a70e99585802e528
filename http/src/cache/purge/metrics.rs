//! Metrics of cache purging.

use lantern_catalog::purges::WaitingPurges;
use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

/// Counters since process start, and the size of the queue at the last poll.
#[derive(Default)]
pub struct PurgeMetrics {
    tags: Counter,
    failed: Counter,
    waiting: Gauge,
    oldest: Gauge,
}

impl PurgeMetrics {
    /// Counts purged tags.
    pub fn count_tags(&self, tags: usize) {
        self.tags.inc_by(tags as u64);
    }

    /// Counts a request that failed or was rejected.
    pub fn count_failure(&self) {
        self.failed.inc();
    }

    /// Records the size of the queue.
    pub fn set_waiting(&self, waiting: WaitingPurges) {
        self.waiting.set(waiting.rows);
        self.oldest.set(waiting.oldest);
    }

    /// Registers the metrics under the prefix `purge`.
    pub fn register(&self, registry: &mut Registry) {
        let purge = registry.sub_registry_with_prefix("purge");
        purge.register("told", "Tags that this node purged from the external cache", self.tags.clone());
        purge.register("failed", "Purge requests that failed or were rejected", self.failed.clone());
        purge.register("waiting", "Tags of all nodes that are not purged yet", self.waiting.clone());
        purge.register("oldest_seconds", "Age of the oldest tag that is not purged yet", self.oldest.clone());
    }
}
