//! What became of mails.

use prometheus_client::{metrics::counter::Counter, registry::Registry};

/// Counts since the start.
#[derive(Default)]
pub struct MailFigures {
    /// Mails that a server took.
    pub sent: Counter,
    /// Tries that were put off because the reader's server wants another one.
    pub delayed: Counter,
    /// Mails that ended unsent.
    pub given_up: Counter,
    /// Tries that found no server to take any mail.
    pub outages: Counter,
}

impl MailFigures {
    pub(crate) fn register(&self, registry: &mut Registry) {
        let mail = registry.sub_registry_with_prefix("mail");
        let mut add = |name, help, counter: &Counter| mail.register(name, help, counter.clone());
        add("sent", "Mails that a server took", &self.sent);
        add("delayed", "Tries after which one mail waits for the next", &self.delayed);
        add("given_up", "Mails that were refused for good, tried often enough, or became too old", &self.given_up);
        add("outages", "Tries while no mail could be sent", &self.outages);
    }
}
