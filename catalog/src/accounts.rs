//! Accounts and their credentials.

use sqlx::{PgConnection, PgExecutor, PgPool};
use time::OffsetDateTime;

use crate::{Error, Result, mail_tokens, names::NameKey, run, status::MemberStatus};

/// Account data needed for signing in.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users, documented in the migrations")]
pub struct Account {
    pub id: i64,
    pub username: String,
    pub email: String,
    pub status_id: MemberStatus,
    /// Argon2id hash in PHC format. `None` for members who sign in only through an OpenID provider.
    pub password_hash: Option<String>,
    /// Whether the e-mail address is confirmed.
    pub is_confirmed: bool,
    /// Whether the account is linked to an OpenID provider.
    pub has_openid: bool,
}

/// Finds an account by username or e-mail address. Usernames contain no `@`, so one query covers both.
pub async fn by_login(pool: &PgPool, login: &NameKey) -> Result<Option<Account>> {
    let query = sqlx::query_as!(
        Account,
        r#"select id, username, email, status_id as "status_id: MemberStatus", password_hash,
                  (email_confirmed_at is not null) as "is_confirmed!", (oidc_subject is not null) as "has_openid!"
           from users where name_key(username) = $1 or name_key(email) = $1"#,
        login.as_str()
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Finds an account by id.
pub async fn by_id(db: impl PgExecutor<'_>, id: i64) -> Result<Option<Account>> {
    let query = sqlx::query_as!(
        Account,
        r#"select id, username, email, status_id as "status_id: MemberStatus", password_hash,
                  (email_confirmed_at is not null) as "is_confirmed!", (oidc_subject is not null) as "has_openid!" from users where id = $1"#,
        id
    );
    Ok(query.fetch_optional(db).await?)
}

/// Unique field of a new account that is already taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OccupiedField {
    /// The username.
    Username,
    /// The e-mail address.
    Email,
}

impl OccupiedField {
    /// Derives the field from the violated index. Returns `None` for other errors.
    #[must_use]
    pub fn of(error: &Error) -> Option<Self> {
        match error.constraint()? {
            "users_username_key" => Some(Self::Username),
            "users_email_key" => Some(Self::Email),
            _ => None,
        }
    }
}

/// Returns the field that is already taken at `now`, if any. The result is only a hint, because the unique indexes have
/// the final say.
pub async fn occupied(
    pool: &PgPool,
    username: &str,
    email: &str,
    now: OffsetDateTime,
) -> Result<Option<OccupiedField>> {
    let (name, address) = (NameKey::of(username), NameKey::of(email));
    let query = sqlx::query!(
        r#"select exists (select from users where name_key(username) = $1)
                      or exists (select from held_names where name = $1 and until > $3) as "username!",
                  exists (select from users where name_key(email) = $2) as "email!""#,
        name.as_str(),
        address.as_str(),
        now
    );
    let taken = query.fetch_one(pool).await?;
    Ok(if taken.username { Some(OccupiedField::Username) } else { taken.email.then_some(OccupiedField::Email) })
}

/// Reserves a username, without an account, until the given time.
pub async fn hold_name(conn: &mut PgConnection, username: &str, until: OffsetDateTime) -> Result<()> {
    let name = NameKey::of(username);
    let query = sqlx::query!(
        "insert into held_names (name, until) values ($1, $2)
         on conflict (name) do update set until = greatest(held_names.until, excluded.until)",
        name.as_str(),
        until
    );
    run(query, conn).await
}

/// Releases the username reservations that have expired by `now` and returns their number.
pub async fn sweep_held_names(pool: &PgPool, now: OffsetDateTime) -> Result<u64> {
    Ok(sqlx::query!("delete from held_names where until <= $1", now).execute(pool).await?.rows_affected())
}

/// Creates an account with an unconfirmed e-mail address.
///
/// # Errors
/// The username or e-mail address is taken ([`OccupiedField::of`]), or the query fails.
pub async fn sign_up(
    conn: &mut PgConnection,
    username: &str,
    email: &str,
    password_hash: &str,
    now: OffsetDateTime,
) -> Result<i64> {
    let query = sqlx::query_scalar!(
        "insert into users (username, email, password_hash, created_at) values ($1, $2, $3, $4) returning id",
        username,
        email,
        password_hash,
        now
    );
    Ok(query.fetch_one(conn).await?)
}

/// Marks the e-mail address as confirmed.
pub async fn confirm(conn: &mut PgConnection, id: i64, now: OffsetDateTime) -> Result<()> {
    let query =
        sqlx::query!("update users set email_confirmed_at = $2 where id = $1 and email_confirmed_at is null", id, now);
    run(query, conn).await
}

/// Replaces the e-mail address with another confirmed one and returns the previous one.
///
/// # Errors
/// The e-mail address is taken ([`OccupiedField::of`]), or the query fails.
pub async fn set_email(conn: &mut PgConnection, id: i64, email: &str, now: OffsetDateTime) -> Result<Option<String>> {
    let query = sqlx::query_scalar!(
        "update users u set email = $2, email_confirmed_at = $3 from users former
         where u.id = $1 and former.id = u.id returning former.email",
        id,
        email,
        now
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Locks an account whose password was verified earlier. Returns `false` if the password has changed since or the
/// account is gone.
pub async fn lock_proven(conn: &mut PgConnection, proven: &Account) -> Result<bool> {
    let query = sqlx::query!(
        "select id from users where id = $1 and password_hash is not distinct from $2 for no key update",
        proven.id,
        proven.password_hash
    );
    let locked = query.fetch_optional(conn).await?;
    Ok(locked.is_some())
}

/// Replaces the password and invalidates all links mailed so far.
pub async fn set_password(conn: &mut PgConnection, id: i64, password_hash: &str) -> Result<()> {
    sqlx::query!("update users set password_hash = $2 where id = $1", id, password_hash).execute(&mut *conn).await?;
    mail_tokens::void_all(conn, id).await
}

/// Replaces the hash of an unchanged password (rehash), unless the password has changed in the meantime.
pub async fn renew_hash(pool: &PgPool, id: i64, former: &str, password_hash: &str) -> Result<()> {
    let query = sqlx::query!(
        "update users set password_hash = $3 where id = $1 and password_hash = $2",
        id,
        former,
        password_hash
    );
    run(query, pool).await
}

/// Removes accounts that were created before `since` and never confirmed their address. This frees their usernames and
/// addresses.
pub async fn sweep_unconfirmed(pool: &PgPool, since: OffsetDateTime) -> Result<u64> {
    let query = sqlx::query!(
        "delete from users where email_confirmed_at is null and password_hash is not null and created_at < $1",
        since
    );
    Ok(query.execute(pool).await?.rows_affected())
}

/// Account data shown at the top of a member's own pages.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users, documented in the migrations")]
pub struct OwnAccount {
    pub username: String,
    pub avatar_key: Option<String>,
    pub status_id: MemberStatus,
    /// Unread messages.
    pub unread_messages: i64,
    /// Friend requests awaiting the member's answer.
    pub friend_requests: i64,
    /// Unread notifications, where 100 stands for more than 99.
    pub unread_notifications: i64,
    /// Whether the member may decide on uploads.
    pub is_moderator: bool,
}

/// Returns the account as its member sees it.
pub async fn own(pool: &PgPool, user_id: i64) -> Result<Option<OwnAccount>> {
    let query = sqlx::query_as!(
        OwnAccount,
        r#"select u.username, u.status_id as "status_id: MemberStatus",
                  coalesce((select w.media_key from profile_reviews w where w.user_id = u.id and w.kind = 'avatar'), u.avatar_key)
                      as avatar_key,
                  (select count(*) from messages m
                   where m.recipient_id = u.id and m.read_at is null and not m.recipient_deleted) as "unread_messages!",
                  (select count(*) from friends f where f.friend_id = u.id and f.state = 'requested') as "friend_requests!",
                  (select count(*) from (select from shown_notifications n where n.user_id = u.id and n.read_at is null limit 100) n)
                      as "unread_notifications!",
                  exists (select from staff s where s.user_id = u.id) as "is_moderator!"
           from users u where u.id = $1"#,
        user_id
    );
    Ok(query.fetch_optional(pool).await?)
}
