//! Cards of members.

use lantern_index::MemberDoc;
use serde::Serialize;
use utoipa::ToSchema;

use super::{age_of, cards::rfc3339};
use lantern_media::pictures::avatar;

/// A member in a list, with the age instead of the birth date.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MemberCard {
    /// Id.
    #[schema(example = 2, minimum = 1)]
    pub user_id: i64,
    /// Name.
    #[schema(example = "demo")]
    pub username: String,
    /// Picture, 320 pixels; null if there is none.
    #[schema(example = "/media/p/demo/pictures/43-320.webp")]
    pub avatar: Option<String>,
    /// Code.
    #[schema(example = "female")]
    pub gender: Option<String>,
    /// Whole years.
    #[schema(example = 27, minimum = 18)]
    pub age: Option<i64>,
    /// ISO 3166-1 alpha-2.
    #[schema(example = "JP", pattern = "^[A-Z]{2}$")]
    pub country: Option<String>,
    /// Date of registration, RFC 3339.
    #[schema(example = "2026-05-04T12:00:00Z", format = DateTime)]
    pub added_date: String,
    /// Views of the page.
    #[schema(example = 1204, minimum = 0)]
    pub viewed: i64,
    /// Members who follow.
    #[schema(example = 17, minimum = 0)]
    pub subscribers: i64,
    /// Visible videos.
    #[schema(example = 42, minimum = 0)]
    pub total_videos: i64,
}

impl MemberCard {
    /// Creates the card of `member` at the time `now`.
    #[must_use]
    pub fn new(member: MemberDoc, now: i64) -> Self {
        Self {
            user_id: member.id,
            username: member.username,
            avatar: avatar(member.avatar_key.as_deref()),
            gender: member.gender,
            age: member.birth.map(|birth| age_of(birth, now)),
            country: member.country,
            added_date: rfc3339(member.added_date),
            viewed: member.viewed,
            subscribers: member.subscribers,
            total_videos: member.total_videos,
        }
    }
}
