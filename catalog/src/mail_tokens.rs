//! Links sent by mail: each works once, for a time, for one purpose. Only their hashes are stored.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::Result;

/// What following the link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Confirms the address of a new account.
    Confirm,
    /// Lets a new password be chosen.
    Restore,
    /// Makes another address the account's.
    Mail,
}

impl Purpose {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Restore => "restore",
            Self::Mail => "mail",
        }
    }
}

/// A link to be sent.
#[derive(Debug, Clone, Copy)]
pub struct NewMailToken<'a> {
    /// SHA-256 of the token, 32 bytes.
    pub token_hash: &'a [u8],
    /// The member.
    pub user_id: i64,
    /// What following it does.
    pub purpose: Purpose,
    /// The new address; only for [`Purpose::Mail`].
    pub email: Option<&'a str>,
    /// The present.
    pub now: OffsetDateTime,
    /// Until when it works.
    pub expires_at: OffsetDateTime,
}

/// Makes a link; those of the same purpose that the member was sent before work no more.
///
/// # Errors
/// When a query fails.
pub async fn create(conn: &mut PgConnection, new: NewMailToken<'_>) -> Result<()> {
    void(&mut *conn, new.user_id, new.purpose).await?;
    sqlx::query!(
        "insert into mail_tokens (token_hash, user_id, purpose, email, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)",
        new.token_hash,
        new.user_id,
        new.purpose.as_str(),
        new.email,
        new.now,
        new.expires_at
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// Takes a member's unused links of a purpose back.
///
/// # Errors
/// When the query fails.
pub async fn void(conn: &mut PgConnection, user_id: i64, purpose: Purpose) -> Result<()> {
    sqlx::query!(
        "delete from mail_tokens where user_id = $1 and purpose = $2 and used_at is null",
        user_id,
        purpose.as_str()
    )
    .execute(conn)
    .await?;
    Ok(())
}

/// What a link that works stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailToken {
    /// The member.
    pub user_id: i64,
    /// `confirm`, `restore` or `mail`.
    pub purpose: String,
    /// The new address of `mail`.
    pub email: Option<String>,
}

/// Whose link of this purpose this is, without using it; `None` when it doesn't work.
///
/// # Errors
/// When the query fails.
pub async fn find(pool: &PgPool, token_hash: &[u8], purpose: Purpose, now: OffsetDateTime) -> Result<Option<i64>> {
    Ok(sqlx::query_scalar!(
        "select user_id from mail_tokens where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3",
        token_hash,
        purpose.as_str(),
        now
    )
    .fetch_optional(pool)
    .await?)
}

/// Uses a link of one of these purposes; `None` when it doesn't work (any more). Of several at once one succeeds.
///
/// # Errors
/// When the query fails.
pub async fn take(
    conn: &mut PgConnection,
    token_hash: &[u8],
    purposes: &[Purpose],
    now: OffsetDateTime,
) -> Result<Option<MailToken>> {
    let purposes: Vec<String> = purposes.iter().map(|purpose| purpose.as_str().to_owned()).collect();
    Ok(sqlx::query_as!(
        MailToken,
        "update mail_tokens set used_at = $3
         where token_hash = $1 and purpose = any ($2) and used_at is null and expires_at > $3
         returning user_id, purpose, email",
        token_hash,
        &purposes,
        now
    )
    .fetch_optional(conn)
    .await?)
}

/// When the member was last sent a link of this purpose.
///
/// # Errors
/// When the query fails.
pub async fn last_sent(pool: &PgPool, user_id: i64, purpose: Purpose) -> Result<Option<OffsetDateTime>> {
    Ok(sqlx::query_scalar!(
        "select max(created_at) from mail_tokens where user_id = $1 and purpose = $2",
        user_id,
        purpose.as_str()
    )
    .fetch_one(pool)
    .await?)
}

/// The address a member has asked for and not confirmed yet.
///
/// # Errors
/// When the query fails.
pub async fn new_email(pool: &PgPool, user_id: i64, now: OffsetDateTime) -> Result<Option<String>> {
    Ok(sqlx::query_scalar!(
        r#"select email as "email!" from mail_tokens
           where user_id = $1 and purpose = 'mail' and used_at is null and expires_at > $2"#,
        user_id,
        now
    )
    .fetch_optional(pool)
    .await?)
}

/// Removes the links whose time is over.
///
/// # Errors
/// When the query fails.
pub async fn sweep(pool: &PgPool, now: OffsetDateTime) -> Result<u64> {
    Ok(sqlx::query!("delete from mail_tokens where expires_at <= $1", now).execute(pool).await?.rows_affected())
}
