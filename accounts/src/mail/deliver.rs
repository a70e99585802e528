//! Background task that delivers queued mails.

use std::{sync::Arc, time::Duration};

use lantern_catalog::{
    jobs::Job,
    mail_queue::{self, Postponed},
};
use lantern_config::Config;
use sqlx::PgPool;
use tokio::{
    sync::{mpsc, oneshot},
    time::{Instant, MissedTickBehavior, interval_at},
};

use super::{
    Mail, MailFigures,
    message::MailWriter,
    transport::{SendError, Transport},
};

/// How much longer a lease lasts than the timeouts of a delivery and of the connection test after a refusal.
const LEASE_MARGIN: Duration = Duration::from_secs(30);

pub enum Message {
    Wake,
    /// Acknowledged once delivery of every due mail has been attempted.
    Flush(oneshot::Sender<()>),
}

pub struct Deliverer {
    pool: PgPool,
    writer: MailWriter,
    transport: Transport,
    timeout: Duration,
    poll: Duration,
    retry: Vec<Duration>,
    expires: Duration,
    outage_pause: Duration,
    figures: Arc<MailFigures>,
}

enum Delivery {
    /// The mail was accepted, given up, or postponed for its recipient's server. Continue with the next mail.
    Done,
    /// No mail can be sent, so the next one would fail too.
    Outage,
}

impl Deliverer {
    pub fn new(pool: PgPool, config: &Config, figures: Arc<MailFigures>) -> anyhow::Result<Self> {
        Ok(Self {
            pool,
            writer: MailWriter::new(config)?,
            transport: Transport::new(config)?,
            timeout: Duration::from_secs(config.mail.timeout),
            poll: Duration::from_secs(config.mail.poll_seconds),
            retry: config.mail.retry_seconds.iter().copied().map(Duration::from_secs).collect(),
            expires: Duration::from_secs(u64::from(config.mail.expire_hours) * 3600),
            outage_pause: Duration::from_secs(config.mail.outage_seconds),
            figures,
        })
    }

    pub async fn run(&self, messages: &mut mpsc::Receiver<Message>) {
        let mut poll = interval_at(Instant::now() + self.poll, self.poll);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let waiting = tokio::select! {
                message = messages.recv() => match message {
                    None => return,
                    Some(Message::Wake) => None,
                    Some(Message::Flush(done)) => Some(done),
                },
                _ = poll.tick() => None,
            };
            self.deliver_due().await;
            if let Some(done) = waiting {
                // This fails if the caller has stopped waiting.
                let _ = done.send(());
            }
        }
    }

    async fn deliver_due(&self) {
        loop {
            let due = match mail_queue::claim(&self.pool, self.timeout * 2 + LEASE_MARGIN).await {
                Ok(Some(due)) => due,
                Ok(None) => return,
                // Tests close their databases before their tasks end.
                Err(_) if self.pool.is_closed() => return,
                Err(error) => {
                    tracing::warn!(%error, "failed to read the mail queue");
                    return;
                }
            };
            match self.deliver(&due).await {
                Ok(Delivery::Done) => {}
                Ok(Delivery::Outage) => return,
                Err(error) => {
                    // The mail is retried when its lease expires.
                    tracing::warn!(%error, mail = due.id, "failed to record the outcome of a mail");
                    return;
                }
            }
        }
    }

    async fn deliver(&self, due: &Job) -> lantern_catalog::Result<Delivery> {
        let message = serde_json::from_value::<Mail>(due.payload.clone())
            .map_err(anyhow::Error::new)
            .and_then(|mail| self.writer.write(&mail, due.id));
        let message = match message {
            Ok(message) => message,
            Err(error) => return self.give_up(due, &format!("{error:#}")).await,
        };
        let tries = usize::try_from(due.attempts).unwrap_or(usize::MAX);
        // The mail was claimed more often than it may be tried, so the sending process ended each time before recording
        // the outcome.
        if tries > self.retry.len() + 1 {
            return self.give_up(due, "the sending process ended each time").await;
        }
        match self.transport.send(message, self.timeout).await {
            Ok(()) => {
                mail_queue::sent(&self.pool, due.id).await?;
                self.figures.sent.inc();
                Ok(Delivery::Done)
            }
            Err(SendError::Never(why)) => self.give_up(due, &why).await,
            Err(SendError::Later(why)) => {
                let Some(wait) = self.retry.get(tries.saturating_sub(1)) else {
                    return self.give_up(due, &why).await;
                };
                self.figures.delayed.inc();
                tracing::info!(mail = due.id, tries, why, wait = wait.as_secs(), "mail postponed");
                self.postpone(due, &why, *wait, true).await?;
                Ok(Delivery::Done)
            }
            Err(SendError::Outage(why)) => {
                self.figures.outages.inc();
                tracing::warn!(mail = due.id, why, "mail outage: no mail can be sent");
                self.postpone(due, &why, self.outage_pause, false).await?;
                Ok(Delivery::Outage)
            }
        }
    }

    /// Puts a mail back into the queue, or gives it up if it is too old.
    async fn postpone(&self, due: &Job, why: &str, wait: Duration, counts: bool) -> lantern_catalog::Result<()> {
        let postponed = Postponed { id: due.id, why, wait, counts, expires: self.expires };
        if !mail_queue::postpone(&self.pool, postponed).await? {
            self.give_up(due, &format!("it is older than mail.expire_hours; {why}")).await?;
        }
        Ok(())
    }

    async fn give_up(&self, due: &Job, why: &str) -> lantern_catalog::Result<Delivery> {
        tracing::error!(mail = due.id, tries = due.attempts, why, "mail given up");
        mail_queue::give_up(&self.pool, due.id, why).await?;
        self.figures.given_up.inc();
        Ok(Delivery::Done)
    }
}
