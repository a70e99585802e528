//! Single playlists, including private ones, and their videos.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{Result, videos::Uploader};

/// Everything that a playlist's page shows, except the videos.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of playlists and playlist_stats, documented in the migrations")]
pub struct PlaylistPage {
    pub id: i64,
    pub title: String,
    pub description: String,
    /// Wire code of the orientation.
    pub gender: String,
    /// Whether only its owner may see it.
    pub is_private: bool,
    pub created_at: OffsetDateTime,
    pub viewed: i64,
    pub likes: i32,
    pub dislikes: i32,
    pub comments: i32,
    /// Rating from 0 to 5.
    pub rating: f64,
    pub total_videos: i64,
    /// Media key and screenshot index of the first visible video.
    pub picture: Option<(String, i16)>,
    pub user: Uploader,
}

/// Returns a playlist of an active account, public or private.
pub async fn find(pool: &PgPool, id: i64) -> Result<Option<PlaylistPage>> {
    let query = sqlx::query!(
        r#"select p.title, p.description, p.orientation as gender, p.visibility = 'private' as "is_private!", p.created_at,
                  s.viewed, s.likes, s.dislikes, s.comments, s.rating::numeric::float8 as "rating!",
                  u.id as user_id, u.username, u.avatar_key,
                  (select count(*) from playlist_items i join videos v on v.id = i.video_id
                   where i.playlist_id = p.id and v.visible) as "total_videos!",
                  f.media_key as "media_key?", f.shot as "shot?"
           from playlists p join users u on u.id = p.user_id join playlist_stats s on s.playlist_id = p.id
                left join lateral (select shown_pictures(v.media_key, v.picture_key) as media_key, v.shot
                                   from playlist_items i join videos v on v.id = i.video_id
                                   where i.playlist_id = p.id and v.visible order by i.position limit 1) f on true
           where p.id = $1 and u.status_id <> banned()"#,
        id
    );
    let row = query.fetch_optional(pool).await?;
    Ok(row.map(|row| PlaylistPage {
        id,
        title: row.title,
        description: row.description,
        gender: row.gender,
        is_private: row.is_private,
        created_at: row.created_at,
        viewed: row.viewed,
        likes: row.likes,
        dislikes: row.dislikes,
        comments: row.comments,
        rating: row.rating,
        total_videos: row.total_videos,
        picture: row.media_key.zip(row.shot),
        user: Uploader { id: row.user_id, username: row.username, avatar_key: row.avatar_key },
    }))
}

/// Who may see a playlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaylistAccess {
    /// Any viewer may see it.
    Public,
    /// Only its owner may see it.
    Private,
    /// There is no such playlist, or its owner's account is closed.
    Unknown,
}

/// Returns who may see a playlist.
pub async fn access(pool: &PgPool, id: i64) -> Result<PlaylistAccess> {
    let query = sqlx::query_scalar!(
        r#"select p.visibility = 'private' as "private!" from playlists p join users u on u.id = p.user_id
           where p.id = $1 and u.status_id <> banned()"#,
        id
    );
    let private = query.fetch_optional(pool).await?;
    Ok(match private {
        Some(true) => PlaylistAccess::Private,
        Some(false) => PlaylistAccess::Public,
        None => PlaylistAccess::Unknown,
    })
}

/// Returns the ids of the first `limit` visible videos, in playlist order.
pub async fn video_ids(pool: &PgPool, id: i64, limit: i64) -> Result<Vec<i64>> {
    let query = sqlx::query_scalar!(
        "select i.video_id from playlist_items i join videos v on v.id = i.video_id
         where i.playlist_id = $1 and v.visible order by i.position limit $2",
        id,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}
