//! Links sent by mail: each works once, for a time, for one purpose. Only their hashes are stored.

use sqlx::{PgConnection, PgExecutor, PgPool};
use time::OffsetDateTime;

use crate::{Result, run};

/// What following the link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(type_name = "text", rename_all = "snake_case")]
pub enum Purpose {
    /// Confirms the address of a new account.
    Confirm,
    /// Lets a new password be chosen.
    Restore,
    /// Makes another address the account's.
    Mail,
    /// Ends the request for another address.
    Stop,
}

impl Purpose {
    /// Its word.
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

/// Makes a link; those of the same purpose that the member was sent before work no more. Links that a guest can ask for do until one
/// of them is used: people open whichever mail they find first, and a stranger must not end the link that its member waits for. How
/// many there are is bounded by how many are sent in the time they work.
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

/// Takes a member's unused links of a purpose back.
pub async fn void(conn: &mut PgConnection, user_id: i64, purpose: Purpose) -> Result<()> {
    let query = sqlx::query!(
        "delete from mail_tokens where user_id = $1 and purpose = $2 and used_at is null",
        user_id,
        purpose.as_str()
    );
    run(query, conn).await
}

/// Takes all unused links of a member back: links that were requested before work no more.
pub async fn void_all(conn: &mut PgConnection, user_id: i64) -> Result<()> {
    run(sqlx::query!("delete from mail_tokens where user_id = $1 and used_at is null", user_id), conn).await
}

/// A link whose time isn't over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailToken {
    /// The member.
    pub user_id: i64,
    /// What following it does.
    pub purpose: Purpose,
    /// The new address of [`Purpose::Mail`].
    pub email: Option<String>,
    /// Whether it was followed before, so that it does nothing any more.
    pub is_used: bool,
}

/// The link of one of these purposes, without using it; `None` when it works no more or never did.
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

/// Uses a link of one of these purposes, and with it the member's others of its purpose; one that was used before comes back
/// as such. Of several at once one succeeds. The account is locked first, so that links of one account and changes of its
/// password come one after the other.
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

/// When the member was last sent a link of this purpose.
pub async fn last_sent(pool: &PgPool, user_id: i64, purpose: Purpose) -> Result<Option<OffsetDateTime>> {
    let query = sqlx::query_scalar!(
        "select max(created_at) from mail_tokens where user_id = $1 and purpose = $2",
        user_id,
        purpose.as_str()
    );
    Ok(query.fetch_one(pool).await?)
}

/// The address a member has requested and not confirmed yet.
pub async fn new_email(pool: &PgPool, user_id: i64, now: OffsetDateTime) -> Result<Option<String>> {
    let query = sqlx::query_scalar!(
        r#"select email as "email!" from mail_tokens
           where user_id = $1 and purpose = 'mail' and used_at is null and expires_at > $2"#,
        user_id,
        now
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Removes the links whose time is over.
pub async fn sweep(pool: &PgPool, now: OffsetDateTime) -> Result<u64> {
    Ok(sqlx::query!("delete from mail_tokens where expires_at <= $1", now).execute(pool).await?.rows_affected())
}
