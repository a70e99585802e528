//! Index `playlists`.

use lantern_catalog::documents::playlists::PlaylistRow;
use serde::Serialize;

use super::japanese;
use crate::text;

#[derive(Debug, Serialize)]
pub struct Playlist {
    id: i64,
    title: String,
    description: String,
    /// Companion of the title, whose language nobody named: as of a name, with the endings of every language.
    names: String,
    ja: String,
    gender: String,
    user_id: i64,
    username: String,
    post_date: i64,
    viewed: i64,
    rating: f32,
    total_videos: i64,
    media_key: Option<String>,
    shot: Option<i16>,
}

pub fn document(row: PlaylistRow) -> Playlist {
    Playlist {
        id: row.id,
        names: text::names::companion([row.title.as_str()]),
        ja: japanese([row.title.as_str(), row.description.as_str()]),
        title: row.title,
        description: row.description,
        gender: row.gender,
        user_id: row.user_id,
        username: row.username,
        post_date: row.created_at.unix_timestamp(),
        viewed: row.viewed,
        rating: row.rating,
        total_videos: row.total_videos,
        media_key: row.media_key,
        shot: row.shot,
    }
}
