//! Outcome of processing an upload: a video, or the reason why there is none.

use lantern_config::Likeness;
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, PgPool, types::Json};

use super::{FilmDetails, link};
use crate::{
    Error, Result,
    audio_tracks::AudioTrack,
    captions::{self, CaptionTrack},
    chapters::{self, Chapter},
    fingerprints::{self, Fingerprint, LikeFilm},
    imports,
    originals::{self, NewOriginal},
    queue::{self, Job},
    storage,
    video_codec::VideoCodec,
};

/// Returns why these bytes are refused, if they are: a video that isn't deleted has the same bytes, or the bytes are
/// banned. `replaces` is the video whose film they are to replace.
pub async fn refusal(conn: &mut PgConnection, sha256: &[u8], replaces: Option<i64>) -> Result<Option<WorkOutcome>> {
    let query = sqlx::query!(
        r#"select exists (select from media_prints where digest = $1 and banned_at is not null) as "banned!",
                  exists (select from uploads u join videos v on v.id = u.video_id
                          where u.sha256 = $1 and v.status_id <> deleted()) as "known!",
                  exists (select from uploads where sha256 = $1 and video_id = $2) as "same!""#,
        sha256,
        replaces
    );
    let found = query.fetch_one(conn).await?;
    Ok(if found.banned {
        Some(WorkOutcome::Banned)
    } else if found.same {
        Some(WorkOutcome::Same)
    } else if found.known {
        Some(WorkOutcome::Duplicate)
    } else {
        None
    })
}

/// Result of processing an upload.
#[derive(Debug, Clone)]
pub struct FilmVideo<'a> {
    /// Folder of the files.
    pub media_key: &'a str,
    /// Storage group that contains them.
    pub home: i32,
    /// Hash of the uploaded bytes.
    pub sha256: &'a [u8],
    /// Perceptual fingerprint.
    pub fingerprint: Fingerprint,
    /// Duration in seconds, at least 1.
    pub duration: i32,
    /// Chapters of the uploaded file.
    pub chapters: &'a [Chapter],
    /// Audio tracks in the order in which players list them, if there are several. Empty otherwise.
    pub audio_tracks: &'a [AudioTrack],
    /// Height of the tallest rendition in pixels.
    pub height: i16,
    /// Codec of the second set of renditions, if there is one.
    pub second_codec: Option<VideoCodec>,
    /// What the renditions were made with.
    pub encoding: &'a Value,
    /// Whether the film is silent because its audio couldn't be decoded.
    pub has_lost_audio: bool,
    /// Storage group to move the files to, which may be the same.
    pub group: i32,
    /// The uploaded file, if it is kept.
    pub original: Option<NewOriginal<'a>>,
    /// Captions that the file contained, with their cues as JSON.
    pub captions: &'a [(CaptionTrack, Value)],
    /// Converts a title to its path segment.
    pub dir: fn(&str) -> String,
}

/// How processing an upload ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkOutcome {
    /// This video was created. Next, its member chooses a screenshot.
    Video(i64),
    /// A video with the same bytes exists.
    Duplicate,
    /// The video whose film it is to replace has the same bytes.
    Same,
    /// The member already has this video, which is the same film in another encoding.
    Again(i64),
    /// These bytes are banned by a takedown.
    Banned,
    /// Another worker holds the job, or the upload is gone. The result is to be discarded.
    Lost,
}

/// Minimum height of HD in pixels.
pub(super) const HD: i16 = 720;
/// Screenshot of a video whose member chooses none.
const MIDDLE_SHOT: i16 = 4;

/// Creates a video from an upload and finishes its job, atomically. `bounds` define when two films count as the same.
pub async fn finish(
    conn: &mut PgConnection,
    job: &Job,
    upload_id: i64,
    made: &FilmVideo<'_>,
    bounds: &Likeness,
) -> Result<WorkOutcome> {
    let mut transaction = conn.begin().await?;
    let conn = &mut *transaction;
    // The calls are serialized, so that concurrent uploads of the same film, in any encoding, find each other.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('films', 0))").execute(&mut *conn).await?;
    let Some(replaces) = lock_replaced(conn, upload_id).await? else { return Ok(WorkOutcome::Lost) };
    if let Some(refused) = refusal(conn, made.sha256, replaces).await? {
        return Ok(refused);
    }
    if !queue::finish(conn, job, None).await? {
        return Ok(WorkOutcome::Lost);
    }
    let query = sqlx::query!(
        "select user_id, metadata from uploads where id = $1 and state = 'processing' for update",
        upload_id
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(WorkOutcome::Lost) };
    let mut like = fingerprints::find(conn, &made.fingerprint, bounds).await?;
    // A new film of a video may look like the one it replaces.
    like.retain(|other| other.is_banned || Some(other.video_id) != replaces);
    // A member who films every day in one room has similar films, which need a person's decision. Matches owned by
    // other members are shown to the moderator too.
    let sure = made.fingerprint.spread() * f32::from(bounds.spread_percent) / 100.0;
    let own = |other: &&LikeFilm| !other.is_banned && other.user_id == Some(row.user_id) && other.distance < sure;
    if let Some(own) = like.iter().find(own) {
        return Ok(WorkOutcome::Again(own.video_id));
    }
    let video_id = match replaces {
        Some(replaced) => add_replacement(conn, replaced, made).await?,
        None => add_video(conn, row.user_id, row.metadata, made).await?,
    };
    for (track, cues) in made.captions {
        captions::add_of_film(conn, video_id, track, cues).await?;
    }
    fingerprints::keep(conn, video_id, &made.fingerprint, &like).await?;
    sqlx::query!(
        "update uploads set state = 'done', video_id = $2, sha256 = $3, ended_at = now() where id = $1",
        upload_id,
        video_id,
        made.sha256
    )
    .execute(&mut *conn)
    .await?;
    storage::request_moves(conn, made.group, Some(video_id)).await?;
    if let Some(original) = &made.original {
        originals::keep(conn, video_id, made.sha256, original).await?;
    }
    transaction.commit().await?;
    Ok(WorkOutcome::Video(video_id))
}

/// Locks the video whose film an upload is to replace. A deletion locks the video before its uploads, too. Returns its id,
/// an inner `None` for an ordinary upload, and `None` if there is no such upload.
async fn lock_replaced(conn: &mut PgConnection, upload_id: i64) -> Result<Option<Option<i64>>> {
    let query = sqlx::query_scalar!("select replaces from uploads where id = $1", upload_id);
    let Some(replaces) = query.fetch_optional(&mut *conn).await? else { return Ok(None) };
    sqlx::query!("select from videos where id = $1 for update", replaces).fetch_optional(conn).await?;
    Ok(Some(replaces))
}

/// Creates the video of an ordinary upload.
async fn add_video(conn: &mut PgConnection, user_id: i64, metadata: Value, made: &FilmVideo<'_>) -> Result<i64> {
    let details: FilmDetails = serde_json::from_value(metadata)
        .map_err(|error| Error::Inconsistent(format!("metadata of an upload: {error}")))?;
    let query = sqlx::query_scalar!(
        "insert into videos (dir, title, lang, description, gender, duration, status_id, is_private, is_hd, media_key, height, user_id,
                             has_lost_audio, publish_at, chapters, audio_tracks, second_codec, encoding, sg_id)
         values ($1, $2, $3, $4, $5, $6, draft(), $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) returning id",
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
        user_id,
        made.has_lost_audio,
        details.publish_at,
        chapters_of(&details, made),
        Json(made.audio_tracks) as _,
        made.second_codec.map(VideoCodec::as_str),
        made.encoding,
        made.home
    );
    let video_id = query.fetch_one(&mut *conn).await?;
    link(conn, video_id, &details).await?;
    if let Some(origin) = &details.origin {
        imports::apply_origin(conn, video_id, origin).await?;
    }
    Ok(video_id)
}

/// Creates the replacement of a video, with the video's texts and the middle screenshot. It awaits a decision.
async fn add_replacement(conn: &mut PgConnection, replaced: i64, made: &FilmVideo<'_>) -> Result<i64> {
    let query = sqlx::query_scalar!(
        "insert into videos (dir, title, lang, description, gender, duration, status_id, is_private, is_hd, media_key, height, user_id,
                             has_lost_audio, chapters, shot, audio_tracks, second_codec, encoding, sg_id, replaces)
         select dir, title, lang, description, gender, $2, in_review(), is_private, $3, $4, $5, user_id, $6, $7, $8, $9, $10, $11, $12, id
         from videos where id = $1 returning id",
        replaced,
        made.duration,
        made.height >= HD,
        made.media_key,
        made.height,
        made.has_lost_audio,
        chapters::text(made.chapters),
        MIDDLE_SHOT,
        Json(made.audio_tracks) as _,
        made.second_codec.map(VideoCodec::as_str),
        made.encoding,
        made.home
    );
    Ok(query.fetch_one(conn).await?)
}

/// Why an upload fails.
#[derive(Debug, Clone, Copy)]
pub struct FilmFailure<'a> {
    /// One of the codes in `config/errors.toml`.
    pub code: &'a str,
    /// Reason for operators.
    pub why: &'a str,
    /// Hours for which the upload's file is retained at least, so that processing can be retried. `None` if the file is
    /// removed.
    pub keep_hours: Option<u32>,
}

/// Returns the chapters to store: those that the member wrote. If neither they nor the description have any, those of the file.
fn chapters_of(details: &FilmDetails, made: &FilmVideo<'_>) -> String {
    if details.chapters.is_empty() && chapters::described(&details.description, made.duration).is_empty() {
        return chapters::text(made.chapters);
    }
    details.chapters.clone()
}

/// Fails an upload and its job. Returns `false` if another worker holds the job.
pub async fn fail(pool: &PgPool, job: &Job, upload_id: i64, failure: &FilmFailure<'_>) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    if !queue::finish(&mut transaction, job, Some(failure.why)).await? {
        return Ok(false);
    }
    sqlx::query!(
        "update uploads set state = 'failed', error_code = $2, ended_at = now(), is_kept = $3::integer is not null,
                expires_at = greatest(expires_at, now() + make_interval(hours => coalesce($3, 0)))
         where id = $1 and state = 'processing'",
        upload_id,
        failure.code,
        failure.keep_hours.map(|hours| i32::try_from(hours).unwrap_or(i32::MAX))
    )
    .execute(&mut *transaction)
    .await?;
    sqlx::query!(
        "update imports set refused_code = $2, refused_why = $3 where upload_id = $1",
        upload_id,
        failure.code,
        failure.why
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}

/// A failed upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedFilm {
    /// Id of the upload.
    pub id: i64,
    /// Name of the upload's file.
    pub token: String,
    /// Size that the file had, in bytes.
    pub size_bytes: i64,
    /// Storage group of the upload's pieces, or 0 for a file on the node that received it.
    pub group: i32,
}

/// Returns the failed upload to which a failed job belongs, if it still exists.
pub async fn failed(conn: &mut PgConnection, job_id: i64) -> Result<Option<FailedFilm>> {
    let query = sqlx::query_as!(
        FailedFilm,
        r#"select id, token, size_bytes, sg_id as "group" from uploads where job_id = $1 and state = 'failed'"#,
        job_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Requeues a failed job and its upload, as if they had never been attempted. Returns `false` if there is no such pair, or its member
/// has sent another film in its place.
pub async fn retry(pool: &PgPool, job_id: i64) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let query = sqlx::query_scalar!(
        "update uploads set state = 'processing', error_code = null, ended_at = null, is_kept = false
         where job_id = $1 and state = 'failed'
           and not exists (select from uploads other where other.replaces = uploads.replaces and other.id <> uploads.id
                           and other.state in ('receiving', 'received', 'processing'))
           and not exists (select from videos v where v.replaces = uploads.replaces and v.status_id <> deleted())
         returning id",
        job_id
    );
    let Some(upload) = query.fetch_optional(&mut *transaction).await? else { return Ok(false) };
    sqlx::query!("update imports set refused_code = null, refused_why = null where upload_id = $1", upload)
        .execute(&mut *transaction)
        .await?;
    let payload = json!({ "upload": upload });
    if !queue::requeue(&mut transaction, job_id, Some(&payload)).await? {
        return Ok(false);
    }
    transaction.commit().await?;
    Ok(true)
}
