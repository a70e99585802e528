//! Playlists.

use sqlx::PgPool;

use crate::Result;

/// One page of a playlist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Visible videos in playlist order.
    pub video_ids: Vec<i64>,
    /// Visible videos of the whole playlist.
    pub total: i64,
}

/// Videos `offset..offset + limit` of a playlist, counting visible ones only.
///
/// # Errors
/// When the query fails.
pub async fn video_ids(pool: &PgPool, playlist_id: i64, offset: i64, limit: i64) -> Result<Page> {
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from playlist_items i join videos v on v.id = i.video_id
           where i.playlist_id = $1 and v.visible"#,
        playlist_id
    )
    .fetch_one(pool)
    .await?;
    let video_ids = sqlx::query_scalar!(
        "select i.video_id from playlist_items i join videos v on v.id = i.video_id
         where i.playlist_id = $1 and v.visible order by i.position offset $2 limit $3",
        playlist_id,
        offset.max(0),
        limit.max(0)
    )
    .fetch_all(pool)
    .await?;
    Ok(Page { video_ids, total })
}
