//! Mails, which are queued in the caller's transaction, written in the recipient's language, and delivered by SMTP or to a folder.
//!
//! Requests never wait for a mail server. [`Mailer::queue`] enqueues a job, which the delivery task of any node claims and retries until a
//! server accepts the mail. A crash loses no mail; at worst, a mail is sent twice with the same `Message-ID`.

mod deliver;
mod digest;
mod message;
mod transport;

use std::time::Duration;

use anyhow::Context;
use lantern_catalog::{
    queue::{self, Counts, Queue, Retention, RetryPolicy, Signals},
    tasks::Task,
};
use lantern_config::{Config, Lang, MailKind};
use prometheus_client::{metrics::counter::Counter, registry::Registry};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use deliver::Deliverer;
pub use digest::send_digests;
use lantern_errors::ApiResult;

/// How much longer a lease lasts than the timeouts of a delivery and of the connection test after a refusal.
const LEASE_MARGIN: Duration = Duration::from_secs(30);

/// A mail to send.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// Template of the mail.
    pub kind: MailKind,
    /// E-mail address.
    pub to: String,
    /// Name in the greeting, or `None` for recipients without an account.
    pub username: Option<String>,
    /// Language of the mail.
    pub lang: Lang,
    /// Path and query that the mail's button links to, such as `/restore-password/?token=…`. The mail prefixes `server.public_url`.
    pub link: Option<String>,
    /// Number of a report, or number of new items.
    pub number: Option<i64>,
    /// Query of the unsubscribe link in recurring mails, such as `?token=…`.
    pub stop: Option<String>,
}

impl Mail {
    /// Creates a mail to a member, without a link.
    pub fn new(kind: MailKind, to: impl Into<String>, username: impl Into<String>, lang: Lang) -> Self {
        Self { kind, to: to.into(), username: Some(username.into()), lang, link: None, number: None, stop: None }
    }

    /// Adds a link.
    pub fn with_link(self, link: impl Into<String>) -> Self {
        Self { link: Some(link.into()), ..self }
    }
}

/// Queues mails. A clone is another handle.
#[derive(Clone)]
pub struct Mailer {
    pool: PgPool,
    signals: Signals,
    /// Work that runs after the response.
    later: TaskTracker,
    /// Counts of this node's deliveries.
    pub counts: Counts,
}

impl Mailer {
    /// Creates the mailer and its delivery task, which ends when the mailer is dropped.
    ///
    /// # Errors
    /// Fails if `mail.from` is not an address, `mail.smtp` is not a server, or the mail folder can't be created.
    pub fn new(pool: PgPool, config: &Config) -> anyhow::Result<(Self, Task)> {
        let set = &config.mail;
        let expires = Duration::from_secs(u64::from(set.expire_hours) * 3600);
        let queue = Queue {
            pool: pool.clone(),
            kind: queue::MAIL,
            batch: 1,
            claims: usize::MAX,
            lease: Duration::from_secs(set.timeout) * 2 + LEASE_MARGIN,
            poll: Duration::from_secs(set.poll_seconds),
            retry: RetryPolicy {
                pauses: set.retry_seconds.iter().copied().map(Duration::from_secs).collect(),
                attempts: Some(u32::try_from(set.retry_seconds.len() + 1).unwrap_or(u32::MAX)),
                losses: None,
                max_age: Some((expires, "mail.expire_hours")),
                outage_pause: Some(Duration::from_secs(set.outage_seconds)),
            },
            retention: Retention::Failed,
            counts: Counts::default(),
        };
        let (counts, (signals, received)) = (queue.counts.clone(), queue::signals());
        let worker = (queue, Deliverer::new(config)?);
        let task = Task::new("mail delivery", worker, received, |(queue, deliverer), received| {
            Box::pin(async move { queue.run(deliverer, &CancellationToken::new(), Some(received)).await })
        });
        Ok((Self { pool, signals, later: TaskTracker::new(), counts }, task))
    }

    /// Queues a mail in the caller's transaction, so that it exists if and only if the transaction commits. Call [`Mailer::wake`]
    /// after the commit to send it without delay.
    pub async fn queue(&self, conn: &mut PgConnection, mail: &Mail) -> ApiResult<()> {
        queue::enqueue(conn, queue::MAIL, &serde_json::to_value(mail)?).await?;
        Ok(())
    }

    /// Queues a mail outside a transaction and wakes the delivery task.
    pub async fn send(&self, mail: &Mail) -> ApiResult<()> {
        let mut conn = self.pool.acquire().await?;
        self.queue(&mut conn, mail).await?;
        self.wake();
        Ok(())
    }

    /// Wakes the delivery task now instead of after `mail.poll_seconds`.
    pub fn wake(&self) {
        self.signals.wake();
    }

    /// Queues mails after the response, so that response times don't reveal whether any are sent. Failures are only logged; users can
    /// request the mail again.
    pub fn later(&self, work: impl Future<Output = ApiResult<()>> + Send + 'static) {
        let mailer = self.clone();
        self.later.spawn(async move {
            match work.await {
                Ok(()) => mailer.wake(),
                Err(error) => tracing::error!(%error, "failed to queue a requested mail"),
            }
        });
    }

    /// Waits until the mails passed to [`Mailer::later`] are in the queue.
    pub async fn settle(&self) {
        self.later.close();
        self.later.wait().await;
        self.later.reopen();
    }

    /// Waits until delivery of every due mail has been attempted. Stops early during an outage.
    ///
    /// # Errors
    /// Fails if the delivery task panicked in the meantime.
    pub async fn flush(&self) -> anyhow::Result<()> {
        self.settle().await;
        self.signals.flush().await.context("mail delivery ended before its queue was flushed")
    }

    /// Registers the metrics.
    pub fn register(&self, registry: &mut Registry) {
        let mail = registry.sub_registry_with_prefix("mail");
        let mut add = |name, help, counter: &Counter| mail.register(name, help, counter.clone());
        add("sent", "Mails accepted by a server", &self.counts.done);
        add("delayed", "Attempts after which a mail was postponed", &self.counts.delayed);
        add("given_up", "Mails given up: permanently refused, out of retries, or too old", &self.counts.given_up);
        add("outages", "Attempts that failed because no mail could be sent", &self.counts.outages);
    }
}
