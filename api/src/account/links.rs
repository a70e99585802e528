//! Links that are sent by mail.

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
use crate::account::mail::{Mail, Mailer};

/// Where a new password is requested.
const RESTORE_PAGE: &str = "/restore-password/";

/// Whom a link is for.
pub struct Recipient<'a> {
    pub user_id: i64,
    pub username: &'a str,
    pub lang: Lang,
}

impl<'a> Recipient<'a> {
    /// The member of an account.
    pub fn of(account: &'a Account, headers: &HeaderMap) -> Self {
        Self { user_id: account.id, username: &account.username, lang: cookies::lang(headers) }
    }

    fn mail(&self, kind: MailKind, to: &str) -> Mail {
        Mail::new(kind, to, self.username, self.lang)
    }
}

/// Writes mails with a link in them.
#[derive(Clone)]
pub struct LinkMailer {
    pub config: Arc<Config>,
    pub mailer: Mailer,
    pub now: fn() -> i64,
}

impl LinkMailer {
    /// Queues the mail that asks whether `email` is the reader's: of a new account, or the new one of an account.
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

    /// Queues the mail that tells the present address of the wish for another one, and how to stop it.
    pub async fn stop(&self, conn: &mut PgConnection, reader: &Recipient<'_>, email: &str) -> ApiResult<()> {
        let link = self.link(conn, reader, Purpose::Stop, None).await?;
        self.mailer.queue(conn, &reader.mail(MailKind::MailAsked, email).with_link(link)).await
    }

    /// Queues the mail that leads to a new password.
    pub async fn restore(&self, conn: &mut PgConnection, reader: &Recipient<'_>, email: &str) -> ApiResult<()> {
        let link = self.link(conn, reader, Purpose::Restore, None).await?;
        self.mailer.queue(conn, &reader.mail(MailKind::Restore, email).with_link(link)).await
    }

    /// Queues the mail that tells the reader of an address that their account has it already: somebody wanted it for another.
    pub async fn already_member(&self, conn: &mut PgConnection, owner: &Account, lang: Lang) -> ApiResult<()> {
        let mail = Mail::new(MailKind::AlreadyMember, &owner.email, &owner.username, lang);
        self.mailer.queue(conn, &mail.with_link(RESTORE_PAGE)).await
    }

    /// Queues the mail that tells the reader of an address that no account has it.
    pub async fn no_account(&self, conn: &mut PgConnection, email: &str, lang: Lang) -> ApiResult<()> {
        let mail = Mail { username: None, ..Mail::new(MailKind::NoAccount, email, "", lang) };
        self.mailer.queue(conn, &mail).await
    }

    /// Notes the wish for an address that another account has: as any other wish, but its link is sent to nobody.
    pub async fn note_wish(&self, conn: &mut PgConnection, reader: &Recipient<'_>, email: &str) -> ApiResult<()> {
        self.link(conn, reader, Purpose::Mail, Some(email)).await.map(drop)
    }

    /// Makes a link: the path of the page whose button follows it, with its token.
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

/// The mail about a password that is another one or gone; its button leads to where a new one is requested.
pub fn password_mail(kind: MailKind, (to, username): (&str, &str), headers: &HeaderMap) -> Mail {
    Mail::new(kind, to, username, cookies::lang(headers)).with_link(RESTORE_PAGE)
}
