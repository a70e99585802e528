//! What the cache did, for operators.

use prometheus_client::{metrics::counter::Counter, registry::Registry};

/// Counters since the start of the process. Every request that was answered is in exactly one of the first four.
#[derive(Default)]
pub struct Metrics {
    pub hits: Counter,
    pub stale: Counter,
    pub misses: Counter,
    pub waited: Counter,
    pub outdated: Counter,
    pub evictions: Counter,
}

impl Metrics {
    pub fn register(&self, registry: &mut Registry) {
        let mut add = |name, help, counter: &Counter| registry.register(name, help, counter.clone());
        add("hits", "Requests answered from memory", &self.hits);
        add("stale", "Requests answered from memory with an answer that was then computed anew", &self.stale);
        add("misses", "Requests whose answer was computed while they waited", &self.misses);
        add("waited", "Requests that waited for the computation of another one", &self.waited);
        add("outdated", "Answers dropped because something they show has changed or gone", &self.outdated);
        add("evictions", "Answers dropped for room or age", &self.evictions);
    }
}
