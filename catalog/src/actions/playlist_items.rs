//! The videos in a playlist and their order. A lock on the playlist's row serializes changes to it.

use lantern_config::Section;
use sqlx::{PgConnection, PgPool};

use super::{is_visible, missing_if_gone};
use crate::Result;

/// Outcome of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemsOutcome {
    /// The change was applied.
    Done,
    /// The playlist already contains the video.
    Already,
    /// The playlist is full.
    Full,
    /// The member has no such playlist.
    NoPlaylist,
    /// No such video exists for this member, or it isn't in this playlist.
    NoVideo,
}

/// Adds a video to a playlist of at most `most` videos, at position `place`, counted from 1. If `place` is `None` or
/// past the end, the video is appended.
pub async fn add(
    pool: &PgPool,
    member: i64,
    playlist: i64,
    video: i64,
    most: u32,
    place: Option<u32>,
) -> Result<ItemsOutcome> {
    let mut tx = pool.begin().await?;
    if !lock_playlist(&mut tx, member, playlist).await? {
        return Ok(ItemsOutcome::NoPlaylist);
    }
    if !is_visible(&mut tx, Section::Video, video, Some(member)).await? {
        return Ok(ItemsOutcome::NoVideo);
    }
    let query = sqlx::query!(
        r#"select count(*) as "n!", coalesce(max(position), 0) as "last!", coalesce(bool_or(video_id = $2), false) as "has!"
           from playlist_items where playlist_id = $1"#,
        playlist,
        video
    );
    let held = query.fetch_one(&mut *tx).await?;
    if held.has {
        return Ok(ItemsOutcome::Already);
    }
    if held.n >= i64::from(most) {
        return Ok(ItemsOutcome::Full);
    }
    let done = sqlx::query!(
        "insert into playlist_items (playlist_id, video_id, position) values ($1, $2, $3)",
        playlist,
        video,
        held.last + 1
    )
    .execute(&mut *tx)
    .await;
    if let Err(error) = done {
        return missing_if_gone(error).map(|_| ItemsOutcome::NoVideo);
    }
    if let Some(place) = place {
        move_item(&mut tx, playlist, video, place).await?;
    }
    tx.commit().await?;
    Ok(ItemsOutcome::Done)
}

/// Removes a video from a playlist. Does nothing if it is absent.
pub async fn remove(pool: &PgPool, member: i64, playlist: i64, video: i64) -> Result<ItemsOutcome> {
    let mut tx = pool.begin().await?;
    if !lock_playlist(&mut tx, member, playlist).await? {
        return Ok(ItemsOutcome::NoPlaylist);
    }
    sqlx::query!("delete from playlist_items where playlist_id = $1 and video_id = $2", playlist, video)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    Ok(ItemsOutcome::Done)
}

/// Moves a video to a position, counted from 1. A position past the end means the end.
pub async fn move_to(pool: &PgPool, member: i64, playlist: i64, video: i64, place: u32) -> Result<ItemsOutcome> {
    let mut tx = pool.begin().await?;
    if !lock_playlist(&mut tx, member, playlist).await? {
        return Ok(ItemsOutcome::NoPlaylist);
    }
    let changed = move_item(&mut tx, playlist, video, place).await?;
    tx.commit().await?;
    Ok(changed)
}

/// Moves a video within a playlist that the caller has locked.
async fn move_item(conn: &mut PgConnection, playlist: i64, video: i64, place: u32) -> Result<ItemsOutcome> {
    let mut order =
        sqlx::query_scalar!("select video_id from playlist_items where playlist_id = $1 order by position", playlist)
            .fetch_all(&mut *conn)
            .await?;
    let Some(from) = order.iter().position(|&id| id == video) else { return Ok(ItemsOutcome::NoVideo) };
    order.remove(from);
    let to = usize::try_from(place).unwrap_or(usize::MAX).saturating_sub(1).min(order.len());
    order.insert(to, video);
    // Uniqueness of positions is checked at the end of the statement, so positions may collide while it runs.
    let query = sqlx::query!(
        "update playlist_items i set position = o.place::integer
         from unnest($2::bigint[]) with ordinality o(video_id, place)
         where i.playlist_id = $1 and i.video_id = o.video_id and i.position <> o.place",
        playlist,
        &order
    );
    query.execute(conn).await?;
    Ok(ItemsOutcome::Done)
}

/// Locks a member's playlist until the transaction ends. Returns whether the member has such a playlist.
async fn lock_playlist(conn: &mut PgConnection, member: i64, playlist: i64) -> Result<bool> {
    let held =
        sqlx::query_scalar!("select id from playlists where id = $1 and user_id = $2 for update", playlist, member)
            .fetch_optional(conn)
            .await?;
    Ok(held.is_some())
}
