//! Accounts of members who sign in through an OpenID provider.

use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::{Result, mail_tokens, names::NameKey, sessions, status::MemberStatus};

/// Account data needed for signing in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenIdAccount {
    /// Id of the member.
    pub id: i64,
    /// Username of the member.
    pub username: String,
    /// Whether the member is banned or manages uploads.
    pub status_id: MemberStatus,
}

/// Finds the account linked to this subject (the provider's id for the person).
pub async fn by_subject(conn: &mut PgConnection, subject: &str) -> Result<Option<OpenIdAccount>> {
    let query = sqlx::query_as!(
        OpenIdAccount,
        r#"select id, username, status_id as "status_id: MemberStatus" from users where oidc_subject = $1"#,
        subject
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Outcome of linking an account by e-mail address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkOutcome {
    /// The account is now linked to this subject.
    Now {
        /// The account.
        account: OpenIdAccount,
        /// Whether the account's password was removed because the address was never confirmed.
        lost_password: bool,
    },
    /// The account is already linked to another subject.
    Occupied,
    /// No account has this address.
    None,
}

/// Links the account that has this address, which the provider has verified, to the subject. An account whose address
/// is unconfirmed may have been created by someone else in anticipation of this, so its password and sessions are
/// removed.
pub async fn link(conn: &mut PgConnection, email: &str, subject: &str, now: OffsetDateTime) -> Result<LinkOutcome> {
    let address = NameKey::of(email);
    let query = sqlx::query!(
        r#"select id, username, status_id as "status_id: MemberStatus", oidc_subject,
                  (email_confirmed_at is null) as "unconfirmed!", (password_hash is not null) as "has_password!"
           from users where name_key(email) = $1 for update"#,
        address.as_str()
    );
    let found = query.fetch_optional(&mut *conn).await?;
    let Some(found) = found else { return Ok(LinkOutcome::None) };
    if found.oidc_subject.is_some_and(|other| other != subject) {
        return Ok(LinkOutcome::Occupied);
    }
    let query = sqlx::query!(
        "update users set oidc_subject = $2, email_confirmed_at = coalesce(email_confirmed_at, $3),
                password_hash = case when email_confirmed_at is null then null else password_hash end
         where id = $1",
        found.id,
        subject,
        now
    );
    query.execute(&mut *conn).await?;
    if found.unconfirmed {
        sessions::end_others(&mut *conn, found.id, 0).await?;
        mail_tokens::void_all(conn, found.id).await?;
    }
    let account = OpenIdAccount { id: found.id, username: found.username, status_id: found.status_id };
    Ok(LinkOutcome::Now { account, lost_password: found.unconfirmed && found.has_password })
}

/// Creates a confirmed account without a password. Returns `None` if the username, address or subject is taken.
pub async fn create(
    conn: &mut PgConnection,
    username: &str,
    email: &str,
    subject: &str,
    now: OffsetDateTime,
) -> Result<Option<OpenIdAccount>> {
    let query = sqlx::query_as!(
        OpenIdAccount,
        r#"insert into users (username, email, oidc_subject, email_confirmed_at) values ($1, $2, $3, $4)
           on conflict do nothing returning id, username, status_id as "status_id: MemberStatus""#,
        username,
        email,
        subject,
        now
    );
    Ok(query.fetch_optional(conn).await?)
}
