//! Storage groups of films and originals: where the files are, how they are moved, and how they are removed.

pub mod pictures;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};

use crate::{
    Result, originals,
    queue::{self, FILM_MOVE, Job, PICTURE_MOVE},
    run,
};

/// Payload of a move job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// Id of the video.
    pub video: i64,
    /// Folder of the film's files, or of its original.
    pub key: String,
    /// Target group.
    pub to: i32,
}

/// Returns the group that contains the film or original in this folder, or `None` if no video references the folder.
pub async fn group_of(pool: &PgPool, folder: &str) -> Result<Option<i32>> {
    let query = sqlx::query_scalar!(
        r#"(select sg_id as "group!" from videos where (media_key = $1 and visible) or (media_key = $1 and not visible) limit 1)
           union all select sg_id from originals where media_key = $1
           union all select sg_id from former_films where media_key = $1"#,
        folder
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Enqueues moves to a group: either of one video's film, or of all films that are in other groups and aren't being
/// moved there yet. Returns the number of moves.
pub async fn request_moves(conn: &mut PgConnection, to: i32, video_id: Option<i64>) -> Result<u64> {
    let query = sqlx::query!(
        "insert into jobs (kind, payload)
         select $1, jsonb_build_object('video', v.id, 'key', v.media_key, 'to', $2::integer) from videos v
         where v.media_key like 'films/%' and v.sg_id <> $2 and v.status_id <> deleted() and ($3::bigint is null or v.id = $3)
           and not exists (select from jobs j where j.kind = $1 and j.state in ('queued', 'running')
                           and j.payload->>'key' = v.media_key and (j.payload->>'to')::integer = $2)",
        FILM_MOVE,
        to,
        video_id
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Counts uploaded films by group.
pub async fn totals(conn: &mut PgConnection) -> Result<Vec<(i32, i64)>> {
    let query = sqlx::query!(
        r#"select sg_id, count(*) as "films!" from videos where media_key like 'films/%' group by sg_id order by sg_id"#
    );
    Ok(query.fetch_all(conn).await?.into_iter().map(|row| (row.sg_id, row.films)).collect())
}

/// Pending file operations.
#[derive(Debug, Clone)]
pub struct WaitingFiles {
    /// Films to move.
    pub moves: i64,
    /// Pictures to move.
    pub picture_moves: i64,
    /// Error from a failed attempt to move one of them.
    pub last_error: Option<String>,
    /// Films, pictures and uploads due for removal.
    pub removals: i64,
}

/// Returns the pending file operations.
pub async fn waiting(conn: &mut PgConnection) -> Result<WaitingFiles> {
    let query = sqlx::query_as!(
        WaitingFiles,
        r#"select count(*) filter (where kind = $1) as "moves!", count(*) filter (where kind = $2) as "picture_moves!",
                  max(last_error) as last_error,
                  (select count(*) from jobs where kind = 'film_removal' and run_at <= now() + interval '1 minute') as "removals!"
           from jobs where kind in ($1, $2) and state in ('queued', 'running')"#,
        FILM_MOVE,
        PICTURE_MOVE
    );
    Ok(query.fetch_one(conn).await?)
}

/// Result of starting a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveStart {
    /// The film is in this group and stays there until the move ends.
    From(i32),
    /// The film's files are being removed from the target group, so the move has to wait.
    Removing,
    /// No video references this film anymore.
    Unneeded,
}

/// Starts a move whose job is running. Cancels a pending removal from the target group unless that removal has started.
pub async fn begin_move(pool: &PgPool, film: &Move) -> Result<MoveStart> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &film.key).await?;
    sqlx::query!(
        "delete from jobs where kind = 'film_removal' and payload->>'key' = $1 and (payload->>'group')::integer = $2
           and not payload ? 'begun_at'",
        film.key,
        film.to
    )
    .execute(&mut *conn)
    .await?;
    let query = sqlx::query!(
        r#"select coalesce((select sg_id from videos where id = $1 and media_key = $2),
                           (select sg_id from originals where media_key = $2)) as "group",
                  exists (select from jobs where kind = 'film_removal' and payload->>'key' = $2
                          and (payload->>'group')::integer = $3) as "removing!""#,
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

/// Locks a film against concurrent references, moves and removals until the transaction ends.
async fn lock_film(conn: &mut PgConnection, key: &str) -> Result<()> {
    sqlx::query!("select lock_film($1)", key).fetch_one(conn).await?;
    Ok(())
}

/// Completes a move once all files are in the new group, and schedules their removal from the previous group after
/// `pause`. Returns `false` if the video or the job has changed.
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
    let is_moved =
        query.execute(&mut *conn).await?.rows_affected() == 1 || originals::set_group(conn, film, from).await?;
    if !is_moved || !queue::finish(conn, job, None).await? {
        return Ok(false);
    }
    add_removal(conn, &film.key, from, pause).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Ends a move job without moving the film, with the reason if the move failed. Schedules removal of the files that are
/// in the target group, unless a video references them. Returns `false` if another worker holds the job.
pub async fn abandon_move(pool: &PgPool, job: &Job, film: &Move, failure: Option<&str>) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    if !queue::finish(&mut transaction, job, failure).await? {
        return Ok(false);
    }
    add_removal(&mut transaction, &film.key, film.to, Duration::ZERO).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Why a failed move is not retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnneededMove {
    /// The video or its film is gone.
    Gone,
    /// The film is in the group.
    There,
    /// Another job moves it there.
    Requested,
    /// The job isn't a failed move any more.
    Changed,
}

/// Requeues a failed move, or returns why it isn't needed.
pub async fn retry_move(pool: &PgPool, job_id: i64, film: &Move) -> Result<std::result::Result<(), UnneededMove>> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &film.key).await?;
    let query = sqlx::query!(
        r#"select coalesce((select sg_id from videos where id = $1 and media_key = $2 and status_id <> deleted()),
                           (select sg_id from originals where media_key = $2)) as "group",
                  exists (select from jobs where kind = 'film_move' and state in ('queued', 'running') and payload->>'key' = $2
                          and (payload->>'to')::integer = $3) as "requested!""#,
        film.video,
        film.key,
        film.to
    );
    let found = query.fetch_one(&mut *conn).await?;
    Ok(match found.group {
        None => Err(UnneededMove::Gone),
        Some(group) if group == film.to => Err(UnneededMove::There),
        Some(_) if found.requested => Err(UnneededMove::Requested),
        Some(_) if !queue::requeue(conn, job_id, None).await? => Err(UnneededMove::Changed),
        Some(_) => {
            transaction.commit().await?;
            Ok(())
        }
    })
}

/// Returns whether any film or uploaded picture is in the media folder.
pub async fn has_local_files(conn: &mut PgConnection) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from videos where sg_id = 0 and media_key like 'films/%')
               or exists (select from named_pictures() where sg_id = 0) as "e!""#
    );
    Ok(query.fetch_one(conn).await?)
}

/// Announces files that will be written to a group. They are removed after `named_within`, unless a row names them by then.
pub async fn announce(conn: &mut PgConnection, key: &str, group: i32, named_within: Duration) -> Result<()> {
    add_removal(conn, key, group, named_within).await
}

/// Schedules the removal of files that nothing names.
pub async fn discard(conn: &mut PgConnection, key: &str, group: i32) -> Result<()> {
    add_removal(conn, key, group, Duration::ZERO).await
}

async fn add_removal(conn: &mut PgConnection, key: &str, group: i32, pause: Duration) -> Result<()> {
    let pause = pause.as_secs_f64();
    let query = sqlx::query!("select removals_add($1, $2, now() + make_interval(secs => $3))", key, group, pause);
    run(query, conn).await
}

/// Drops the films and pictures of videos that were deleted `hours` ago and aren't scheduled to come back. Returns the
/// number of films. A video can't be restored without its film. The files of reported or quarantined videos are
/// retained, and those of their former films.
pub async fn drop_deleted(conn: &mut PgConnection, hours: u32) -> Result<u64> {
    let hours = i32::try_from(hours).unwrap_or(i32::MAX);
    sqlx::query!(
        "update videos set picture_key = null where id in (
             select id from videos
             where deleted_at < now() - make_interval(hours => $1) and readd_at is null and picture_key is not null
               and not is_held('video', id) and not is_held('video', replaces)
               and not exists (select from quarantines q where q.section = 'video' and q.object_id in (videos.id, videos.replaces))
             order by deleted_at limit 500 for update skip locked)",
        hours
    )
    .execute(&mut *conn)
    .await?;
    let query = sqlx::query!(
        "with gone as (
             select id, media_key, sg_id from videos
             where deleted_at < now() - make_interval(hours => $1) and readd_at is null and media_key like 'films/%'
               and not is_held('video', id) and not is_held('video', replaces)
               and not exists (select from quarantines q where q.section = 'video' and q.object_id in (videos.id, videos.replaces))
             order by deleted_at limit 500 for update skip locked),
         dropped as (
             update videos v set media_key = null, restore_status_id = null from gone where v.id = gone.id
             returning gone.media_key, gone.sg_id)
         select removals_add(media_key, sg_id) from (select distinct media_key, sg_id from dropped) d",
        hours
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Payload of a removal job.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Removal {
    /// Folder of the film's files or of the upload's pieces, or key of the picture.
    pub key: String,
    /// Group that contains them.
    pub group: i32,
}

/// Result of starting a removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalStart {
    /// The files may be deleted. Nothing references them, and nothing can until the removal ends.
    Begun,
    /// A row references the files, so they stay, and the removal has ended.
    Named,
    /// A move in progress is writing files to the group.
    Waits,
}

/// Starts a claimed removal, if possible.
pub async fn begin_removal(pool: &PgPool, job: &Job, files: &Removal) -> Result<RemovalStart> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &files.key).await?;
    let named = sqlx::query!(
        "delete from jobs where id = $1
           and (exists (select from videos v where v.sg_id = $3
                          and ((v.media_key = $2 and v.visible) or (v.media_key = $2 and not v.visible)))
                or exists (select from originals where media_key = $2 and sg_id = $3)
                or exists (select from former_films where media_key = $2 and sg_id = $3)
                or (picture_is_named($2) and picture_group($2) = $3)
                or exists (select from uploads u where u.token = substr($2, 9) and $2 = 'uploads/' || u.token and u.sg_id = $3
                           and upload_is_needed(u)))",
        job.id,
        files.key,
        files.group
    );
    if named.execute(&mut *conn).await?.rows_affected() == 1 {
        transaction.commit().await?;
        return Ok(RemovalStart::Named);
    }
    let begun = sqlx::query!(
        "update jobs set payload = jsonb_build_object('begun_at', now()) || payload where id = $1
           and (payload ? 'begun_at'
                or not (exists (select from jobs j where j.kind = 'film_move' and j.state = 'running'
                                and j.payload->>'key' = $2 and (j.payload->>'to')::integer = $3)
                        or exists (select from jobs j where j.kind = 'picture_move' and j.state = 'running'
                                   and j.payload->>'key' = $2 and (j.payload->>'to')::integer = $3)))",
        job.id,
        files.key,
        files.group
    );
    let is_begun = begun.execute(&mut *conn).await?.rows_affected() == 1;
    transaction.commit().await?;
    Ok(if is_begun { RemovalStart::Begun } else { RemovalStart::Waits })
}

/// Schedules removal of the films and originals in these folders of the media folder, except those that a video references or whose
/// removal is already scheduled. Returns the number of scheduled removals.
pub async fn remove_unnamed(conn: &mut PgConnection, folders: &[String]) -> Result<u64> {
    let query = sqlx::query!(
        "select removals_add(key, 0) from unnest($1::text[]) as f(key)
         where not exists (select from videos v where v.media_key = f.key)
           and not exists (select from originals o where o.media_key = f.key)
           and not exists (select from former_films o where o.media_key = f.key)
           and not exists (select from jobs r where r.kind = 'film_removal' and r.payload->>'key' = f.key)",
        folders
    );
    Ok(query.execute(conn).await?.rows_affected())
}
