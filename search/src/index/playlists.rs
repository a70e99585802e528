//! Cards of playlists.

use lantern_index::PlaylistDoc;
use serde::Serialize;
use utoipa::ToSchema;

use super::{ClipPictures, cards::rfc3339, clip_pictures};

/// A playlist in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PlaylistCard {
    /// Id.
    #[schema(example = 1, minimum = 1)]
    pub playlist_id: i64,
    /// Title as its owner wrote it.
    #[schema(example = "Night market")]
    pub title: String,
    /// Description as its owner wrote it.
    #[schema(example = "A walk between the stalls.")]
    pub description: String,
    /// Visibility as in the playlist form: 1 is public, 0 private, visible only to its owner.
    #[schema(example = 1, minimum = 0, maximum = 1)]
    pub private: u8,
    /// Its owner.
    #[schema(example = 2, minimum = 1)]
    pub user_id: i64,
    /// The owner's name.
    #[schema(example = "demo")]
    pub username: String,
    /// Pictures of the first video.
    #[serde(flatten)]
    pub pictures: ClipPictures,
    /// RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    pub post_date: String,
    /// 0 to 5.
    #[schema(example = 4.5, minimum = 0, maximum = 5)]
    pub rating: f64,
    /// All views.
    #[schema(example = 1204, minimum = 0)]
    pub viewed: i64,
    /// Visible videos.
    #[schema(example = 42, minimum = 0)]
    pub total_videos: i64,
}

impl From<PlaylistDoc> for PlaylistCard {
    fn from(playlist: PlaylistDoc) -> Self {
        Self {
            playlist_id: playlist.id,
            title: playlist.title,
            description: playlist.description,
            // The index contains only public playlists.
            private: 1,
            user_id: playlist.user_id,
            username: playlist.username,
            pictures: clip_pictures(playlist.media_key.as_deref(), playlist.shot.unwrap_or_default()),
            post_date: rfc3339(playlist.post_date),
            rating: playlist.rating,
            viewed: playlist.viewed,
            total_videos: playlist.total_videos,
        }
    }
}
