//! Metrics of access checks for files.

use prometheus_client::{metrics::counter::Counter, registry::Registry};

#[derive(Default)]
pub struct Figures {
    /// Number of files whose visibility was cached.
    pub known: Counter,
    /// Number of catalog lookups.
    pub lookups: Counter,
    /// Number of files served from stale entries while the catalog was unavailable.
    pub prolonged: Counter,
}

impl Figures {
    pub fn register(&self, registry: &mut Registry) {
        let media = registry.sub_registry_with_prefix("media");
        let mut add = |name, help, counter: &Counter| media.register(name, help, counter.clone());
        add("known", "Files whose public visibility was cached", &self.known);
        add("asked", "Catalog lookups of the public visibility of a file", &self.lookups);
        add(
            "prolonged",
            "Files served from stale visibility entries while the catalog was unavailable",
            &self.prolonged,
        );
    }
}
