//! Resumable uploads of films, and their progress. The bytes are stored in files on the node that receives them
//! (`media/src/incoming.rs`), or in pieces in a store that all nodes reach (`media/src/pieces.rs`).
//!
//! A row never counts more bytes than are durable in its file. Surplus bytes left by a crash are truncated and sent
//! again.

use sqlx::{Connection, PgConnection, PgExecutor, PgPool};
use time::{Duration, OffsetDateTime};

use crate::{Error, Result, run, status::UploadStatus};

/// An upload to create.
#[derive(Debug, Clone, Copy)]
pub struct NewUpload<'a> {
    /// Unguessable name of the upload, used in addresses and on disk.
    pub token: &'a str,
    /// Id of the member.
    pub user_id: i64,
    /// File name given by the member's browser.
    pub file_name: &'a str,
    /// Total size in bytes.
    pub size_bytes: i64,
    /// Id of the member's video whose film it is to replace.
    pub replaces: Option<i64>,
    /// Storage group of its pieces, or 0 for a file on this node.
    pub group: i32,
    /// Current time.
    pub now: OffsetDateTime,
    /// When the upload is removed, unless more data arrives.
    pub expires_at: OffsetDateTime,
}

/// Limits on a member's unprocessed uploads, including the new one.
#[derive(Debug, Clone, Copy)]
pub struct UploadBounds {
    /// Maximum number of incomplete uploads.
    pub uploads: i64,
    /// Maximum total size in bytes of all these uploads, complete or not.
    pub bytes: i64,
    /// Maximum total size in bytes for new accounts.
    pub new_bytes: i64,
    /// Age up to which an account counts as new.
    pub new_for: Duration,
}

/// Outcome of creating an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeginOutcome {
    /// The upload was created.
    Begun,
    /// The member has too many uploads, or uploads of too many bytes.
    TooMuch,
    /// The member has uploaded more bytes than a new account may.
    TooMuchForNew,
    /// The member has no such video to replace, or it is neither published nor about to be.
    NoVideo,
    /// Another new film for the video is on its way.
    Replacing,
}

/// An upload and its progress.
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
    pub sg_id: i32,
}

impl Upload {
    /// Returns whether the upload accepts more data.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state == "receiving"
    }
}

/// Creates an upload, within the member's limits.
pub async fn begin(pool: &PgPool, new: NewUpload<'_>, bounds: UploadBounds) -> Result<BeginOutcome> {
    let mut transaction = pool.begin().await?;
    // The calls are serialized per member, so that two concurrent requests can't both take the last slot.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('uploads', $1))", new.user_id)
        .execute(&mut *transaction)
        .await?;
    let query = sqlx::query!(
        r#"select count(*) filter (where state = 'receiving') as "open!", coalesce(sum(size_bytes), 0)::bigint as "bytes!",
                  exists (select from users where id = $1 and created_at > $2) as "is_new!"
           from uploads where user_id = $1 and (state in ('receiving', 'received', 'processing') or is_kept)"#,
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
    if let Some(video_id) = new.replaces
        && let Some(refused) = replacing(&mut transaction, new.user_id, video_id).await?
    {
        return Ok(refused);
    }
    // The details of a new film are those of its video, and so are the rules for its length.
    sqlx::query!(
        "with former as (select metadata, is_exclusive from uploads where video_id = $7 order by id desc limit 1)
         insert into uploads (token, user_id, kind, file_name, size_bytes, created_at, expires_at, replaces, described_at, metadata,
                              is_exclusive, sg_id)
         select $1, $2, 'video', $3, $4, $5, $6, $7, case when $7::bigint is not null then now() end,
                coalesce((select metadata from former), '{}'), coalesce((select is_exclusive from former), false), $8",
        new.token,
        new.user_id,
        new.file_name,
        new.size_bytes,
        new.now,
        new.expires_at,
        new.replaces,
        new.group
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(BeginOutcome::Begun)
}

/// Returns why the member can't replace the film of this video, if so. Locks the video.
async fn replacing(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<Option<BeginOutcome>> {
    let query = sqlx::query!(
        "select from videos v where id = $1 and user_id = $2 and is_replaceable(v) for update",
        video_id,
        user_id
    );
    if query.fetch_optional(&mut *conn).await?.is_none() {
        return Ok(Some(BeginOutcome::NoVideo));
    }
    let query = sqlx::query_scalar!(
        r#"select exists (select from uploads where replaces = $1 and state in ('receiving', 'received', 'processing'))
               or exists (select from videos where replaces = $1 and status_id <> deleted()) as "e!""#,
        video_id
    );
    Ok(query.fetch_one(conn).await?.then_some(BeginOutcome::Replacing))
}

/// Finds an upload of the member. Uploads of other members are not found.
pub async fn find(db: impl PgExecutor<'_>, token: &str, user_id: i64) -> Result<Option<Upload>> {
    let query = sqlx::query_as!(
        Upload,
        "select id, token, file_name, size_bytes, received_bytes, state, error_code, expires_at, created_at, sg_id
         from uploads where token = $1 and user_id = $2",
        token,
        user_id
    );
    Ok(query.fetch_optional(db).await?)
}

/// An upload and its outcome.
#[derive(Debug, Clone)]
pub struct ShownUpload {
    /// The upload itself.
    pub upload: Upload,
    /// Title. `None` until the member enters the metadata.
    pub title: Option<String>,
    /// `waiting`, or the current [`Step`](crate::films::Step). `None` if the upload isn't being processed.
    pub step: Option<String>,
    /// Progress of the step, 0 to 100.
    pub percent: Option<i32>,
    /// When processing is attempted again, if an attempt has failed.
    pub retry_at: Option<OffsetDateTime>,
    /// Whether the file of a failed upload is retained until it expires, so that processing can be retried.
    pub is_kept: bool,
    /// Id of the video whose film it is to replace.
    pub replaces: Option<i64>,
    /// Video created from the upload.
    pub video: Option<UploadedVideo>,
}

/// Video created from an upload.
#[derive(Debug, Clone)]
pub struct UploadedVideo {
    /// Id of the row.
    pub id: i64,
    /// Never deleted. A rejected film that was to replace another is shown as rejected.
    pub status_id: UploadStatus,
    /// Reason for a rejection, one of `moderation.reasons`.
    pub rejection: Option<String>,
    /// Folder of the video's files.
    pub media_key: Option<String>,
    /// Whether the film is silent because its audio couldn't be decoded.
    pub has_lost_audio: bool,
    /// When the video is to be published.
    pub publish_at: Option<OffsetDateTime>,
}

/// Lists a member's uploads, newest first. An upload is listed if it has no video, or if its video is undecided or at
/// most `days` old.
pub async fn list(pool: &PgPool, user_id: i64, days: u32, limit: i64) -> Result<Vec<ShownUpload>> {
    let query = sqlx::query!(
        r#"select u.id, u.token, u.file_name, u.size_bytes, u.received_bytes, u.state, u.error_code, u.expires_at, u.created_at,
                  u.sg_id, case when u.replaces is not null then (select r.title from videos r where r.id = u.replaces)
                       when u.described_at is not null then u.metadata->>'title' end as title,
                  case when u.state = 'processing' then coalesce(case when w.is_held then j.payload->>'step' end, 'waiting')
                  end as step,
                  case when w.is_held then (j.payload->>'percent')::integer end as percent,
                  case when j.state = 'queued' and j.attempts > 0 and j.run_at > clock_timestamp() then j.run_at end as retry_at,
                  u.is_kept, u.replaces, v.id as "video_id?",
                  case when v.status_id = deleted() then rejected() else v.status_id end as "status_id?: UploadStatus", v.rejection, v.media_key,
                  v.has_lost_audio as "has_lost_audio?", v.publish_at
           from uploads u left join jobs j on j.id = u.job_id and u.state = 'processing'
                -- The progress of a dead worker is outdated.
                left join lateral (select j.state = 'running' and j.claimed_until > clock_timestamp() as is_held) w on true
                left join videos v on v.id = u.video_id
                     and (v.status_id <> deleted() or (u.replaces is not null and v.rejection is not null))
           where u.user_id = $1 and u.album_id is null
             and (u.state <> 'done' or (v.id is not null and (
                     v.status_id in (in_review(), draft(), scheduled()) or u.ended_at > now() - make_interval(days => $2))))
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
        retry_at: row.retry_at,
        is_kept: row.is_kept,
        replaces: row.replaces,
        video: row.video_id.zip(row.status_id).map(|(id, status_id)| UploadedVideo {
            id,
            status_id,
            rejection: row.rejection,
            media_key: row.media_key,
            has_lost_audio: row.has_lost_audio.unwrap_or_default(),
            publish_at: row.publish_at,
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
            sg_id: row.sg_id,
        },
    });
    Ok(shown.collect())
}

/// Progress of an upload.
#[derive(Debug, Clone, Copy)]
pub struct UploadProgress {
    /// Number of bytes recorded before.
    pub from: i64,
    /// Number of bytes that are durable now. If this is the total size, the upload is complete.
    pub to: i64,
    /// When the upload is removed, unless more data arrives.
    pub expires_at: OffsetDateTime,
}

/// Records progress. Returns `false` if the upload was removed in the meantime or another request has advanced it.
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

/// A piece of an upload in a store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadPiece {
    /// Number of bytes before it.
    pub first_byte: i64,
    /// Number of its bytes, at least 1.
    pub bytes: i64,
    /// Its file in the upload's folder.
    pub file: String,
    /// SHA-256 of its bytes.
    pub sha256: Vec<u8>,
}

/// Records progress by a piece, which is durable. Returns `false` in the same cases as [`advance`].
pub async fn advance_by(
    conn: &mut PgConnection,
    id: i64,
    piece: &UploadPiece,
    expires_at: OffsetDateTime,
) -> Result<bool> {
    let mut transaction = conn.begin().await?;
    let progress = UploadProgress { from: piece.first_byte, to: piece.first_byte + piece.bytes, expires_at };
    if !advance(&mut *transaction, id, progress).await? {
        return Ok(false);
    }
    add_piece(&mut *transaction, id, piece).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Records a piece that is durable.
pub(crate) async fn add_piece(db: impl PgExecutor<'_>, id: i64, piece: &UploadPiece) -> Result<()> {
    let query = sqlx::query!(
        "insert into upload_pieces (upload_id, first_byte, bytes, file, sha256) values ($1, $2, $3, $4, $5)",
        id,
        piece.first_byte,
        piece.bytes,
        piece.file,
        piece.sha256
    );
    run(query, db).await
}

/// Returns the pieces of an upload in order.
pub async fn pieces(db: impl PgExecutor<'_>, id: i64) -> Result<Vec<UploadPiece>> {
    let query = sqlx::query_as!(
        UploadPiece,
        "select first_byte, bytes, file, sha256 from upload_pieces where upload_id = $1 order by first_byte",
        id
    );
    Ok(query.fetch_all(db).await?)
}

/// Removes a member's upload that isn't being processed. Returns `false` if there is none.
pub async fn remove(db: impl PgExecutor<'_>, token: &str, user_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "delete from uploads where token = $1 and user_id = $2 and state in ('receiving', 'received', 'failed')
         and video_id is null",
        token,
        user_id
    );
    Ok(query.execute(db).await?.rows_affected() == 1)
}

/// Removes up to `limit` expired uploads that have no video and will not get one. Returns their tokens.
pub async fn expire(db: impl PgExecutor<'_>, now: OffsetDateTime, limit: i64) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "delete from uploads where id in (select id from uploads where state in ('receiving', 'received', 'failed') and expires_at <= $1
                                          order by expires_at limit $2 for update skip locked) returning token",
        now,
        limit
    );
    Ok(query.fetch_all(db).await?)
}

/// Returns those of the tokens whose files no row needs. A finished video has its own files.
pub async fn unnamed(pool: &PgPool, tokens: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select token as "token!" from unnest($1::text[]) as f(token)
           where not exists (select from uploads u where u.token = f.token and u.state <> 'done')"#,
        tokens
    );
    query.fetch_all(pool).await.map_err(Error::from)
}
