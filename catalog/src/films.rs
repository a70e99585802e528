//! Films on their way from an upload to a video: what their member says of them, the job that works on them, and what came of it.

use lantern_config::Likeness;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, types::Json};
use time::OffsetDateTime;

use crate::{
    Result,
    fingerprints::{self, Fingerprint, Like},
    imports::{self, Origin},
    jobs::{self, Job},
    storage,
};

/// Kind of the jobs; the payload is a [`Progress`].
pub const KIND: &str = "film";

/// What a member says of a film or an album.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// Its title.
    pub title: String,
    /// Its description, which may be empty.
    pub description: String,
    /// Language of both.
    pub lang: String,
    /// Wire code of the orientation.
    pub gender: String,
    /// Dirs of its categories.
    pub categories: Vec<String>,
    /// Dirs of its models.
    pub models: Vec<String>,
    /// A private film is for members alone, a private album for its owner.
    pub is_private: bool,
    /// What it brings along from another system; `None` for what members upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

/// What is done with a film at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Reading what the file holds.
    Checking,
    /// Making its renditions.
    Encoding,
    /// Taking its pictures.
    Pictures,
}

/// Payload of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Id of the upload.
    pub upload: i64,
    /// `None` before the first moment of work.
    pub step: Option<Step>,
    /// How much of the step is done, 0 to 100.
    #[serde(default)]
    pub percent: u8,
}

/// Those of the dirs that no category has.
pub async fn unknown_categories(conn: &mut PgConnection, dirs: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select dir as "dir!" from unnest($1::text[]) as d(dir)
           where not exists (select from categories c where c.dir = d.dir)"#,
        dirs
    );
    Ok(query.fetch_all(conn).await?)
}

/// Those of the dirs that no model has.
pub async fn unknown_models(conn: &mut PgConnection, dirs: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select dir as "dir!" from unnest($1::text[]) as d(dir)
           where not exists (select from models m where m.dir = d.dir)"#,
        dirs
    );
    Ok(query.fetch_all(conn).await?)
}

/// Takes down what a member says of an own upload that nothing was made of yet, and lets the work begin if it is whole. False when
/// there is no such upload.
pub async fn describe(pool: &PgPool, token: &str, user_id: i64, details: &Details, is_exclusive: bool) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let query = sqlx::query_scalar!(
        "update uploads set metadata = $3, is_exclusive = $4, described_at = now()
         where token = $1 and user_id = $2 and state in ('receiving', 'received', 'processing') returning id",
        token,
        user_id,
        Json(details) as _,
        is_exclusive
    );
    let Some(id) = query.fetch_optional(&mut *transaction).await? else { return Ok(false) };
    begin(&mut transaction, Some(id)).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Ends an upload that came in one form with what its member says of it, and lets the work begin. False when it is gone, or nothing came.
pub async fn complete(
    pool: &PgPool,
    id: i64,
    details: &Details,
    is_exclusive: bool,
    expires_at: OffsetDateTime,
) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let query = sqlx::query!(
        "update uploads set size_bytes = received_bytes, state = 'received', metadata = $2, is_exclusive = $3, expires_at = $4,
                described_at = now()
         where id = $1 and state in ('receiving', 'received') and received_bytes > 0",
        id,
        Json(details) as _,
        is_exclusive,
        expires_at
    );
    if query.execute(&mut *transaction).await?.rows_affected() == 0 {
        return Ok(false);
    }
    begin(&mut transaction, Some(id)).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Asks for the work on what is whole and described: on one upload, or on all. Returns how many there were.
pub async fn begin(conn: &mut PgConnection, id: Option<i64>) -> Result<u64> {
    let query = sqlx::query!(
        "with ready as materialized (
             select id from uploads where ($1::bigint is null or id = $1) and state = 'received' and described_at is not null
             for update skip locked),
         queued as (
             insert into jobs (kind, payload) select $2, jsonb_build_object('upload', id) from ready
             returning id, (payload->>'upload')::bigint as upload_id)
         update uploads u set state = 'processing', job_id = q.id from queued q where u.id = q.upload_id",
        id,
        KIND
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// An upload to work on.
#[derive(Debug, Clone)]
pub struct Film {
    /// Id of the upload.
    pub id: i64,
    /// Name of its file.
    pub token: String,
    /// Bytes of the file.
    pub size_bytes: i64,
    /// Whether it was made for this site alone.
    pub is_exclusive: bool,
}

/// The upload of a job; `None` when it is gone, or needs no work.
pub async fn find(conn: &mut PgConnection, upload_id: i64) -> Result<Option<Film>> {
    let query = sqlx::query_as!(
        Film,
        "select id, token, size_bytes, is_exclusive from uploads where id = $1 and state = 'processing'",
        upload_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Why nothing may be made of these bytes: a video that wasn't deleted is of them, or one that was taken down for good.
pub async fn refusal(conn: &mut PgConnection, sha256: &[u8]) -> Result<Option<Ended>> {
    let query = sqlx::query!(
        r#"select exists (select from banned_films where sha256 = $1) as "banned!",
                  exists (select from uploads u join videos v on v.id = u.video_id
                          where u.sha256 = $1 and v.status_id <> 5) as "known!""#,
        sha256
    );
    let found = query.fetch_one(conn).await?;
    Ok(if found.banned {
        Some(Ended::Banned)
    } else if found.known {
        Some(Ended::Duplicate)
    } else {
        None
    })
}

/// What was made of an upload.
#[derive(Debug, Clone)]
pub struct Made<'a> {
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
pub enum Ended {
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
pub async fn finish(pool: &PgPool, job: &Job, upload_id: i64, made: &Made<'_>, bounds: &Likeness) -> Result<Ended> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    // One after the other, so that the same film sent twice at once, in whatever encoding, finds itself.
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('films', 0))").execute(&mut *conn).await?;
    if let Some(refused) = refusal(conn, made.sha256).await? {
        return Ok(refused);
    }
    if !jobs::finish(conn, job, None).await? {
        return Ok(Ended::Lost);
    }
    let query = sqlx::query!(
        r#"select user_id, metadata as "details: Json<Details>" from uploads where id = $1 and state = 'processing' for update"#,
        upload_id
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(Ended::Lost) };
    let like = fingerprints::find(conn, &made.fingerprint, bounds).await?;
    // Of somebody who films in one room every day a person decides; what is somebody else's is shown to who decides, too.
    let sure = made.fingerprint.spread() * f32::from(bounds.spread_percent) / 100.0;
    let own = |other: &&Like| !other.is_banned && other.user_id == Some(row.user_id) && other.distance < sure;
    if let Some(own) = like.iter().find(own) {
        return Ok(Ended::Again(own.video_id));
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
    Ok(Ended::Video(video_id))
}

/// Links a video to its categories and models; what is gone meanwhile is left out.
async fn link(conn: &mut PgConnection, video_id: i64, details: &Details) -> Result<()> {
    sqlx::query!(
        "insert into video_categories (video_id, category_id) select $1, id from categories where dir = any($2)",
        video_id,
        &details.categories
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "insert into video_models (video_id, model_id) select $1, id from models where dir = any($2)",
        video_id,
        &details.models
    )
    .execute(conn)
    .await?;
    Ok(())
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

/// An own video, as its form shows it.
#[derive(Debug, Clone)]
pub struct Own {
    /// What its member said of it.
    pub details: Details,
    /// 1 active … 4 rejected.
    pub status_id: i16,
    /// Folder of its files.
    pub media_key: Option<String>,
    /// Which screenshot is its picture, 0 to 9.
    pub shot: i16,
}

/// An own video that isn't deleted.
pub async fn own(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<Option<Own>> {
    let query = sqlx::query!(
        r#"select title, description, lang, gender, is_private, status_id, media_key, shot,
                  array(select c.dir from video_categories l join categories c on c.id = l.category_id
                        where l.video_id = v.id order by c.dir) as "categories!",
                  array(select m.dir from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.dir) as "models!"
           from videos v where id = $1 and user_id = $2 and status_id <> 5"#,
        video_id,
        user_id
    );
    Ok(query.fetch_optional(conn).await?.map(|row| Own {
        details: Details {
            title: row.title,
            description: row.description,
            lang: row.lang,
            gender: row.gender,
            categories: row.categories,
            models: row.models,
            is_private: row.is_private,
            origin: None,
        },
        status_id: row.status_id,
        media_key: row.media_key,
        shot: row.shot,
    }))
}

/// Says something else of an own video. Unless only who may watch it differs, a person decides on it anew. Returns its state then;
/// `None` when there is no such video.
pub async fn revise(pool: &PgPool, user_id: i64, video_id: i64, details: &Details) -> Result<Option<i16>> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let locked = sqlx::query!("select from videos where id = $1 and user_id = $2 for update", video_id, user_id);
    if locked.fetch_optional(&mut *conn).await?.is_none() {
        return Ok(None);
    }
    let Some(before) = own(conn, user_id, video_id).await? else { return Ok(None) };
    let is_same = Details { is_private: before.details.is_private, origin: None, ..details.clone() } == before.details;
    let status_id = if is_same || before.status_id == CHOOSES { before.status_id } else { WAITS };
    sqlx::query!(
        "update videos set title = $2, description = $3, lang = $4, gender = $5, is_private = $6, status_id = $7,
                revision = revision + case when $8 then 0 else 1 end where id = $1",
        video_id,
        details.title,
        details.description,
        details.lang,
        details.gender,
        details.is_private,
        status_id,
        is_same
    )
    .execute(&mut *conn)
    .await?;
    if !is_same {
        // What reports hid was another video: when they turn out wrong, this one isn't shown for it.
        sqlx::query!("delete from report_hides where section = 'video' and object_id = $1", video_id)
            .execute(&mut *conn)
            .await?;
        // What others translated was the old text.
        sqlx::query!("delete from video_translations where video_id = $1", video_id).execute(&mut *conn).await?;
        sqlx::query!("delete from video_categories where video_id = $1", video_id).execute(&mut *conn).await?;
        sqlx::query!("delete from video_models where video_id = $1", video_id).execute(&mut *conn).await?;
        link(conn, video_id, details).await?;
    }
    transaction.commit().await?;
    Ok(Some(status_id))
}

/// State of a video that waits for a decision.
const WAITS: i16 = 2;
/// State of a video whose member chooses a screenshot.
const CHOOSES: i16 = 3;

/// Takes a screenshot, 0 to 9, for the picture of an own video; one that had none waits for a decision then. Returns its state;
/// `None` when there is no such video.
pub async fn choose(conn: &mut PgConnection, user_id: i64, video_id: i64, shot: i16) -> Result<Option<i16>> {
    let query = sqlx::query_scalar!(
        "update videos set shot = $3, revision = revision + 1, status_id = case when status_id = 3 then 2 else status_id end
         where id = $2 and user_id = $1 and status_id <> 5 and media_key is not null returning status_id",
        user_id,
        video_id,
        shot
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Chooses for members who didn't since `hours`: the screenshot in the middle. Returns how many videos wait for a decision now.
pub async fn choose_for_absent(conn: &mut PgConnection, hours: u32) -> Result<u64> {
    let query = sqlx::query!(
        "update videos set shot = 4, status_id = 2
         where id in (select v.id from uploads u join videos v on v.id = u.video_id
                      where v.status_id = 3 and u.ended_at < now() - make_interval(hours => $1) limit 500)",
        i32::try_from(hours).unwrap_or(i32::MAX)
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Those of the folders that no video has.
pub async fn unnamed(pool: &PgPool, folders: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select key as "key!" from unnest($1::text[]) as f(key)
           where not exists (select from videos v where v.media_key = f.key)"#,
        folders
    );
    Ok(query.fetch_all(pool).await?)
}
