//! What the cache did, for operators.

use std::{
    fmt::Write,
    sync::atomic::{AtomicU64, Ordering},
};

/// Counters since the start of the process. Every request that was answered is in exactly one of the first four.
#[derive(Default)]
pub struct Metrics {
    pub hits: AtomicU64,
    pub stale: AtomicU64,
    pub misses: AtomicU64,
    pub waited: AtomicU64,
    pub outdated: AtomicU64,
    pub evictions: AtomicU64,
}

pub fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Metrics {
    /// In the text format of Prometheus.
    pub fn text(&self, entries: u64, bytes: u64) -> String {
        let counters = [
            ("hits", "Requests answered from memory.", &self.hits),
            ("stale", "Requests answered from memory with an answer that was then computed anew.", &self.stale),
            ("misses", "Requests whose answer was computed while they waited.", &self.misses),
            ("waited", "Requests that waited for the computation of another one.", &self.waited),
            ("outdated", "Answers dropped because something they show has changed or gone.", &self.outdated),
            ("evictions", "Answers dropped for room or age.", &self.evictions),
        ];
        let mut out = String::new();
        for (name, help, counter) in counters {
            let value = counter.load(Ordering::Relaxed);
            let _ = writeln!(out, "# HELP lantern_cache_{name}_total {help}");
            let _ = writeln!(out, "# TYPE lantern_cache_{name}_total counter\nlantern_cache_{name}_total {value}");
        }
        for (name, help, value) in
            [("entries", "Answers in memory.", entries), ("bytes", "Memory the answers take at most.", bytes)]
        {
            let _ = writeln!(out, "# HELP lantern_cache_{name} {help}");
            let _ = writeln!(out, "# TYPE lantern_cache_{name} gauge\nlantern_cache_{name} {value}");
        }
        out
    }
}
