//! How owners who manage their uploads delete, hide and re-add their videos. Every query checks the
//! permission.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::Result;

/// Deletes one of the member's videos. If the video was scheduled to come back, this is canceled, and the retention
/// period of its files starts again. Returns `false` if there is no such video or the member lacks permission.
pub async fn delete(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update videos v set
                restore_status_id = case v.status_id when deleted() then v.restore_status_id else v.status_id end,
                status_id = deleted(), readd_at = null, deleted_at = now()
         from users u
         where v.id = $1 and v.user_id = $2 and v.replaces is null and u.id = v.user_id and u.status_id = manages_uploads()
           and (v.status_id <> deleted() or v.restore_status_id is not null and v.readd_at is not null)",
        video_id,
        user_id
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// Switches one of the member's videos between public and private, and returns whether it is private now. Returns
/// `None` if there is no such video or the member lacks permission.
pub async fn toggle_private(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<Option<bool>> {
    let query = sqlx::query_scalar!(
        "update videos v set is_private = not v.is_private
         from users u
         where v.id = $1 and v.user_id = $2 and v.replaces is null and v.status_id <> deleted() and u.id = v.user_id and u.status_id = manages_uploads()
         returning v.is_private",
        video_id,
        user_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Schedules one of the member's videos to come back at `at`. Until then it is deleted. Videos deleted by moderators
/// can't come back. Returns `false` if there is no such video or the member lacks permission.
pub async fn readd(conn: &mut PgConnection, user_id: i64, video_id: i64, at: OffsetDateTime) -> Result<bool> {
    let query = sqlx::query!(
        "update videos v set restore_status_id = coalesce(v.restore_status_id, v.status_id), status_id = deleted(), readd_at = $3
         from users u
         where v.id = $1 and v.user_id = $2 and v.replaces is null and u.id = v.user_id and u.status_id = manages_uploads()
           and (v.status_id <> deleted() or v.restore_status_id is not null)",
        video_id,
        user_id,
        at
    );
    Ok(query.execute(conn).await?.rows_affected() > 0)
}

/// Restores the videos that are due at `now` to their previous status, and returns their number.
pub async fn bring_back(pool: &PgPool, now: OffsetDateTime) -> Result<u64> {
    let query = sqlx::query!(
        "update videos set status_id = restore_status_id, restore_status_id = null, readd_at = null
         where readd_at <= $1 and status_id = deleted() and restore_status_id is not null",
        now
    );
    Ok(query.execute(pool).await?.rows_affected())
}
