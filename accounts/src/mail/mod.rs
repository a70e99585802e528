//! Mails, which are queued in the caller's transaction, written in the recipient's language, and delivered by SMTP or to a folder.
//!
//! Requests never wait for a mail server. [`Mailer::queue`] inserts one row, which the delivery task of any node claims and retries until
//! it is accepted. A crash loses no mail; at worst, a mail is sent twice with the same `Message-ID`.

mod deliver;
mod digest;
mod figures;
mod message;
mod transport;

use std::sync::Arc;

use anyhow::Context;
use lantern_catalog::{mail_queue, tasks::Task};
use lantern_config::{Config, Lang, MailKind};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use tokio::sync::{mpsc, oneshot};
use tokio_util::task::TaskTracker;

use deliver::{Deliverer, Message};
pub use digest::send_digests;
pub use figures::MailFigures;
use lantern_errors::ApiResult;

/// Capacity of the wake-up channel. One pending wake-up has the same effect as many.
const WAKE_UPS: usize = 16;

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
    wake: mpsc::Sender<Message>,
    /// Work that runs after the response.
    later: TaskTracker,
    /// Delivery metrics of this node.
    pub figures: Arc<MailFigures>,
}

impl Mailer {
    /// Creates the mailer and its delivery task, which ends when the mailer is dropped.
    ///
    /// # Errors
    /// Fails if `mail.from` is not an address, `mail.smtp` is not a server, or the mail folder can't be created.
    pub fn new(pool: PgPool, config: &Config) -> anyhow::Result<(Self, Task)> {
        let figures = Arc::<MailFigures>::default();
        let deliverer = Deliverer::new(pool.clone(), config, Arc::clone(&figures))?;
        let (wake, messages) = mpsc::channel(WAKE_UPS);
        let task =
            Task::new("mail delivery", deliverer, messages, |deliverer, messages| Box::pin(deliverer.run(messages)));
        Ok((Self { pool, wake, later: TaskTracker::new(), figures }, task))
    }

    /// Queues a mail in the caller's transaction, so that it exists if and only if the transaction commits. Call [`Mailer::wake`]
    /// after the commit to send it without delay.
    pub async fn queue(&self, conn: &mut PgConnection, mail: &Mail) -> ApiResult<()> {
        mail_queue::queue(conn, &serde_json::to_value(mail)?).await?;
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
        // A full channel already holds a wake-up.
        let _ = self.wake.try_send(Message::Wake);
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
        let (done, tried) = oneshot::channel();
        self.wake.send(Message::Flush(done)).await.context("mail delivery ended before its queue was flushed")?;
        tried.await.context("mail delivery ended before its queue was flushed")
    }
}
