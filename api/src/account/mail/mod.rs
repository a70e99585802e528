//! Mails: queued in the caller's transaction, written in the reader's language, handed to SMTP or to a folder.
//!
//! A request never waits for a mail server: [`Mailer::queue`] is one row, which the delivering task of any node picks up
//! and tries until it is accepted. A crash loses none; at worst one is sent twice, under the same `Message-ID`.

mod deliver;
mod message;
mod transport;

use futures_util::future::BoxFuture;
use lantern_catalog::mail_queue;
use lantern_config::{Config, Lang};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use tokio::sync::{mpsc, oneshot};

use crate::http::error::ApiResult;
use deliver::{Deliverer, Message};

/// Wake-ups that may wait; one is as good as many.
const WAKE_UPS: usize = 16;

/// A mail to be written. Links are paths from the root of the site with their query, such as
/// `/restore-password/?token=…`; the mail gets them with `server.public_url` before them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Mail {
    /// Asks whether the address is the reader's.
    Confirm {
        /// E-mail address.
        to: String,
        /// Whom it greets.
        username: String,
        /// Language of the mail.
        lang: Lang,
        /// Where the answer is given.
        link: String,
    },
    /// Leads to a new password.
    Restore {
        /// E-mail address.
        to: String,
        /// Whom it greets.
        username: String,
        /// Language of the mail.
        lang: Lang,
        /// Where the password is chosen.
        link: String,
    },
    /// Tells the present address that another one was requested.
    MailAsked {
        /// The present e-mail address.
        to: String,
        /// Whom it greets.
        username: String,
        /// Language of the mail.
        lang: Lang,
        /// Where the request is stopped.
        link: String,
    },
    /// Tells the former address that the account has another one now.
    MailChanged {
        /// The former e-mail address.
        to: String,
        /// Whom it greets.
        username: String,
        /// Language of the mail.
        lang: Lang,
    },
    /// Tells that the password is another one now.
    PasswordChanged {
        /// E-mail address.
        to: String,
        /// Whom it greets.
        username: String,
        /// Language of the mail.
        lang: Lang,
    },
    /// Tells whoever signed in through a provider that the account had the password of somebody else, and lost it.
    PasswordDropped {
        /// E-mail address.
        to: String,
        /// Whom it greets.
        username: String,
        /// Language of the mail.
        lang: Lang,
    },
    /// Tells somebody who wrote to us that it arrived. Nothing of what was written is repeated: the address may be anybody's.
    ReportReceived {
        /// E-mail address.
        to: String,
        /// Language of the mail.
        lang: Lang,
        /// Number of the report.
        number: i64,
    },
}

/// The way out for mails.
pub struct Mailer {
    pool: PgPool,
    wake: mpsc::Sender<Message>,
}

impl Mailer {
    /// The mailer and its delivering task, which ends when the mailer is dropped.
    ///
    /// # Errors
    /// When `mail.from` is no address, `mail.smtp` no server, or the folder for mails can't be made.
    pub fn new(pool: PgPool, config: &Config) -> anyhow::Result<(Self, BoxFuture<'static, ()>)> {
        let deliverer = Deliverer::new(pool.clone(), config)?;
        let (wake, messages) = mpsc::channel(WAKE_UPS);
        Ok((Self { pool, wake }, Box::pin(deliverer.run(messages))))
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

    /// Waits until every mail whose turn it is was tried; ends at the first failure of the server.
    pub async fn flush(&self) {
        let (done, tried) = oneshot::channel();
        // The task only ends with this value, so both arrive.
        if self.wake.send(Message::Flush(done)).await.is_ok() && tried.await.is_err() {
            tracing::error!("the mailer ended before its queue");
        }
    }
}
