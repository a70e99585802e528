//! Metrics of the response cache.

use prometheus_client::{metrics::counter::Counter, registry::Registry};

/// Counters since process start. Each answered request is counted in exactly one of `hits`, `stale`, `misses` and `waited`.
#[derive(Default)]
pub struct Metrics {
    /// Requests served from memory.
    pub hits: Counter,
    /// Requests served from memory with a stale answer.
    pub stale: Counter,
    /// Requests that computed the answer.
    pub misses: Counter,
    /// Requests that waited for the computation of another request.
    pub waited: Counter,
    /// Answers found invalidated.
    pub outdated: Counter,
    /// Answers evicted for size or age.
    pub evictions: Counter,
}

impl Metrics {
    /// Registers all counters.
    pub fn register(&self, registry: &mut Registry) {
        let mut add = |name, help, counter: &Counter| registry.register(name, help, counter.clone());
        add("hits", "Requests served from memory", &self.hits);
        add("stale", "Requests served from memory with a stale answer, which was then recomputed", &self.stale);
        add("misses", "Requests that computed the answer", &self.misses);
        add("waited", "Requests that waited for the computation of another request", &self.waited);
        add("outdated", "Answers dropped because an object they show has changed or been removed", &self.outdated);
        add("evictions", "Answers evicted for size or age", &self.evictions);
    }
}
