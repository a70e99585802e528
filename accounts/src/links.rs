//! Links sent by mail.

use std::sync::Arc;

use axum::http::HeaderMap;
use lantern_catalog::{
    accounts::Account,
    mail_tokens::{self, NewMailToken, Purpose},
};
use lantern_config::{Config, Lang, MailKind};
use lantern_errors::ApiResult;
use lantern_http::cookies;
use sqlx::PgConnection;
use time::Duration;

use super::{session, token::Token};
use crate::mail::{Mail, Mailer};

/// Page for requesting a new password.
const RESTORE_PAGE: &str = "/restore-password/";

/// Recipient of a link.
pub struct Recipient<'a> {
    /// Id of the member.
    pub user_id: i64,
    /// Name of the member.
    pub username: &'a str,
    /// Language of the mail.
    pub lang: Lang,
}

impl<'a> Recipient<'a> {
    /// Returns the owner of an account.
    pub fn of(account: &'a Account, headers: &HeaderMap) -> Self {
        Self { user_id: account.id, username: &account.username, lang: cookies::lang(headers) }
    }

    fn mail(&self, kind: MailKind, to: &str) -> Mail {
        Mail::new(kind, to, self.username, self.lang)
    }
}

/// Creates links and queues the mails that contain them.
#[derive(Clone)]
pub struct LinkMailer {
    /// Settings.
    pub config: Arc<Config>,
    /// Queue of mails.
    pub mailer: Mailer,
    /// Returns the time in Unix seconds.
    pub now: fn() -> i64,
}

impl LinkMailer {
    /// Queues the mail with the link that confirms `email`, the address of a new account or the new address of an existing one.
    pub async fn confirm(
        &self,
        conn: &mut PgConnection,
        reader: &Recipient<'_>,
        email: &str,
        purpose: Purpose,
    ) -> ApiResult<()> {
        let new_email = (purpose == Purpose::Mail).then_some(email);
        let link = self.link(conn, reader, purpose, new_email).await?;
        let kind = if purpose == Purpose::Mail { MailKind::ConfirmNew } else { MailKind::Confirm };
        self.mailer.queue(conn, &reader.mail(kind, email).with_link(link)).await
    }

    /// Queues the mail that notifies the current address of a requested change, with a link to cancel the change.
    pub async fn stop(&self, conn: &mut PgConnection, reader: &Recipient<'_>, email: &str) -> ApiResult<()> {
        let link = self.link(conn, reader, Purpose::Stop, None).await?;
        self.mailer.queue(conn, &reader.mail(MailKind::MailAsked, email).with_link(link)).await
    }

    /// Queues the mail for setting a new password.
    pub async fn restore(&self, conn: &mut PgConnection, reader: &Recipient<'_>, email: &str) -> ApiResult<()> {
        let link = self.link(conn, reader, Purpose::Restore, None).await?;
        self.mailer.queue(conn, &reader.mail(MailKind::Restore, email).with_link(link)).await
    }

    /// Queues the mail that tells the owner of an address that it already has an account, after an attempt to use the address for another
    /// account.
    pub async fn already_member(&self, conn: &mut PgConnection, owner: &Account, lang: Lang) -> ApiResult<()> {
        let mail = Mail::new(MailKind::AlreadyMember, &owner.email, &owner.username, lang);
        self.mailer.queue(conn, &mail.with_link(RESTORE_PAGE)).await
    }

    /// Queues the mail that tells the recipient that no account has this address.
    pub async fn no_account(&self, conn: &mut PgConnection, email: &str, lang: Lang) -> ApiResult<()> {
        let mail = Mail { username: None, ..Mail::new(MailKind::NoAccount, email, "", lang) };
        self.mailer.queue(conn, &mail).await
    }

    /// Records a requested change to an address that already belongs to another account. The request looks like any other, but its link
    /// is never sent.
    pub async fn record_unsent(&self, conn: &mut PgConnection, reader: &Recipient<'_>, email: &str) -> ApiResult<()> {
        self.link(conn, reader, Purpose::Mail, Some(email)).await.map(drop)
    }

    /// Creates a link and returns the path of its page, with the token.
    async fn link(
        &self,
        conn: &mut PgConnection,
        reader: &Recipient<'_>,
        purpose: Purpose,
        email: Option<&str>,
    ) -> ApiResult<String> {
        let accounts = &self.config.accounts;
        let (page, seconds) = match purpose {
            Purpose::Restore => ("restore-password", accounts.restore_seconds),
            Purpose::Confirm | Purpose::Mail | Purpose::Stop => ("confirm", accounts.confirm_seconds),
        };
        let (token, now) = (Token::random()?, session::now((self.now)())?);
        let new = NewMailToken {
            token_hash: &token.hash(),
            user_id: reader.user_id,
            purpose,
            email,
            now,
            expires_at: now + Duration::seconds(seconds.into()),
        };
        mail_tokens::create(conn, new).await?;
        Ok(format!("/{page}/?token={}", token.as_str()))
    }
}

/// Returns the mail about a changed or removed password. Its button opens the page for requesting a new one.
pub fn password_mail(kind: MailKind, (to, username): (&str, &str), headers: &HeaderMap) -> Mail {
    Mail::new(kind, to, username, cookies::lang(headers)).with_link(RESTORE_PAGE)
}
