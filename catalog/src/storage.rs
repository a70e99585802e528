//! Which storage group the files of a film are in, how they move to another, and what is to be removed.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};

use crate::{
    Result,
    jobs::{self, Job},
    run,
};

/// Kind of the jobs that move a film; the payload is a [`Move`].
pub const KIND: &str = "film_move";

/// Payload of such a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Id of the video.
    pub video: i64,
    /// Folder of its files.
    pub key: String,
    /// The group they are to be in.
    pub to: i32,
}

/// The group of the film in this folder; `None` where no video names it.
pub async fn group_of(pool: &PgPool, folder: &str) -> Result<Option<i32>> {
    let query = sqlx::query_scalar!(
        "select sg_id from videos where (media_key = $1 and visible) or (media_key = $1 and not visible) limit 1",
        folder
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Asks that films move to a group: that of one video, or all that are elsewhere and not on their way. Returns how many.
pub async fn request_moves(conn: &mut PgConnection, to: i32, video_id: Option<i64>) -> Result<u64> {
    let query = sqlx::query!(
        "insert into jobs (kind, payload)
         select $1, jsonb_build_object('video', v.id, 'key', v.media_key, 'to', $2::integer) from videos v
         where v.media_key like 'films/%' and v.sg_id <> $2 and v.status_id <> 5 and ($3::bigint is null or v.id = $3)
           and not exists (select from jobs j where j.kind = $1 and j.state in ('queued', 'running')
                           and j.payload->>'key' = v.media_key and (j.payload->>'to')::integer = $2)",
        KIND,
        to,
        video_id
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Films of uploads by their group: its number, and how many.
pub async fn totals(conn: &mut PgConnection) -> Result<Vec<(i32, i64)>> {
    let query = sqlx::query!(
        r#"select sg_id, count(*) as "films!" from videos where media_key like 'films/%' group by sg_id order by sg_id"#
    );
    Ok(query.fetch_all(conn).await?.into_iter().map(|row| (row.sg_id, row.films)).collect())
}

/// What is to be done yet.
#[derive(Debug, Clone)]
pub struct WaitingFiles {
    /// Films to be moved.
    pub moves: i64,
    /// Why one of them was not, when that was tried last.
    pub last_error: Option<String>,
    /// Folders of films to be removed now.
    pub removals: i64,
}

/// What waits.
pub async fn waiting(conn: &mut PgConnection) -> Result<WaitingFiles> {
    let query = sqlx::query_as!(
        WaitingFiles,
        r#"select count(*) as "moves!", max(last_error) as last_error,
                  (select count(*) from film_removals where due_at <= now() + interval '1 minute') as "removals!"
           from jobs where kind = $1 and state in ('queued', 'running')"#,
        KIND
    );
    Ok(query.fetch_one(conn).await?)
}

/// How a move begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveStart {
    /// The film is in this group, and stays there until the move ends.
    From(i32),
    /// Files of it are being removed from the group it is to be in: it has to wait for that.
    Removing,
    /// No video has this film any more.
    Unneeded,
}

/// Begins a move, whose job is running. What was to be removed from the new group stays, unless that has begun.
pub async fn begin_move(pool: &PgPool, film: &Move) -> Result<MoveStart> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &film.key).await?;
    sqlx::query!(
        "delete from film_removals where media_key = $1 and sg_id = $2 and begun_at is null",
        film.key,
        film.to
    )
    .execute(&mut *conn)
    .await?;
    let query = sqlx::query!(
        r#"select (select sg_id from videos where id = $1 and media_key = $2) as "group",
                  exists (select from film_removals where media_key = $2 and sg_id = $3) as "removing!""#,
        film.video,
        film.key,
        film.to
    );
    let found = query.fetch_one(&mut *conn).await?;
    transaction.commit().await?;
    Ok(match found.group {
        None => MoveStart::Unneeded,
        Some(group) if group != film.to && found.removing => MoveStart::Removing,
        Some(group) => MoveStart::From(group),
    })
}

/// Waits for whoever names, moves or removes this film, and keeps others from it until the transaction ends.
async fn lock_film(conn: &mut PgConnection, key: &str) -> Result<()> {
    sqlx::query!("select lock_film($1)", key).fetch_one(conn).await?;
    Ok(())
}

/// Says that a film is in its new group, whose files are all there, and lets those in the former one go after `pause`. False when
/// the video or the job is not what it was.
pub async fn end_move(pool: &PgPool, job: &Job, film: &Move, from: i32, pause: Duration) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query!(
        "update videos set sg_id = $3 where id = $1 and media_key = $2 and sg_id = $4",
        film.video,
        film.key,
        film.to,
        from
    );
    let is_moved = query.execute(&mut *conn).await?.rows_affected() == 1;
    if !is_moved || !jobs::finish(conn, job, None).await? {
        return Ok(false);
    }
    add_removal(conn, &film.key, from, pause).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Ends a job without a move, with the reason when it failed; what it put into the group goes, too, unless a video names it. False when
/// the job is somebody else's.
pub async fn abandon_move(pool: &PgPool, job: &Job, film: &Move, failure: Option<&str>) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    if !jobs::finish(&mut transaction, job, failure).await? {
        return Ok(false);
    }
    add_removal(&mut transaction, &film.key, film.to, Duration::ZERO).await?;
    transaction.commit().await?;
    Ok(true)
}

async fn add_removal(conn: &mut PgConnection, key: &str, group: i32, pause: Duration) -> Result<()> {
    let query = sqlx::query!(
        "insert into film_removals (media_key, sg_id, due_at) values ($1, $2, now() + make_interval(secs => $3))",
        key,
        group,
        pause.as_secs_f64()
    );
    run(query, conn).await
}

/// Takes films and pictures out of the catalog whose videos were deleted `hours` ago with no day to come back; how many films. A
/// video without its film can't come back. While reports of one wait, or it is quarantined, its files stay.
pub async fn drop_deleted(conn: &mut PgConnection, hours: u32) -> Result<u64> {
    let hours = i32::try_from(hours).unwrap_or(i32::MAX);
    sqlx::query!(
        "update videos set picture_key = null where id in (
             select id from videos
             where deleted_at < now() - make_interval(hours => $1) and readd_at is null and picture_key is not null
               and not is_held('video', id)
               and not exists (select from quarantines q where q.section = 'video' and q.object_id = videos.id)
             order by deleted_at limit 500 for update skip locked)",
        hours
    )
    .execute(&mut *conn)
    .await?;
    let query = sqlx::query!(
        "with gone as (
             select id, media_key, sg_id from videos
             where deleted_at < now() - make_interval(hours => $1) and readd_at is null and media_key like 'films/%'
               and not is_held('video', id)
               and not exists (select from quarantines q where q.section = 'video' and q.object_id = videos.id)
             order by deleted_at limit 500 for update skip locked),
         dropped as (
             update videos v set media_key = null, restore_status_id = null from gone where v.id = gone.id
             returning gone.media_key, gone.sg_id)
         insert into film_removals (media_key, sg_id) select distinct media_key, sg_id from dropped",
        hours
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// A folder, or a picture, to be removed from a group.
#[derive(Debug, Clone)]
pub struct Removal {
    /// Its id.
    pub id: i64,
    /// The folder, or the picture's key.
    pub media_key: String,
    /// The group.
    pub sg_id: i32,
}

/// Takes what is due to be removed for the time of `lease`, within which the work on it has to end: then it comes again.
pub async fn claim_removal(conn: &mut PgConnection, lease: Duration) -> Result<Option<Removal>> {
    let query = sqlx::query_as!(
        Removal,
        "update film_removals set due_at = now() + make_interval(secs => $1)
         where id = (select id from film_removals where due_at <= now() order by due_at, id limit 1 for update skip locked)
         returning id, media_key, sg_id",
        lease.as_secs_f64()
    );
    Ok(query.fetch_optional(conn).await?)
}

/// What becomes of a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalStart {
    /// The files may go: nothing names them, and nothing will until the removal ends.
    Begun,
    /// A video names them, so they stay, and the removal has ended.
    Named,
    /// A move that is under way puts files there.
    Waits,
}

/// Decides on a removal that was taken.
pub async fn begin_removal(pool: &PgPool, removal: &Removal) -> Result<RemovalStart> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &removal.media_key).await?;
    let named = sqlx::query!(
        "delete from film_removals r where id = $1
           and (exists (select from videos v where v.sg_id = r.sg_id
                          and ((v.media_key = r.media_key and v.visible) or (v.media_key = r.media_key and not v.visible)))
                or exists (select from videos v where v.picture_key = r.media_key))",
        removal.id
    );
    if named.execute(&mut *conn).await?.rows_affected() == 1 {
        transaction.commit().await?;
        return Ok(RemovalStart::Named);
    }
    let begun = sqlx::query!(
        "update film_removals r set begun_at = coalesce(begun_at, now()) where id = $1
           and (begun_at is not null
                or not exists (select from jobs j where j.kind = 'film_move' and j.state = 'running'
                               and j.payload->>'key' = r.media_key and (j.payload->>'to')::integer = r.sg_id))",
        removal.id
    );
    let is_begun = begun.execute(&mut *conn).await?.rows_affected() == 1;
    transaction.commit().await?;
    Ok(if is_begun { RemovalStart::Begun } else { RemovalStart::Waits })
}

/// Lets a removal that was taken come again after `pause`.
pub async fn postpone_removal(conn: &mut PgConnection, id: i64, pause: Duration) -> Result<()> {
    let query = sqlx::query!(
        "update film_removals set due_at = now() + make_interval(secs => $2) where id = $1",
        id,
        pause.as_secs_f64()
    );
    run(query, conn).await
}

/// Ends a removal.
pub async fn end_removal(conn: &mut PgConnection, id: i64) -> Result<()> {
    run(sqlx::query!("delete from film_removals where id = $1", id), conn).await
}

/// Has the media folder's films in these folders removed, as far as no video has them and their removal is not known yet; how many.
pub async fn remove_unnamed(conn: &mut PgConnection, folders: &[String]) -> Result<u64> {
    let query = sqlx::query!(
        "insert into film_removals (media_key, sg_id)
         select key, 0 from unnest($1::text[]) as f(key)
         where not exists (select from videos v where v.media_key = f.key)
           and not exists (select from film_removals r where r.media_key = f.key)",
        folders
    );
    Ok(query.execute(conn).await?.rows_affected())
}
