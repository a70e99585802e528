//! Films on their way from upload to video: their metadata, their processing job and its outcome.

mod outcome;
mod own;
mod remake;
mod replacement;
mod schedule;
mod selection;

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, types::Json};
use time::OffsetDateTime;

pub(crate) use self::replacement::{reject, swap};
pub use self::{
    outcome::{FailedFilm, FilmFailure, FilmVideo, WorkOutcome, fail, failed, finish, refusal, retry},
    own::{OwnFilm, PosterOutcome, choose, choose_for_absent, duration, own, revise, set_poster},
    remake::{
        RemadeFilm, Remake, RemakeOutcome, RemakeSource, RemakeTotals, UnneededRemake, drop_former, finish_remake,
        is_upload_waiting, remake_source, remake_totals, retry_remake,
    },
    replacement::{CancelOutcome, cancel},
    schedule::{ScheduleOutcome, is_within, publish_due, schedule},
    selection::{SelectedFilm, Selection, request_remakes, select},
};
use crate::{Result, imports::Origin, queue::FILM};

/// Metadata that a member enters for a film or an album.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilmDetails {
    /// Title as entered.
    pub title: String,
    /// Description, which may be empty.
    pub description: String,
    /// Language of title and description.
    pub lang: String,
    /// Wire code of the orientation.
    pub gender: String,
    /// Dirs of the categories.
    pub categories: Vec<String>,
    /// Dirs of the models.
    pub models: Vec<String>,
    /// Chapters as stored ([`crate::chapters`]). Empty for an album, or if those in the description count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub chapters: String,
    /// Whether the object is private. Private films are visible only to members, private albums only to their owner.
    pub is_private: bool,
    /// When the video is published if it is approved by then. `None` publishes it as soon as it is approved. Albums have no
    /// such time.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "time::serde::rfc3339::option")]
    pub publish_at: Option<OffsetDateTime>,
    /// Data carried over from another system. `None` for members' uploads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

/// Processing step of a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The file is being probed.
    Checking,
    /// The renditions are being encoded.
    Encoding,
    /// The screenshots are being extracted.
    Pictures,
}

/// Payload of a job that processes a film.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilmProgress {
    /// Id of the upload.
    pub upload: i64,
    /// Current step, or `None` before processing starts.
    pub step: Option<Step>,
    /// Progress of the step, 0 to 100.
    #[serde(default)]
    pub percent: u8,
}

/// Returns those of the dirs that match no category.
pub async fn unknown_categories(conn: &mut PgConnection, dirs: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select dir as "dir!" from unnest($1::text[]) as d(dir)
           where not exists (select from categories c where c.dir = d.dir)"#,
        dirs
    );
    Ok(query.fetch_all(conn).await?)
}

/// Returns those of the dirs that match no model.
pub async fn unknown_models(conn: &mut PgConnection, dirs: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select dir as "dir!" from unnest($1::text[]) as d(dir)
           where not exists (select from models m where m.dir = d.dir)"#,
        dirs
    );
    Ok(query.fetch_all(conn).await?)
}

/// Stores the metadata for a member's upload that has no video yet, and enqueues processing if the upload is complete.
/// Returns `false` if there is no such upload.
pub async fn describe(
    pool: &PgPool,
    token: &str,
    user_id: i64,
    details: &FilmDetails,
    is_exclusive: bool,
) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let query = sqlx::query_scalar!(
        "update uploads set metadata = $3, is_exclusive = $4, described_at = now()
         where token = $1 and user_id = $2 and state in ('receiving', 'received', 'processing') and replaces is null returning id",
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

/// Completes an upload that was sent in a single form with its metadata, and enqueues processing. Returns `false` if
/// the upload is gone or empty.
pub async fn complete(
    pool: &PgPool,
    id: i64,
    details: &FilmDetails,
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

/// Enqueues processing for uploads that are complete and have metadata: for one such upload, or for all. Returns their
/// number.
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
        FILM
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// An upload to process.
#[derive(Debug, Clone)]
pub struct Film {
    /// Id of the upload.
    pub id: i64,
    /// Name of the upload's file.
    pub token: String,
    /// Size of the file in bytes.
    pub size_bytes: i64,
    /// Whether it was produced exclusively for this site.
    pub is_exclusive: bool,
    /// Whether an operator imported it from another system.
    pub is_imported: bool,
    /// Id of the video whose film it is to replace.
    pub replaces: Option<i64>,
    /// Storage group of the upload's pieces, or 0 for a file on the node that received it.
    pub group: i32,
}

/// Returns the upload that a job refers to, or `None` if it is gone or needs no processing.
pub async fn find(conn: &mut PgConnection, upload_id: i64) -> Result<Option<Film>> {
    let query = sqlx::query_as!(
        Film,
        r#"select id, token, size_bytes, is_exclusive, metadata->>'origin' is not null as "is_imported!", replaces, sg_id as "group"
           from uploads where id = $1 and state = 'processing'"#,
        upload_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Links a video to its categories and models. Those deleted in the meantime are skipped.
async fn link(conn: &mut PgConnection, video_id: i64, details: &FilmDetails) -> Result<()> {
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
