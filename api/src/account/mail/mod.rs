//! Mails: queued in the caller's transaction, written in the reader's language, handed to SMTP or to a folder.
//!
//! A request never waits for a mail server: [`Mailer::queue`] is one row, which the delivering task of any node picks up
//! and tries until it is accepted. A crash loses none; at worst one is sent twice, under the same `Message-ID`.

mod deliver;
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
pub use figures::MailFigures;
use lantern_errors::ApiResult;

/// Wake-ups that may wait; one is as good as many.
const WAKE_UPS: usize = 16;

/// A mail to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// What it is about.
    pub kind: MailKind,
    /// E-mail address.
    pub to: String,
    /// Whom it greets; `None` for somebody without an account.
    pub username: Option<String>,
    /// Language of the mail.
    pub lang: Lang,
    /// The path from the root of the site where its button leads, with the query, such as `/restore-password/?token=…`; the mail
    /// gets it with `server.public_url` before it.
    pub link: Option<String>,
    /// The number of a report, or of what is new.
    pub number: Option<i64>,
    /// Of a mail that comes again: the query of what stops it, such as `?token=…`.
    pub stop: Option<String>,
}

impl Mail {
    /// A mail to a member, without a link.
    pub fn new(kind: MailKind, to: impl Into<String>, username: impl Into<String>, lang: Lang) -> Self {
        Self { kind, to: to.into(), username: Some(username.into()), lang, link: None, number: None, stop: None }
    }

    /// The same with a link.
    pub fn with_link(self, link: impl Into<String>) -> Self {
        Self { link: Some(link.into()), ..self }
    }
}

/// The way out for mails; a clone is another handle.
#[derive(Clone)]
pub struct Mailer {
    pool: PgPool,
    wake: mpsc::Sender<Message>,
    /// What is done after an answer.
    later: TaskTracker,
    /// What became of the mails that this node tried.
    pub figures: Arc<MailFigures>,
}

impl Mailer {
    /// The mailer and its delivering task, which ends when the mailer is dropped.
    ///
    /// # Errors
    /// When `mail.from` is no address, `mail.smtp` no server, or the folder for mails can't be made.
    pub fn new(pool: PgPool, config: &Config) -> anyhow::Result<(Self, Task)> {
        let figures = Arc::<MailFigures>::default();
        let deliverer = Deliverer::new(pool.clone(), config, Arc::clone(&figures))?;
        let (wake, messages) = mpsc::channel(WAKE_UPS);
        let task =
            Task::new("mail delivery", deliverer, messages, |deliverer, messages| Box::pin(deliverer.run(messages)));
        Ok((Self { pool, wake, later: TaskTracker::new(), figures }, task))
    }

    /// Queues a mail in the caller's transaction: it exists exactly when what it tells of does. [`Mailer::wake`] after the
    /// commit sends it without delay.
    pub async fn queue(&self, conn: &mut PgConnection, mail: &Mail) -> ApiResult<()> {
        mail_queue::queue(conn, &serde_json::to_value(mail)?).await?;
        Ok(())
    }

    /// Queues a mail that belongs to no transaction, and has it sent at once.
    pub async fn send(&self, mail: &Mail) -> ApiResult<()> {
        let mut conn = self.pool.acquire().await?;
        self.queue(&mut conn, mail).await?;
        self.wake();
        Ok(())
    }

    /// Has the queue looked at now instead of after `mail.poll_seconds`.
    pub fn wake(&self) {
        // A full channel holds wake-ups enough.
        let _ = self.wake.try_send(Message::Wake);
    }

    /// Writes mails after the answer, so that how long it takes doesn't tell whether there are any. What fails is in the log; whoever
    /// waits for the mail asks again.
    pub fn later(&self, work: impl Future<Output = ApiResult<()>> + Send + 'static) {
        let mailer = self.clone();
        self.later.spawn(async move {
            match work.await {
                Ok(()) => mailer.wake(),
                Err(error) => tracing::error!(%error, "a mail that was asked for could not be queued"),
            }
        });
    }

    /// Waits until the mails passed to [`Mailer::later`] are in the queue.
    pub async fn settle(&self) {
        self.later.close();
        self.later.wait().await;
        self.later.reopen();
    }

    /// Waits until every mail whose turn it is was tried; ends when no mail is taken.
    ///
    /// # Errors
    /// The delivering task panicked meanwhile.
    pub async fn flush(&self) -> anyhow::Result<()> {
        self.settle().await;
        let (done, tried) = oneshot::channel();
        self.wake.send(Message::Flush(done)).await.context("the mailer ended before its queue")?;
        tried.await.context("the mailer ended before its queue")
    }
}
