//! Times of publication. A trigger makes approved videos wait for theirs (`migrations/0087_schedules_of_videos.sql`). Only
//! the clock of Postgres counts, so that all nodes agree.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::{Result, status::UploadStatus};

/// Returns whether a time is at most `days` ahead.
pub async fn is_within(conn: &mut PgConnection, at: OffsetDateTime, days: u32) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select $1 <= now() + make_interval(days => $2) as "w!""#,
        at,
        i32::try_from(days).unwrap_or(i32::MAX)
    );
    Ok(query.fetch_one(conn).await?)
}

/// Outcome of setting a time of publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleOutcome {
    /// The time is set or removed. Holds the video's status now.
    Set(UploadStatus),
    /// The member has no such video.
    NoVideo,
    /// The video was published before, so it can't be scheduled.
    WasPublished,
}

/// Sets when a member's own video is published, or removes the time. A video that waits for its time is published at
/// once if the new time is in the past or removed. Call it in a transaction.
pub async fn schedule(
    conn: &mut PgConnection,
    user_id: i64,
    video_id: i64,
    at: Option<OffsetDateTime>,
) -> Result<ScheduleOutcome> {
    let query = sqlx::query_scalar!(
        r#"select coalesce($3 > now(), false) and (status_id = published() or exists (
                      select from uploads u where u.video_id = v.id and u.published_at is not null)) as "late!"
           from videos v where id = $2 and user_id = $1 and status_id <> deleted() and replaces is null for update"#,
        user_id,
        video_id,
        at
    );
    match query.fetch_optional(&mut *conn).await? {
        None => return Ok(ScheduleOutcome::NoVideo),
        Some(true) => return Ok(ScheduleOutcome::WasPublished),
        Some(false) => {}
    }
    let query = sqlx::query_scalar!(
        r#"update videos set publish_at = $2 where id = $1 returning status_id as "status_id: UploadStatus""#,
        video_id,
        at
    );
    Ok(ScheduleOutcome::Set(query.fetch_one(conn).await?))
}

/// Videos published by one statement: it holds their locks for some milliseconds, and the next check publishes the rest.
const PUBLISHED_AT_ONCE: i64 = 500;

/// Publishes approved videos whose time has come, and returns their number. Those of banned members wait until the ban
/// is lifted. Several nodes may call it at once.
pub async fn publish_due(pool: &PgPool) -> Result<u64> {
    let query = sqlx::query!(
        "update videos set status_id = published()
         where id in (select v.id from videos v
                      where v.status_id = scheduled() and v.publish_at <= now()
                        and not exists (select from users u where u.id = v.user_id and u.status_id = banned())
                      order by v.publish_at limit $1 for update skip locked)",
        PUBLISHED_AT_ONCE
    );
    Ok(query.execute(pool).await?.rows_affected())
}
