//! Index `playlists`.

use lantern_catalog::documents::playlists::PlaylistRow;
use lantern_index::{PlaylistDoc, text};

use super::{decimal, japanese};

pub fn from_row(row: PlaylistRow) -> PlaylistDoc {
    PlaylistDoc {
        id: row.id,
        names: text::names::companions([row.title.as_str()]),
        ja: japanese([row.title.as_str(), row.description.as_str()]),
        title: row.title,
        description: row.description,
        gender: row.gender,
        user_id: row.user_id,
        username: row.username,
        post_date: row.created_at.unix_timestamp(),
        viewed: row.viewed,
        rating: decimal(row.rating),
        standing: decimal(row.standing),
        total_videos: row.total_videos,
        media_key: row.media_key,
        shot: row.shot.map(i64::from),
    }
}
