//! Films on their way from an upload to a video: what their member says of them, the job that works on them, and what came of it.

mod outcome;
mod own;

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool, types::Json};
use time::OffsetDateTime;

pub use self::{
    outcome::{FilmVideo, WorkOutcome, fail, finish, refusal},
    own::{OwnFilm, PosterOutcome, choose, choose_for_absent, own, revise, set_poster},
};
use crate::{Result, imports::Origin};

/// Kind of the jobs; the payload is a [`FilmProgress`].
pub const KIND: &str = "film";

/// What a member says of a film or an album.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilmDetails {
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
pub struct FilmProgress {
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

/// Films that wait for work or are worked on.
pub async fn waiting(conn: &mut PgConnection) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from jobs where kind = $1 and state in ('queued', 'running')"#,
        KIND
    );
    Ok(query.fetch_one(conn).await?)
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

/// Links a video to its categories and models; what is gone meanwhile is left out.
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
