//! Tags sent, and tags that wait.

use lantern_catalog::purges::WaitingPurges;
use prometheus_client::{
    metrics::{counter::Counter, gauge::Gauge},
    registry::Registry,
};

/// Counts since the start, and the queue at the last look.
#[derive(Default)]
pub struct PurgeFigures {
    tags: Counter,
    failed: Counter,
    waiting: Gauge,
    oldest: Gauge,
}

impl PurgeFigures {
    pub fn count_tags(&self, tags: usize) {
        self.tags.inc_by(tags as u64);
    }

    /// A call was refused, or nobody answered.
    pub fn failed(&self) {
        self.failed.inc();
    }

    pub fn waiting(&self, waiting: WaitingPurges) {
        self.waiting.set(waiting.rows);
        self.oldest.set(waiting.oldest);
    }

    pub fn register(&self, registry: &mut Registry) {
        let purge = registry.sub_registry_with_prefix("purge");
        purge.register("told", "Tags this node told the cache outside", self.tags.clone());
        purge.register("failed", "Calls the cache outside did not take", self.failed.clone());
        purge.register("waiting", "Tags it is still to be told, of all nodes", self.waiting.clone());
        purge.register("oldest_seconds", "Age of the oldest of them", self.oldest.clone());
    }
}
