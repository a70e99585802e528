//! Links that are sent by mail.

use axum::http::HeaderMap;
use lantern_catalog::{
    accounts::Account,
    mail_tokens::{self, NewMailToken, Purpose},
};
use lantern_config::Lang;
use sqlx::PgConnection;
use time::Duration;

use super::{session, token::Token};
use crate::{cookies, error::ApiResult, mail::Mail, state::Shared};

/// Language of the mails to whoever asks.
#[must_use]
pub fn lang(headers: &HeaderMap) -> Lang {
    cookies::get(headers, cookies::LANG).and_then(|lang| lang.parse().ok()).unwrap_or(Lang::En)
}

/// Whom a link is for.
pub struct Reader<'a> {
    /// The member.
    pub user_id: i64,
    /// Name in the greeting.
    pub username: &'a str,
    /// Language.
    pub lang: Lang,
}

impl<'a> Reader<'a> {
    /// The member of an account.
    #[must_use]
    pub fn of(account: &'a Account, headers: &HeaderMap) -> Self {
        Self { user_id: account.id, username: &account.username, lang: lang(headers) }
    }
}

/// Queues the mail that asks whether `email` is the reader's: of a new account, or the new one of an account.
///
/// # Errors
/// 503 while the catalog is away.
pub async fn confirm(
    state: &Shared,
    conn: &mut PgConnection,
    reader: &Reader<'_>,
    email: &str,
    purpose: Purpose,
) -> ApiResult<()> {
    let seconds = state.config.accounts.confirm_seconds;
    let new_email = (purpose == Purpose::Mail).then_some(email);
    let token = link(state, conn, reader, purpose, new_email, seconds).await?;
    let mail = Mail::Confirm {
        to: email.to_owned(),
        username: reader.username.to_owned(),
        lang: reader.lang,
        link: format!("/api/confirm.php?token={}", token.as_str()),
    };
    state.mailer.queue(conn, &mail).await
}

/// Queues the mail that leads to a new password.
///
/// # Errors
/// 503 while the catalog is away.
pub async fn restore(state: &Shared, conn: &mut PgConnection, reader: &Reader<'_>, email: &str) -> ApiResult<()> {
    let seconds = state.config.accounts.restore_seconds;
    let token = link(state, conn, reader, Purpose::Restore, None, seconds).await?;
    let mail = Mail::Restore {
        to: email.to_owned(),
        username: reader.username.to_owned(),
        lang: reader.lang,
        link: format!("/restore-password/?token={}", token.as_str()),
    };
    state.mailer.queue(conn, &mail).await
}

async fn link(
    state: &Shared,
    conn: &mut PgConnection,
    reader: &Reader<'_>,
    purpose: Purpose,
    email: Option<&str>,
    seconds: u32,
) -> ApiResult<Token> {
    let (token, now) = (Token::random()?, session::now(state)?);
    let new = NewMailToken {
        token_hash: &token.hash(),
        user_id: reader.user_id,
        purpose,
        email,
        now,
        expires_at: now + Duration::seconds(seconds.into()),
    };
    mail_tokens::create(conn, new).await?;
    Ok(token)
}
