//! Metrics of mail delivery.

use prometheus_client::{metrics::counter::Counter, registry::Registry};

/// Counts since the start.
#[derive(Default)]
pub struct MailFigures {
    /// Mails accepted by a server.
    pub sent: Counter,
    /// Attempts postponed because the recipient's server asked to retry.
    pub delayed: Counter,
    /// Mails given up.
    pub given_up: Counter,
    /// Attempts that failed because no mail could be sent.
    pub outages: Counter,
}

impl MailFigures {
    /// Registers the metrics.
    pub fn register(&self, registry: &mut Registry) {
        let mail = registry.sub_registry_with_prefix("mail");
        let mut add = |name, help, counter: &Counter| mail.register(name, help, counter.clone());
        add("sent", "Mails accepted by a server", &self.sent);
        add("delayed", "Attempts after which a mail was postponed", &self.delayed);
        add("given_up", "Mails given up: permanently refused, out of retries, or too old", &self.given_up);
        add("outages", "Attempts that failed because no mail could be sent", &self.outages);
    }
}
