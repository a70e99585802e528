//! Favorites and "watch later". Each list contains a video at most once per member.

use sqlx::PgPool;

use super::{AddOutcome, missing_if_gone};
use crate::{Result, run};

/// Adds a video to a member's favorites.
pub async fn add_favourite(pool: &PgPool, member: i64, video: i64) -> Result<AddOutcome> {
    let done = sqlx::query!(
        r#"with seen as (select id from videos where id = $2 and visible_to('video', $2, $1)),
                new as (insert into favourites (user_id, video_id) select $1, id from seen on conflict do nothing returning 1)
           select exists (select from seen) as "seen!", exists (select from new) as "new!""#,
        member,
        video
    )
    .fetch_one(pool)
    .await;
    done.map_or_else(missing_if_gone, |row| Ok(outcome_of(row.seen, row.new)))
}

/// Removes a video from the favorites. Does nothing if it is absent.
pub async fn remove_favourite(pool: &PgPool, member: i64, video: i64) -> Result<()> {
    run(sqlx::query!("delete from favourites where user_id = $1 and video_id = $2", member, video), pool).await
}

/// Adds a video to a member's "watch later" list.
pub async fn add_watch_later(pool: &PgPool, member: i64, video: i64) -> Result<AddOutcome> {
    let done = sqlx::query!(
        r#"with seen as (select id from videos where id = $2 and visible_to('video', $2, $1)),
                new as (insert into watch_later (user_id, video_id) select $1, id from seen on conflict do nothing returning 1)
           select exists (select from seen) as "seen!", exists (select from new) as "new!""#,
        member,
        video
    )
    .fetch_one(pool)
    .await;
    done.map_or_else(missing_if_gone, |row| Ok(outcome_of(row.seen, row.new)))
}

/// Removes a video from "watch later". Does nothing if it is absent.
pub async fn remove_watch_later(pool: &PgPool, member: i64, video: i64) -> Result<()> {
    run(sqlx::query!("delete from watch_later where user_id = $1 and video_id = $2", member, video), pool).await
}

fn outcome_of(seen: bool, new: bool) -> AddOutcome {
    match (seen, new) {
        (_, true) => AddOutcome::New,
        (true, false) => AddOutcome::Already,
        (false, false) => AddOutcome::Missing,
    }
}
