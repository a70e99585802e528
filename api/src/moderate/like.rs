//! What a moderator sees of a video that another one looks like.

use lantern_catalog::moderation::queue::LikeUpload;
use lantern_search::index::rfc3339;
use serde::Serialize;
use utoipa::ToSchema;

use crate::upload::show::shots;

/// A video that another one looks like.
#[derive(Debug, Serialize, ToSchema)]
pub struct LikeItem {
    /// Its id.
    #[schema(example = 3, minimum = 1)]
    id: i64,
    /// What its member calls it.
    #[schema(example = "Evenings by the harbour")]
    title: String,
    /// Its member; `null` when the account ended.
    #[schema(example = "olga")]
    username: Option<String>,
    /// Since when it is here, RFC 3339.
    #[schema(example = "2026-09-01T12:00:00Z", format = DateTime)]
    created_at: String,
    /// 1 active, 2 waits for a decision, 3 its member isn't done with it, 4 rejected, 5 taken down.
    #[schema(example = 1, minimum = 1, maximum = 5)]
    status_id: i16,
    /// When it was taken down for good, RFC 3339; otherwise `null`.
    #[schema(example = json!(null), format = DateTime)]
    banned_at: Option<String>,
    /// Seconds of its film.
    #[schema(example = 366, minimum = 0)]
    duration: i32,
    /// Bits of 64 in which their frames differ on average.
    #[schema(example = 2.5, minimum = 0.0, maximum = 64.0)]
    distance: f32,
    /// Ten of its frames, at the same places of the film; none of what was taken down.
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
