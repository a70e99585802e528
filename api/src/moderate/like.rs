//! Similar videos, as shown to moderators.

use lantern_catalog::{moderation::queue::LikeUpload, status::UploadStatus};
use lantern_media::pictures::shots;
use lantern_search::index::rfc3339;
use serde::Serialize;
use utoipa::ToSchema;

/// A video similar to the reviewed one.
#[derive(Debug, Serialize, ToSchema)]
pub struct LikeItem {
    /// Id.
    #[schema(example = 3, minimum = 1)]
    id: i64,
    /// Title.
    #[schema(example = "Evenings by the harbour")]
    title: String,
    /// Name of its member; `null` if the account was deleted.
    #[schema(example = "olga")]
    username: Option<String>,
    /// When it was created, RFC 3339.
    #[schema(example = "2026-09-01T12:00:00Z", format = DateTime)]
    created_at: String,
    /// Status; 5 if it was deleted or taken down.
    #[schema(example = 1)]
    status_id: UploadStatus,
    /// When it was taken down permanently, RFC 3339; otherwise `null`.
    #[schema(example = json!(null), format = DateTime)]
    banned_at: Option<String>,
    /// Duration of the film in seconds.
    #[schema(example = 366, minimum = 0)]
    duration: i32,
    /// Average number of differing bits per 64-bit frame fingerprint.
    #[schema(example = 2.5, minimum = 0.0, maximum = 64.0)]
    distance: f32,
    /// Ten frames at the same positions as those of the reviewed film; empty if it was taken down.
    #[schema(example = json!(["/media/p/films/0b/0b1c2d/shot-0-320.webp"]))]
    frames: Vec<String>,
}

impl LikeItem {
    pub fn new(like: LikeUpload) -> Self {
        let key = like.media_key.filter(|_| like.banned_at.is_none());
        Self {
            id: like.id,
            title: like.title,
            username: like.username,
            created_at: rfc3339(like.created_at.unix_timestamp()),
            status_id: like.status_id,
            banned_at: like.banned_at.map(|at| rfc3339(at.unix_timestamp())),
            duration: like.duration,
            distance: like.distance,
            frames: shots(key.as_deref()),
        }
    }
}
