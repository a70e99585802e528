//! Films on their way in: how much of each has come. The bytes themselves are files (`media/src/incoming.rs`).
//!
//! A row never says more than is durable in its file; what a crash leaves beyond that is cut off and sent again.

use sqlx::{PgExecutor, PgPool};
use time::OffsetDateTime;

use crate::{Error, Result};

/// An upload to begin.
#[derive(Debug, Clone, Copy)]
pub struct NewUpload<'a> {
    /// Its unguessable name in addresses and on the disk.
    pub token: &'a str,
    /// The member.
    pub user_id: i64,
    /// Name of the file, as the member's browser knows it.
    pub file_name: &'a str,
    /// Bytes of the whole file.
    pub size_bytes: i64,
    /// When it is removed unless more comes.
    pub expires_at: OffsetDateTime,
}

/// What a member's uploads may come to until something was made of them, the new one included.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// How many that aren't whole.
    pub uploads: i64,
    /// Bytes of all, whole or not.
    pub bytes: i64,
}

/// An upload, as far as it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the columns of uploads, documented in the migrations")]
pub struct Upload {
    pub id: i64,
    pub token: String,
    pub file_name: String,
    pub size_bytes: i64,
    pub received_bytes: i64,
    pub state: String,
    pub error_code: Option<String>,
    pub expires_at: OffsetDateTime,
}

impl Upload {
    /// Whether more of it may come.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state == "receiving"
    }
}

/// Begins an upload; false when the member's bounds are reached.
pub async fn begin(pool: &PgPool, new: NewUpload<'_>, bounds: Bounds) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    // One after the other for each member, so that two at once can't both be the last one.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('uploads', $1))", new.user_id)
        .execute(&mut *transaction)
        .await?;
    let query = sqlx::query!(
        "insert into uploads (token, user_id, kind, file_name, size_bytes, expires_at)
         select $1::text, $2::bigint, 'video', $3::text, $4::bigint, $5::timestamptz from uploads where user_id = $2 and state in ('receiving', 'received', 'processing')
         having count(*) filter (where state = 'receiving') < $6 and coalesce(sum(size_bytes), 0)::bigint + $4 <= $7",
        new.token,
        new.user_id,
        new.file_name,
        new.size_bytes,
        new.expires_at,
        bounds.uploads,
        bounds.bytes
    );
    let begun = query.execute(&mut *transaction).await?.rows_affected() == 1;
    transaction.commit().await?;
    Ok(begun)
}

/// A member's upload; nobody else's is found.
pub async fn find(db: impl PgExecutor<'_>, token: &str, user_id: i64) -> Result<Option<Upload>> {
    let query = sqlx::query_as!(
        Upload,
        "select id, token, file_name, size_bytes, received_bytes, state, error_code, expires_at
         from uploads where token = $1 and user_id = $2",
        token,
        user_id
    );
    Ok(query.fetch_optional(db).await?)
}

/// A member's uploads that are no video yet, the latest first.
pub async fn list(pool: &PgPool, user_id: i64, limit: i64) -> Result<Vec<Upload>> {
    let query = sqlx::query_as!(
        Upload,
        "select id, token, file_name, size_bytes, received_bytes, state, error_code, expires_at
         from uploads where user_id = $1 and video_id is null and album_id is null order by id desc limit $2",
        user_id,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// Bytes that unfinished uploads of all members still have to send.
pub async fn outstanding(pool: &PgPool) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select coalesce(sum(size_bytes - received_bytes), 0)::bigint as "n!" from uploads where state = 'receiving'"#
    );
    Ok(query.fetch_one(pool).await?)
}

/// How far an upload has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    /// Bytes it had.
    pub from: i64,
    /// Bytes that are durable now, the whole file at most; with the last one it is received.
    pub to: i64,
    /// When it is removed unless more comes.
    pub expires_at: OffsetDateTime,
}

/// Counts what has come; false when it was removed meanwhile, or counted from elsewhere.
pub async fn advance(db: impl PgExecutor<'_>, id: i64, progress: Progress) -> Result<bool> {
    let query = sqlx::query!(
        "update uploads set received_bytes = $3, expires_at = $4,
                state = case when $3 = size_bytes then 'received' else state end
         where id = $1 and received_bytes = $2 and state = 'receiving'",
        id,
        progress.from,
        progress.to,
        progress.expires_at
    );
    Ok(query.execute(db).await?.rows_affected() == 1)
}

/// Removes a member's upload that nobody works on; false when there is none.
pub async fn remove(db: impl PgExecutor<'_>, token: &str, user_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "delete from uploads where token = $1 and user_id = $2 and state in ('receiving', 'received', 'failed')
         and video_id is null",
        token,
        user_id
    );
    Ok(query.execute(db).await?.rows_affected() == 1)
}

/// Removes uploads whose time is over and that no video was made of, at most `limit` at once, and names them.
pub async fn expire(db: impl PgExecutor<'_>, now: OffsetDateTime, limit: i64) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "delete from uploads where id in (select id from uploads where state in ('receiving', 'received') and expires_at <= $1
                                          order by expires_at limit $2 for update skip locked) returning token",
        now,
        limit
    );
    Ok(query.fetch_all(db).await?)
}

/// Those of the names that no row has.
pub async fn unnamed(pool: &PgPool, tokens: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select token as "token!" from unnest($1::text[]) as f(token)
           where not exists (select from uploads u where u.token = f.token)"#,
        tokens
    );
    query.fetch_all(pool).await.map_err(Error::from)
}
