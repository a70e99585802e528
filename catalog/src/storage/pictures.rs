//! Storage groups of uploaded pictures: where their files are, and how they are moved.
//!
//! Files are written to a store only after their removal has been scheduled. When it is due, it ends if anything names
//! the picture, so that nothing in a store is ever forgotten, whatever happens in between.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgExecutor, PgPool};

use super::{MoveStart, UnneededMove, add_removal, lock_film};
use crate::{
    Result,
    queue::{self, Job, PICTURE_MOVE},
    run,
};

/// Time after which a picture that is being moved must be named in its new group. It is far longer than any move.
const MOVE_TIME: Duration = Duration::from_secs(3600);

/// Payload of a job that moves a picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PictureMove {
    /// Key of the picture.
    pub key: String,
    /// Target group.
    pub to: i32,
}

/// Returns the group that contains the files of a picture.
pub async fn group_of(db: impl PgExecutor<'_>, key: &str) -> Result<i32> {
    let query = sqlx::query_scalar!(r#"select picture_group($1) as "group!""#, key);
    Ok(query.fetch_one(db).await?)
}

/// Announces the files of a new picture in a group other than the media folder. They are removed after `named_within`,
/// unless a row names the picture by then.
pub async fn announce(pool: &PgPool, key: &str, group: i32, named_within: Duration) -> Result<()> {
    let mut transaction = pool.begin().await?;
    let query = sqlx::query!("insert into picture_groups (key, sg_id) values ($1, $2)", key, group);
    run(query, &mut *transaction).await?;
    add_removal(&mut transaction, key, group, named_within).await?;
    transaction.commit().await?;
    Ok(())
}

/// Schedules the removal of a picture's files if they are in a group other than the media folder. Returns whether they
/// are.
pub async fn discard(pool: &PgPool, key: &str) -> Result<bool> {
    let query = sqlx::query_scalar!("select sg_id from picture_groups where key = $1", key);
    let Some(group) = query.fetch_optional(pool).await? else { return Ok(false) };
    let query = sqlx::query!(
        "select removals_add($1, $2)
         where not exists (select from jobs where kind = 'film_removal' and payload->>'key' = $1
                           and (payload->>'group')::integer = $2 and run_at <= now())",
        key,
        group
    );
    run(query, pool).await?;
    Ok(true)
}

/// Forgets the group of a picture whose files were removed from it.
pub async fn forget(pool: &PgPool, key: &str, group: i32) -> Result<()> {
    run(sqlx::query!("delete from picture_groups where key = $1 and sg_id = $2", key, group), pool).await
}

/// Enqueues moves of all pictures that are in other groups and aren't being moved to this one yet. Returns the number
/// of moves.
pub async fn request_moves(conn: &mut PgConnection, to: i32) -> Result<u64> {
    let query = sqlx::query!(
        "insert into jobs (kind, payload)
         select $1, jsonb_build_object('key', n.key, 'to', $2::integer) from named_pictures() n
         where n.sg_id <> $2
           and not exists (select from jobs j where j.kind = 'picture_move' and j.state in ('queued', 'running')
                           and j.payload->>'key' = n.key and (j.payload->>'to')::integer = $2)",
        PICTURE_MOVE,
        to
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Counts uploaded pictures by group.
pub async fn totals(conn: &mut PgConnection) -> Result<Vec<(i32, i64)>> {
    let query = sqlx::query!(
        r#"select sg_id as "group!", count(*) as "pictures!" from named_pictures() group by sg_id order by sg_id"#
    );
    Ok(query.fetch_all(conn).await?.into_iter().map(|row| (row.group, row.pictures)).collect())
}

/// Starts a move whose job is running. Replaces a pending removal from the target group, unless that removal has
/// started, by one for the case that the move never ends.
pub async fn begin_move(pool: &PgPool, picture: &PictureMove) -> Result<MoveStart> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &picture.key).await?;
    let query = sqlx::query!(
        r#"select picture_is_named($1) as "is_named!", picture_group($1) as "group!",
                  exists (select from jobs where kind = 'film_removal' and payload->>'key' = $1
                          and (payload->>'group')::integer = $2 and payload ? 'begun_at') as "removing!""#,
        picture.key,
        picture.to
    );
    let found = query.fetch_one(&mut *conn).await?;
    match found.group {
        _ if !found.is_named => return Ok(MoveStart::Unneeded),
        group if group == picture.to => return Ok(MoveStart::From(group)),
        _ if found.removing => return Ok(MoveStart::Removing),
        _ => {}
    }
    sqlx::query!(
        "delete from jobs where kind = 'film_removal' and payload->>'key' = $1 and (payload->>'group')::integer = $2",
        picture.key,
        picture.to
    )
    .execute(&mut *conn)
    .await?;
    add_removal(conn, &picture.key, picture.to, MOVE_TIME).await?;
    transaction.commit().await?;
    Ok(MoveStart::From(found.group))
}

/// Completes a move once all files are in the new group, and schedules their removal from the previous group after
/// `pause`. Returns `false` if the picture or the job has changed.
pub async fn end_move(pool: &PgPool, job: &Job, picture: &PictureMove, from: i32, pause: Duration) -> Result<bool> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &picture.key).await?;
    let query = sqlx::query_scalar!(
        r#"select picture_is_named($1) and picture_group($1) = $2 as "is_there!""#,
        picture.key,
        from
    );
    // Moves are too many to be kept once they have ended.
    let ending =
        sqlx::query!("delete from jobs where id = $1 and attempts = $2 and state = 'running'", job.id, job.attempts);
    if !query.fetch_one(&mut *conn).await? || ending.execute(&mut *conn).await?.rows_affected() != 1 {
        return Ok(false);
    }
    run(sqlx::query!("delete from picture_groups where key = $1", picture.key), &mut *conn).await?;
    // The media folder has no rows.
    let query = sqlx::query!(
        "insert into picture_groups (key, sg_id) select $1, $2::integer where $2 <> 0",
        picture.key,
        picture.to
    );
    run(query, &mut *conn).await?;
    add_removal(conn, &picture.key, from, pause).await?;
    transaction.commit().await?;
    Ok(true)
}

/// Requeues a failed move, or returns why it isn't needed.
pub async fn retry_move(
    pool: &PgPool,
    job_id: i64,
    picture: &PictureMove,
) -> Result<std::result::Result<(), UnneededMove>> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    lock_film(conn, &picture.key).await?;
    let query = sqlx::query!(
        r#"select picture_is_named($1) as "is_named!", picture_group($1) as "group!",
                  exists (select from jobs where kind = 'picture_move' and state in ('queued', 'running')
                          and payload->>'key' = $1 and (payload->>'to')::integer = $2) as "requested!""#,
        picture.key,
        picture.to
    );
    let found = query.fetch_one(&mut *conn).await?;
    Ok(match found.group {
        _ if !found.is_named => Err(UnneededMove::Gone),
        group if group == picture.to => Err(UnneededMove::There),
        _ if found.requested => Err(UnneededMove::Requested),
        _ if !queue::requeue(conn, job_id, None).await? => Err(UnneededMove::Changed),
        _ => {
            transaction.commit().await?;
            Ok(())
        }
    })
}
