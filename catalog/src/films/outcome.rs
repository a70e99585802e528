//! What comes of the work on an upload: a video, or a reason why there is none.

use lantern_config::Likeness;
use sqlx::{Connection, PgConnection, PgPool, types::Json};

use super::{FilmDetails, link};
use crate::{
    Result,
    fingerprints::{self, Fingerprint, LikeFilm},
    imports,
    jobs::{self, Job},
    storage,
};

/// Why nothing may be made of these bytes: a video that wasn't deleted is of them, or one that was taken down for good.
pub async fn refusal(conn: &mut PgConnection, sha256: &[u8]) -> Result<Option<WorkOutcome>> {
    let query = sqlx::query!(
        r#"select exists (select from media_prints where digest = $1 and banned_at is not null) as "banned!",
                  exists (select from uploads u join videos v on v.id = u.video_id
                          where u.sha256 = $1 and v.status_id <> 5) as "known!""#,
        sha256
    );
    let found = query.fetch_one(conn).await?;
    Ok(if found.banned {
        Some(WorkOutcome::Banned)
    } else if found.known {
        Some(WorkOutcome::Duplicate)
    } else {
        None
    })
}

/// What was made of an upload.
#[derive(Debug, Clone)]
pub struct FilmVideo<'a> {
    /// Folder of the files, below the media folder.
    pub media_key: &'a str,
    /// Of the upload's bytes.
    pub sha256: &'a [u8],
    /// What it looks like.
    pub fingerprint: Fingerprint,
    /// Seconds, at least 1.
    pub duration: i32,
    /// Pixels of the tallest rendition.
    pub height: i16,
    /// The storage group its files are to be in; until they are, the film is in the media folder.
    pub group: i32,
    /// Title in an address, for a title.
    pub dir: fn(&str) -> String,
}

/// How the work on an upload ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkOutcome {
    /// With this video, whose member chooses a screenshot next.
    Video(i64),
    /// There is a video of the same bytes already.
    Duplicate,
    /// Its member has this video of the same film already, encoded in another way.
    Again(i64),
    /// A video of the same bytes was taken down for good.
    Banned,
    /// Somebody else has the job, or the upload is gone: what was made is nobody's.
    Lost,
}

/// From this height on a film is HD.
const HD: i16 = 720;

/// Makes a video of an upload and ends its job, both or neither. `bounds` say when two films are one.
pub async fn finish(
    conn: &mut PgConnection,
    job: &Job,
    upload_id: i64,
    made: &FilmVideo<'_>,
    bounds: &Likeness,
) -> Result<WorkOutcome> {
    let mut transaction = conn.begin().await?;
    let conn = &mut *transaction;
    // One after the other, so that the same film sent twice at once, in whatever encoding, finds itself.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('films', 0))").execute(&mut *conn).await?;
    if let Some(refused) = refusal(conn, made.sha256).await? {
        return Ok(refused);
    }
    if !jobs::finish(conn, job, None).await? {
        return Ok(WorkOutcome::Lost);
    }
    let query = sqlx::query!(
        r#"select user_id, metadata as "details: Json<FilmDetails>" from uploads where id = $1 and state = 'processing' for update"#,
        upload_id
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(WorkOutcome::Lost) };
    let like = fingerprints::find(conn, &made.fingerprint, bounds).await?;
    // Of somebody who films in one room every day a person decides; what is somebody else's is shown to who decides, too.
    let sure = made.fingerprint.spread() * f32::from(bounds.spread_percent) / 100.0;
    let own = |other: &&LikeFilm| !other.is_banned && other.user_id == Some(row.user_id) && other.distance < sure;
    if let Some(own) = like.iter().find(own) {
        return Ok(WorkOutcome::Again(own.video_id));
    }
    let Json(details) = row.details;
    let query = sqlx::query_scalar!(
        "insert into videos (dir, title, lang, description, gender, duration, status_id, is_private, is_hd, media_key, height, user_id)
         values ($1, $2, $3, $4, $5, $6, 3, $7, $8, $9, $10, $11) returning id",
        (made.dir)(&details.title),
        details.title,
        details.lang,
        details.description,
        details.gender,
        made.duration,
        details.is_private,
        made.height >= HD,
        made.media_key,
        made.height,
        row.user_id
    );
    let video_id = query.fetch_one(&mut *conn).await?;
    link(conn, video_id, &details).await?;
    fingerprints::keep(conn, video_id, &made.fingerprint, &like).await?;
    if let Some(origin) = &details.origin {
        imports::carry(conn, video_id, origin).await?;
    }
    sqlx::query!(
        "update uploads set state = 'done', video_id = $2, sha256 = $3, ended_at = now() where id = $1",
        upload_id,
        video_id,
        made.sha256
    )
    .execute(&mut *conn)
    .await?;
    storage::request_moves(conn, made.group, Some(video_id)).await?;
    transaction.commit().await?;
    Ok(WorkOutcome::Video(video_id))
}

/// Ends an upload of which there will be no video, and its job, with the reason; `code` is one of `config/errors.toml`. False when
/// somebody else has the job.
pub async fn fail(pool: &PgPool, job: &Job, upload_id: i64, code: &str, why: &str) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    if !jobs::finish(&mut transaction, job, Some(why)).await? {
        return Ok(false);
    }
    sqlx::query!(
        "update uploads set state = 'failed', error_code = $2, ended_at = now() where id = $1 and state = 'processing'",
        upload_id,
        code
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}
