//! Tags sent, and tags that wait.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use lantern_catalog::purges::Waiting;

/// Counts since the start, and the queue at the last look.
#[derive(Default)]
pub struct PurgeFigures {
    told: AtomicU64,
    failed: AtomicU64,
    waiting: AtomicI64,
    oldest: AtomicI64,
}

impl PurgeFigures {
    /// A call was taken.
    pub fn told(&self, tags: usize) {
        self.told.fetch_add(tags as u64, Ordering::Relaxed);
    }

    /// A call was refused, or nobody answered.
    pub fn failed(&self) {
        self.failed.fetch_add(1, Ordering::Relaxed);
    }

    /// So much is left.
    pub fn waiting(&self, waiting: Waiting) {
        self.waiting.store(waiting.rows, Ordering::Relaxed);
        self.oldest.store(waiting.oldest, Ordering::Relaxed);
    }

    /// In the text format of Prometheus.
    pub fn text(&self) -> String {
        let (told, failed) = (self.told.load(Ordering::Relaxed), self.failed.load(Ordering::Relaxed));
        let (waiting, oldest) = (self.waiting.load(Ordering::Relaxed), self.oldest.load(Ordering::Relaxed));
        let rows = [
            ("told_total", "counter", "Tags this node told the cache outside.", told.to_string()),
            ("failed_total", "counter", "Calls the cache outside did not take.", failed.to_string()),
            ("waiting", "gauge", "Tags it is still to be told, of all nodes.", waiting.to_string()),
            ("oldest_seconds", "gauge", "Age of the oldest of them.", oldest.to_string()),
        ];
        let row = |(name, kind, help, value)| {
            format!(
                "# HELP lantern_purge_{name} {help}\n# TYPE lantern_purge_{name} {kind}\nlantern_purge_{name} {value}\n"
            )
        };
        rows.into_iter().map(row).collect()
    }
}
