//! Playlists with the number of visible videos and the picture of the first one.

use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::Error;

/// Everything a playlist document is built from.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of playlists and playlist_stats, documented in the migrations")]
pub struct PlaylistRow {
    pub id: i64,
    pub title: String,
    pub description: String,
    pub gender: String,
    /// Whether the playlist is public and its owner's account is active.
    pub visible: bool,
    pub user_id: i64,
    pub username: String,
    pub created_at: OffsetDateTime,
    pub viewed: i64,
    pub rating: f32,
    pub standing: f32,
    pub total_videos: i64,
    pub media_key: Option<String>,
    pub shot: Option<i16>,
}

ids_after!("playlists");

/// Counts playlists visible to guests.
pub async fn count(conn: &mut PgConnection) -> Result<i64, Error> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from playlists p join users u on u.id = p.user_id
           where p.visibility = 'public' and u.status_id <> banned()"#
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns the rows that exist among `ids`, in no particular order.
pub async fn rows(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<PlaylistRow>, Error> {
    let query = sqlx::query_as!(
        PlaylistRow,
        r#"select p.id, p.title, p.description, p.orientation as gender,
                  (p.visibility = 'public' and u.status_id <> banned()) as "visible!", p.user_id, u.username, p.created_at, s.viewed,
                  s.rating as "rating!", s.standing as "standing!", coalesce(i.n, 0) as "total_videos!", i.media_key as "media_key?", i.shot as "shot?"
           from playlists p join users u on u.id = p.user_id join playlist_stats s on s.playlist_id = p.id
           left join (select l.playlist_id, count(*) as n, 
                             (array_agg(shown_pictures(v.media_key, v.picture_key) order by l.position))[1] as media_key,
                             (array_agg(v.shot order by l.position))[1] as shot
                      from playlist_items l join videos v on v.id = l.video_id
                      where l.playlist_id = any ($1) and v.visible group by 1) i on i.playlist_id = p.id
           where p.id = any ($1)"#,
        ids
    );
    Ok(query.fetch_all(conn).await?)
}
