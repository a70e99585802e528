//! What the checks did.

use prometheus_client::{metrics::counter::Counter, registry::Registry};

#[derive(Default)]
pub struct Figures {
    /// Files of which was known whether everybody may see them.
    pub known: Counter,
    pub questions: Counter,
    /// Files served while the catalog was away.
    pub prolonged: Counter,
}

impl Figures {
    pub fn register(&self, registry: &mut Registry) {
        let media = registry.sub_registry_with_prefix("media");
        let mut add = |name, help, counter: &Counter| media.register(name, help, counter.clone());
        add("known", "Files of which was known whether everybody may see them", &self.known);
        add("asked", "Questions to the catalog whether everybody may see a file", &self.questions);
        add("prolonged", "Files served because they were allowed last, while the catalog was away", &self.prolonged);
    }
}
