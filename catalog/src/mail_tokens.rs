//! Mailed links, each of which is valid once, for a limited time and for a single purpose. Only token hashes are
//! stored.

use sqlx::{PgConnection, PgExecutor, PgPool};
use time::OffsetDateTime;

use crate::{Result, run};

/// Action that a link performs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Purpose {
    /// Confirms the address of a new account.
    Confirm,
    /// Sets a new password.
    Restore,
    /// Changes the account's e-mail address.
    Mail,
    /// Cancels a pending change of the e-mail address.
    Stop,
}

impl Purpose {
    /// Returns the code of the purpose.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Restore => "restore",
            Self::Mail => "mail",
            Self::Stop => "stop",
        }
    }
}

/// A link to be sent.
#[derive(Debug, Clone, Copy)]
pub struct NewMailToken<'a> {
    /// SHA-256 of the token, 32 bytes.
    pub token_hash: &'a [u8],
    /// Id of the member.
    pub user_id: i64,
    /// Action that the link performs.
    pub purpose: Purpose,
    /// The new address, only for [`Purpose::Mail`].
    pub email: Option<&'a str>,
    /// Current time.
    pub now: OffsetDateTime,
    /// When the link expires.
    pub expires_at: OffsetDateTime,
}

/// Creates a link and invalidates the member's earlier links for the same purpose. Links that guests can request stay
/// valid until one of them is used. People open whichever e-mail they find first, and a stranger must not be able to
/// invalidate a link that a member is waiting for. The rate limit on sending bounds the number of such links.
pub async fn create(conn: &mut PgConnection, new: NewMailToken<'_>) -> Result<()> {
    if !matches!(new.purpose, Purpose::Confirm | Purpose::Restore) {
        void(&mut *conn, new.user_id, new.purpose).await?;
    }
    let query = sqlx::query!(
        "insert into mail_tokens (token_hash, user_id, purpose, email, created_at, expires_at) values ($1, $2, $3, $4, $5, $6)",
        new.token_hash,
        new.user_id,
        new.purpose.as_str(),
        new.email,
        new.now,
        new.expires_at
    );
    run(query, conn).await
}

/// Invalidates a member's unused links for a purpose.
pub async fn void(conn: &mut PgConnection, user_id: i64, purpose: Purpose) -> Result<()> {
    let query = sqlx::query!(
        "delete from mail_tokens where user_id = $1 and purpose = $2 and used_at is null",
        user_id,
        purpose.as_str()
    );
    run(query, conn).await
}

/// Invalidates all unused links of a member.
pub async fn void_all(conn: &mut PgConnection, user_id: i64) -> Result<()> {
    run(sqlx::query!("delete from mail_tokens where user_id = $1 and used_at is null", user_id), conn).await
}

/// A link that hasn't expired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailToken {
    /// Id of the member.
    pub user_id: i64,
    /// Action that the link performs.
    pub purpose: Purpose,
    /// The new address for [`Purpose::Mail`].
    pub email: Option<String>,
    /// Whether the link was used before and is therefore invalid.
    pub is_used: bool,
}

/// Finds a link for one of these purposes without using it. Returns `None` if it is unknown or expired.
pub async fn find(
    db: impl PgExecutor<'_>,
    token_hash: &[u8],
    purposes: &[Purpose],
    now: OffsetDateTime,
) -> Result<Option<MailToken>> {
    let query = sqlx::query_as!(
        MailToken,
        r#"select user_id, purpose as "purpose: Purpose", email, (used_at is not null) as "is_used!" from mail_tokens
           where token_hash = $1 and purpose = any ($2) and expires_at > $3"#,
        token_hash,
        &names(purposes),
        now
    );
    Ok(query.fetch_optional(db).await?)
}

/// Uses a link for one of these purposes, together with the member's other links for that purpose. If the link was used
/// before, it is returned with `is_used` set. Only one of several concurrent calls succeeds. The account is locked
/// first, so that concurrent uses of its links and changes of its password are serialized.
pub async fn take(
    conn: &mut PgConnection,
    token_hash: &[u8],
    purposes: &[Purpose],
    now: OffsetDateTime,
) -> Result<Option<MailToken>> {
    sqlx::query!(
        "select id from users where id = (select user_id from mail_tokens where token_hash = $1) for no key update",
        token_hash
    )
    .fetch_optional(&mut *conn)
    .await?;
    let found = find(&mut *conn, token_hash, purposes, now).await?;
    if let Some(link) = found.as_ref().filter(|link| !link.is_used) {
        let query = sqlx::query!(
            "update mail_tokens set used_at = $3 where user_id = $1 and purpose = $2 and used_at is null",
            link.user_id,
            link.purpose.as_str(),
            now
        );
        run(query, conn).await?;
    }
    Ok(found)
}

fn names(purposes: &[Purpose]) -> Vec<String> {
    purposes.iter().map(|purpose| purpose.as_str().to_owned()).collect()
}

/// Returns when a link for this purpose was last sent to the member.
pub async fn last_sent(pool: &PgPool, user_id: i64, purpose: Purpose) -> Result<Option<OffsetDateTime>> {
    let query = sqlx::query_scalar!(
        "select max(created_at) from mail_tokens where user_id = $1 and purpose = $2",
        user_id,
        purpose.as_str()
    );
    Ok(query.fetch_one(pool).await?)
}

/// Returns the address that a member has requested but not yet confirmed.
pub async fn new_email(pool: &PgPool, user_id: i64, now: OffsetDateTime) -> Result<Option<String>> {
    let query = sqlx::query_scalar!(
        r#"select email as "email!" from mail_tokens
           where user_id = $1 and purpose = 'mail' and used_at is null and expires_at > $2"#,
        user_id,
        now
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Removes expired links.
pub async fn sweep(pool: &PgPool, now: OffsetDateTime) -> Result<u64> {
    Ok(sqlx::query!("delete from mail_tokens where expires_at <= $1", now).execute(pool).await?.rows_affected())
}
