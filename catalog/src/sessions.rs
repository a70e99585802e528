//! Sessions of signed-in members. Only token hashes are stored.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::{Result, run, status::MemberStatus};

/// A live session and its member.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of sessions and users, documented in the migrations")]
pub struct Session {
    pub id: i64,
    pub user_id: i64,
    pub username: String,
    /// Never [`MemberStatus::Banned`].
    pub status_id: MemberStatus,
    /// When the session's last use was recorded.
    pub last_used_at: OffsetDateTime,
}

/// Times that decide whether a session is live.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// Current time.
    pub now: OffsetDateTime,
    /// Sessions that haven't been used since then have expired.
    pub idle_since: OffsetDateTime,
}

/// Finds a session by token hash, unless it has expired or its member is banned. This takes one lookup in the unique
/// index on the hashes.
pub async fn find(pool: &PgPool, token_hash: &[u8], clock: Clock) -> Result<Option<Session>> {
    let query = sqlx::query_as!(
        Session,
        r#"select s.id, s.user_id, u.username, u.status_id as "status_id: MemberStatus", s.last_used_at
         from sessions s join users u on u.id = s.user_id
         where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3 and u.status_id <> banned()"#,
        token_hash,
        clock.now,
        clock.idle_since
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Records the use of a session.
pub async fn touch(pool: &PgPool, id: i64, now: OffsetDateTime) -> Result<()> {
    run(sqlx::query!("update sessions set last_used_at = $2 where id = $1 and last_used_at < $2", id, now), pool).await
}

/// A session to create.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// Id of the member.
    pub user_id: i64,
    /// SHA-256 of the token, 32 bytes.
    pub token_hash: &'a [u8],
    /// Current time.
    pub now: OffsetDateTime,
    /// When the session expires even if it is used.
    pub expires_at: OffsetDateTime,
    /// Browser and operating system, at most 100 characters.
    pub agent: &'a str,
    /// ISO 3166-1 alpha-2 country code.
    pub country: &'a str,
}

/// Creates a session.
pub async fn create(conn: &mut PgConnection, new: NewSession<'_>) -> Result<i64> {
    let query = sqlx::query_scalar!(
        "insert into sessions (user_id, token_hash, created_at, last_used_at, expires_at, agent, country)
         values ($1, $2, $3, $3, $4, $5, $6) returning id",
        new.user_id,
        new.token_hash,
        new.now,
        new.expires_at,
        new.agent,
        new.country
    );
    Ok(query.fetch_one(conn).await?)
}

/// A session, as shown to its member.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of sessions, documented in the migrations")]
pub struct SessionRow {
    pub id: i64,
    pub created_at: OffsetDateTime,
    pub last_used_at: OffsetDateTime,
    pub agent: String,
    pub country: Option<String>,
}

/// Lists a member's live sessions, most recently used first.
pub async fn list(pool: &PgPool, user_id: i64, clock: Clock) -> Result<Vec<SessionRow>> {
    let query = sqlx::query_as!(
        SessionRow,
        "select id, created_at, last_used_at, agent, country from sessions
         where user_id = $1 and expires_at > $2 and last_used_at > $3 order by last_used_at desc, id desc",
        user_id,
        clock.now,
        clock.idle_since
    );
    Ok(query.fetch_all(pool).await?)
}

/// Ends one of a member's sessions. Returns `false` if the session isn't the member's.
pub async fn end(conn: &mut PgConnection, user_id: i64, id: i64) -> Result<bool> {
    let query = sqlx::query!("delete from sessions where id = $1 and user_id = $2", id, user_id);
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// Ends the session with this token hash, whoever owns it.
pub async fn end_by_token(conn: &mut PgConnection, token_hash: &[u8]) -> Result<()> {
    run(sqlx::query!("delete from sessions where token_hash = $1", token_hash), conn).await
}

/// Ends all sessions of a member except `keep`. If `keep` is 0, ends all of them.
pub async fn end_others(conn: &mut PgConnection, user_id: i64, keep: i64) -> Result<u64> {
    let query = sqlx::query!("delete from sessions where user_id = $1 and id <> $2", user_id, keep);
    Ok(query.execute(conn).await?.rows_affected())
}

/// Ends all of a member's sessions except the `most` most recently used ones.
pub async fn end_oldest(conn: &mut PgConnection, user_id: i64, most: i64) -> Result<()> {
    let query = sqlx::query!(
        "delete from sessions where id in
         (select id from sessions where user_id = $1 order by last_used_at desc, id desc offset $2)",
        user_id,
        most
    );
    run(query, conn).await
}

/// Returns when a session was created.
pub async fn began(pool: &PgPool, id: i64) -> Result<Option<OffsetDateTime>> {
    Ok(sqlx::query_scalar!("select created_at from sessions where id = $1", id).fetch_optional(pool).await?)
}

/// Replaces a session's token, which invalidates the old one.
pub async fn rotate(conn: &mut PgConnection, id: i64, token_hash: &[u8]) -> Result<()> {
    run(sqlx::query!("update sessions set token_hash = $2 where id = $1", id, token_hash), conn).await
}

/// Deletes expired sessions.
pub async fn sweep(pool: &PgPool, clock: Clock) -> Result<u64> {
    let query =
        sqlx::query!("delete from sessions where expires_at <= $1 or last_used_at <= $2", clock.now, clock.idle_since);
    Ok(query.execute(pool).await?.rows_affected())
}
