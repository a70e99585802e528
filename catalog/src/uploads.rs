//! Films on their way in: how much of each has come. The bytes themselves are files (`media/src/incoming.rs`).
//!
//! A row never says more than is durable in its file; what a crash leaves beyond that is cut off and sent again.

use sqlx::{PgExecutor, PgPool};
use time::{Duration, OffsetDateTime};

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
    /// When it begins.
    pub now: OffsetDateTime,
    /// When it is removed unless more comes.
    pub expires_at: OffsetDateTime,
}

/// What a member's uploads may come to until something was made of them, the new one included.
#[derive(Debug, Clone, Copy)]
pub struct UploadBounds {
    /// How many that aren't whole.
    pub uploads: i64,
    /// Bytes of all, whole or not.
    pub bytes: i64,
    /// Bytes of all while the account is new.
    pub new_bytes: i64,
    /// How long it is.
    pub new_for: Duration,
}

/// Whether an upload begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeginOutcome {
    /// It does.
    Begun,
    /// The member has too many uploads, or too many bytes.
    TooMuch,
    /// The member has more bytes than a new account may.
    TooMuchForNew,
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
    pub created_at: OffsetDateTime,
}

impl Upload {
    /// Whether more of it may come.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state == "receiving"
    }
}

/// Begins an upload, unless the member's bounds are reached.
pub async fn begin(pool: &PgPool, new: NewUpload<'_>, bounds: UploadBounds) -> Result<BeginOutcome> {
    let mut transaction = pool.begin().await?;
    // One after the other for each member, so that two at once can't both be the last one.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('uploads', $1))", new.user_id)
        .execute(&mut *transaction)
        .await?;
    let query = sqlx::query!(
        r#"select count(*) filter (where state = 'receiving') as "open!", coalesce(sum(size_bytes), 0)::bigint as "bytes!",
                  exists (select from users where id = $1 and created_at > $2) as "is_new!"
           from uploads where user_id = $1 and state in ('receiving', 'received', 'processing')"#,
        new.user_id,
        new.now - bounds.new_for
    );
    let own = query.fetch_one(&mut *transaction).await?;
    let bytes = own.bytes.saturating_add(new.size_bytes);
    if own.open >= bounds.uploads || bytes > bounds.bytes {
        return Ok(BeginOutcome::TooMuch);
    }
    if own.is_new && bytes > bounds.new_bytes {
        return Ok(BeginOutcome::TooMuchForNew);
    }
    sqlx::query!(
        "insert into uploads (token, user_id, kind, file_name, size_bytes, created_at, expires_at)
         values ($1, $2, 'video', $3, $4, $5, $6)",
        new.token,
        new.user_id,
        new.file_name,
        new.size_bytes,
        new.now,
        new.expires_at
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(BeginOutcome::Begun)
}

/// A member's upload; nobody else's is found.
pub async fn find(db: impl PgExecutor<'_>, token: &str, user_id: i64) -> Result<Option<Upload>> {
    let query = sqlx::query_as!(
        Upload,
        "select id, token, file_name, size_bytes, received_bytes, state, error_code, expires_at, created_at
         from uploads where token = $1 and user_id = $2",
        token,
        user_id
    );
    Ok(query.fetch_optional(db).await?)
}

/// An upload and what became of it.
#[derive(Debug, Clone)]
pub struct ShownUpload {
    /// The upload itself.
    pub upload: Upload,
    /// What its member calls it; `None` until they said it.
    pub title: Option<String>,
    /// What is done with it: `waiting`, or a [`Step`](crate::films::Step); `None` when nothing is.
    pub step: Option<String>,
    /// How much of the step is done, 0 to 100.
    pub percent: Option<i32>,
    /// Its video.
    pub video: Option<UploadedVideo>,
}

/// The video that an upload became.
#[derive(Debug, Clone)]
pub struct UploadedVideo {
    /// Its id.
    pub id: i64,
    /// 1 active … 4 rejected.
    pub status_id: i16,
    /// Why it was rejected: a word of `moderation.reasons`.
    pub rejection: Option<String>,
    /// Folder of its files.
    pub media_key: Option<String>,
}

/// A member's uploads, the latest first: what is no video yet, and those whose video is not older than `days`, or waits.
pub async fn list(pool: &PgPool, user_id: i64, days: u32, limit: i64) -> Result<Vec<ShownUpload>> {
    let query = sqlx::query!(
        r#"select u.id, u.token, u.file_name, u.size_bytes, u.received_bytes, u.state, u.error_code, u.expires_at, u.created_at,
                  case when u.described_at is not null then u.metadata->>'title' end as title,
                  case when u.state = 'processing' then coalesce(case when j.state = 'running' then j.payload->>'step' end, 'waiting')
                  end as step,
                  case when j.state = 'running' then (j.payload->>'percent')::integer end as percent,
                  v.id as "video_id?", v.status_id as "status_id?", v.rejection, v.media_key
           from uploads u left join jobs j on j.id = u.job_id and u.state = 'processing'
                left join videos v on v.id = u.video_id and v.status_id <> 5
           where u.user_id = $1 and u.album_id is null
             and (u.state <> 'done' or (v.id is not null and (v.status_id in (2, 3) or u.ended_at > now() - make_interval(days => $2))))
           order by u.id desc limit $3"#,
        user_id,
        i32::try_from(days).unwrap_or(i32::MAX),
        limit
    );
    let rows = query.fetch_all(pool).await?;
    let shown = rows.into_iter().map(|row| ShownUpload {
        title: row.title,
        step: row.step,
        percent: row.percent,
        video: row.video_id.zip(row.status_id).map(|(id, status_id)| UploadedVideo {
            id,
            status_id,
            rejection: row.rejection,
            media_key: row.media_key,
        }),
        upload: Upload {
            id: row.id,
            token: row.token,
            file_name: row.file_name,
            size_bytes: row.size_bytes,
            received_bytes: row.received_bytes,
            state: row.state,
            error_code: row.error_code,
            expires_at: row.expires_at,
            created_at: row.created_at,
        },
    });
    Ok(shown.collect())
}

/// How far an upload has come.
#[derive(Debug, Clone, Copy)]
pub struct UploadProgress {
    /// Bytes it had.
    pub from: i64,
    /// Bytes that are durable now, the whole file at most; with the last one it is received.
    pub to: i64,
    /// When it is removed unless more comes.
    pub expires_at: OffsetDateTime,
}

/// Counts what has come; false when it was removed meanwhile, or counted from elsewhere.
pub async fn advance(db: impl PgExecutor<'_>, id: i64, progress: UploadProgress) -> Result<bool> {
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

/// Removes uploads whose time is over and of which there is and will be no video, at most `limit` at once, and names them.
pub async fn expire(db: impl PgExecutor<'_>, now: OffsetDateTime, limit: i64) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "delete from uploads where id in (select id from uploads where state in ('receiving', 'received', 'failed') and expires_at <= $1
                                          order by expires_at limit $2 for update skip locked) returning token",
        now,
        limit
    );
    Ok(query.fetch_all(db).await?)
}

/// Those of the names that no row has which needs its file: a video has films of its own.
pub async fn unnamed(pool: &PgPool, tokens: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select token as "token!" from unnest($1::text[]) as f(token)
           where not exists (select from uploads u where u.token = f.token and u.state <> 'done')"#,
        tokens
    );
    query.fetch_all(pool).await.map_err(Error::from)
}
