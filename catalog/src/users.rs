//! Members as others see them.

use sqlx::PgPool;
use time::{Date, OffsetDateTime};

use crate::Result;

/// The public side of a member.
#[derive(Debug, Clone, PartialEq)]
pub struct User {
    /// Id.
    pub id: i64,
    /// Name.
    pub username: String,
    /// 1 ordinary, 5 banned, 6 may manage uploaded videos.
    pub status_id: i16,
    /// Picture.
    pub avatar_key: Option<String>,
    /// Wide picture of the member page.
    pub cover_key: Option<String>,
    /// When they joined.
    pub created_at: OffsetDateTime,
    /// Code.
    pub gender: Option<String>,
    /// Never shown; the age is.
    pub birth_date: Option<Date>,
    /// Code.
    pub relationship: Option<String>,
    /// Code.
    pub orientation: Option<String>,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// About me.
    pub about: Option<String>,
    /// Views of the member page.
    pub viewed: i64,
    /// Visible uploads.
    pub total_videos: i64,
}

/// One member.
///
/// # Errors
/// When the query fails.
pub async fn by_id(pool: &PgPool, id: i64) -> Result<Option<User>> {
    Ok(sqlx::query_as!(
        User,
        r#"select u.id, u.username, u.status_id, u.avatar_key, u.cover_key, u.created_at,
                  p.gender as "gender?", p.birth_date, p.relationship, p.orientation, p.country, p.city, p.about,
                  s.viewed,
                  (select count(*) from videos v where v.user_id = u.id and v.visible) as "total_videos!"
           from users u join user_stats s on s.user_id = u.id left join profiles p on p.user_id = u.id
           where u.id = $1"#,
        id
    )
    .fetch_optional(pool)
    .await?)
}
