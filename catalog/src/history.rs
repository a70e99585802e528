//! Watch history with playback positions. While the member has paused it, nothing is recorded.

use sqlx::{PgConnection, PgExecutor};

use crate::{Result, run};

/// Records that a member is watching a video. Watching it again moves it to the top. `stopped_at` is the playback
/// position in seconds. `None` leaves it unchanged. Returns `false` if nothing was recorded because the history is
/// paused or the member may not see the video.
pub async fn watched(conn: &mut PgConnection, user_id: i64, video_id: i64, stopped_at: Option<i32>) -> Result<bool> {
    let query = sqlx::query!(
        "insert into history (user_id, video_id, stopped_at)
         select $1, v.id, least(coalesce($3, 0), v.duration) from videos v
         where v.id = $2 and is_open_to(v, $1)
           and not exists (select from history_pauses where user_id = $1)
         on conflict (user_id, video_id) do update
         set watched_at = excluded.watched_at,
             stopped_at = case when $3::integer is null then history.stopped_at else excluded.stopped_at end",
        user_id,
        video_id,
        stopped_at
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// How much of a video has been watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WatchProgress {
    /// Id of the video.
    pub video_id: i64,
    /// Playback position in percent, 0 to 100.
    pub percent: i32,
}

/// Returns the progress of the member's `most` recently watched videos, newest first.
pub async fn progress(executor: impl PgExecutor<'_>, user_id: i64, most: i64) -> Result<Vec<WatchProgress>> {
    let query = sqlx::query_as!(
        WatchProgress,
        r#"select h.video_id, least(100 * h.stopped_at::bigint / greatest(v.duration, 1), 100)::integer as "percent!"
           from history h join videos v on v.id = h.video_id
           where h.user_id = $1 order by h.watched_at desc, h.video_id desc limit $2"#,
        user_id,
        most
    );
    Ok(query.fetch_all(executor).await?)
}

/// Returns the playback position in seconds, or `None` if the video isn't in the history.
pub async fn stopped_at(executor: impl PgExecutor<'_>, user_id: i64, video_id: i64) -> Result<Option<i32>> {
    let query =
        sqlx::query_scalar!("select stopped_at from history where user_id = $1 and video_id = $2", user_id, video_id);
    Ok(query.fetch_optional(executor).await?)
}

/// Removes one video from the history.
pub async fn remove(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<()> {
    run(sqlx::query!("delete from history where user_id = $1 and video_id = $2", user_id, video_id), conn).await
}

/// Clears the history.
pub async fn clear(conn: &mut PgConnection, user_id: i64) -> Result<()> {
    run(sqlx::query!("delete from history where user_id = $1", user_id), conn).await
}

/// Pauses recording. Existing entries remain.
pub async fn pause(conn: &mut PgConnection, user_id: i64) -> Result<()> {
    run(sqlx::query!("insert into history_pauses (user_id) values ($1) on conflict do nothing", user_id), conn).await
}

/// Resumes recording.
pub async fn resume(conn: &mut PgConnection, user_id: i64) -> Result<()> {
    run(sqlx::query!("delete from history_pauses where user_id = $1", user_id), conn).await
}

/// Returns whether recording is paused.
pub async fn is_paused(executor: impl PgExecutor<'_>, user_id: i64) -> Result<bool> {
    let query =
        sqlx::query_scalar!(r#"select exists (select from history_pauses where user_id = $1) as "e!""#, user_id);
    Ok(query.fetch_one(executor).await?)
}
