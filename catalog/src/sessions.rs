//! Sessions: who is signed in, where, and until when. Tokens are stored as hashes only.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::{Result, run};

/// A live session and whose it is.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of sessions and users, documented in the migrations")]
pub struct Session {
    pub id: i64,
    pub user_id: i64,
    pub username: String,
    /// 1 ordinary, 6 may manage uploaded videos; never 5.
    pub status_id: i16,
    /// When it was last used, as far as that was noted.
    pub last_used_at: OffsetDateTime,
}

/// The moments that decide whether a session lives.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    /// The present.
    pub now: OffsetDateTime,
    /// A session that was not used since then has ended.
    pub idle_since: OffsetDateTime,
}

/// The session of a token, unless it ended or its member is banned. One look-up by the unique index of the hashes.
pub async fn find(pool: &PgPool, token_hash: &[u8], clock: Clock) -> Result<Option<Session>> {
    let query = sqlx::query_as!(
        Session,
        "select s.id, s.user_id, u.username, u.status_id, s.last_used_at from sessions s join users u on u.id = s.user_id
         where s.token_hash = $1 and s.expires_at > $2 and s.last_used_at > $3 and u.status_id <> 5",
        token_hash,
        clock.now,
        clock.idle_since
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Notes that a session was used.
pub async fn touch(pool: &PgPool, id: i64, now: OffsetDateTime) -> Result<()> {
    run(sqlx::query!("update sessions set last_used_at = $2 where id = $1 and last_used_at < $2", id, now), pool).await
}

/// A session that begins.
#[derive(Debug, Clone, Copy)]
pub struct NewSession<'a> {
    /// The member.
    pub user_id: i64,
    /// SHA-256 of the token, 32 bytes.
    pub token_hash: &'a [u8],
    /// The present.
    pub now: OffsetDateTime,
    /// When it ends at the latest.
    pub expires_at: OffsetDateTime,
    /// Kind of browser and system, at most 100 characters.
    pub agent: &'a str,
    /// ISO 3166-1 alpha-2 code of the country.
    pub country: &'a str,
}

/// Begins a session.
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

/// A session as its member sees it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of sessions, documented in the migrations")]
pub struct SessionRow {
    pub id: i64,
    pub created_at: OffsetDateTime,
    pub last_used_at: OffsetDateTime,
    pub agent: String,
    pub country: Option<String>,
}

/// A member's live sessions, the last used one first.
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

/// Ends a session of a member; false when it is no session of theirs.
pub async fn end(conn: &mut PgConnection, user_id: i64, id: i64) -> Result<bool> {
    let query = sqlx::query!("delete from sessions where id = $1 and user_id = $2", id, user_id);
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// Ends the session of a token, of any member.
pub async fn end_by_token(conn: &mut PgConnection, token_hash: &[u8]) -> Result<()> {
    run(sqlx::query!("delete from sessions where token_hash = $1", token_hash), conn).await
}

/// Ends all sessions of a member but one; all of them with `keep` 0.
pub async fn end_others(conn: &mut PgConnection, user_id: i64, keep: i64) -> Result<u64> {
    let query = sqlx::query!("delete from sessions where user_id = $1 and id <> $2", user_id, keep);
    Ok(query.execute(conn).await?.rows_affected())
}

/// Ends a member's oldest sessions beyond the `most` last used ones.
pub async fn end_oldest(conn: &mut PgConnection, user_id: i64, most: i64) -> Result<()> {
    let query = sqlx::query!(
        "delete from sessions where id in
         (select id from sessions where user_id = $1 order by last_used_at desc, id desc offset $2)",
        user_id,
        most
    );
    run(query, conn).await
}

/// When a session began.
pub async fn began(pool: &PgPool, id: i64) -> Result<Option<OffsetDateTime>> {
    Ok(sqlx::query_scalar!("select created_at from sessions where id = $1", id).fetch_optional(pool).await?)
}

/// Gives a session another token, so that the old one opens nothing any more.
pub async fn rotate(conn: &mut PgConnection, id: i64, token_hash: &[u8]) -> Result<()> {
    run(sqlx::query!("update sessions set token_hash = $2 where id = $1", id, token_hash), conn).await
}

/// Removes the sessions that have ended.
pub async fn sweep(pool: &PgPool, clock: Clock) -> Result<u64> {
    let query =
        sqlx::query!("delete from sessions where expires_at <= $1 or last_used_at <= $2", clock.now, clock.idle_since);
    Ok(query.execute(pool).await?.rows_affected())
}
