//! Delivery of queued mails.

use lantern_catalog::queue::{Job, Outcome, Queue, Work};
use lantern_config::Config;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

use super::{
    Mail,
    message::MailWriter,
    transport::{SendError, Transport},
};

pub struct Deliverer {
    writer: MailWriter,
    transport: Transport,
    timeout: Duration,
}

impl Deliverer {
    pub fn new(config: &Config) -> anyhow::Result<Self> {
        Ok(Self {
            writer: MailWriter::new(config)?,
            transport: Transport::new(config)?,
            timeout: Duration::from_secs(config.mail.timeout),
        })
    }
}

impl Work for Deliverer {
    async fn attempt(&self, _: &Queue, jobs: &[Job], _: &CancellationToken) -> lantern_catalog::Result<Outcome> {
        // The queue claims mails one by one.
        let [job] = jobs else { return Ok(Outcome::Interrupted) };
        let message = match job.parse::<Mail>().map(|mail| self.writer.write(&mail, job.id)) {
            Ok(Ok(message)) => message,
            Ok(Err(error)) => return Ok(Outcome::refused(format!("{error:#}"))),
            Err(refused) => return Ok(refused),
        };
        Ok(match self.transport.send(message, self.timeout).await {
            Ok(()) => Outcome::Done,
            Err(SendError::Never(why)) => Outcome::refused(why),
            Err(SendError::Later(why)) => Outcome::Postponed(why),
            Err(SendError::Outage(why)) => Outcome::Outage(why),
        })
    }
}
