//! Public member profiles. They never contain an e-mail address, and the birth date is only for this module's callers.

use sqlx::PgPool;
use time::{Date, OffsetDateTime};

use crate::Result;

/// A member's public profile. The birth date is used only to compute the age.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users, profiles and user_stats, documented in the migrations")]
pub struct MemberPage {
    pub id: i64,
    pub username: String,
    pub avatar_key: Option<String>,
    pub cover_key: Option<String>,
    pub created_at: OffsetDateTime,
    pub gender: Option<String>,
    pub birth_date: Option<Date>,
    pub relationship: Option<String>,
    pub orientation: Option<String>,
    pub education: Option<String>,
    pub website: Option<String>,
    pub about: Option<String>,
    pub city: Option<String>,
    pub country: Option<String>,
    pub interests: Option<String>,
    pub occupation: Option<String>,
    pub viewed: i64,
    pub subscribers: i32,
    pub total_videos: i64,
    pub total_albums: i64,
    pub total_playlists: i64,
    /// Number of friends whose accounts are active.
    pub total_friends: i64,
}

/// Returns a member whose account is confirmed and active, and whose profile isn't hidden by reports.
pub async fn find(pool: &PgPool, id: i64) -> Result<Option<MemberPage>> {
    let query = sqlx::query_as!(
        MemberPage,
        r#"select u.id, u.username, u.avatar_key, u.cover_key, u.created_at, p.gender as "gender?", p.birth_date as "birth_date?",
                  p.relationship as "relationship?", p.orientation as "orientation?", p.education as "education?",
                  p.website as "website?", p.about as "about?", p.city as "city?", p.country as "country?",
                  p.interests as "interests?", p.occupation as "occupation?", s.viewed, s.subscribers,
                  (select count(*) from videos v where v.user_id = u.id and v.visible) as "total_videos!",
                  (select count(*) from albums a where a.user_id = u.id and a.visible) as "total_albums!",
                  (select count(*) from playlists l where l.user_id = u.id and l.visibility = 'public') as "total_playlists!",
                  (select count(*) from friends f join users o on o.id = f.user_id + f.friend_id - u.id
                   where (f.user_id = u.id or f.friend_id = u.id) and f.state = 'accepted'
                     and is_active(o)) as "total_friends!"
           from users u join user_stats s on s.user_id = u.id left join profiles p on p.user_id = u.id
           where u.id = $1 and is_visible(u)"#,
        id
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Returns whether there is a member that [`find`] would return.
pub async fn exists(pool: &PgPool, id: i64) -> Result<bool> {
    let query =
        sqlx::query_scalar!(r#"select exists (select from users where id = $1 and is_visible(users)) as "e!""#, id);
    Ok(query.fetch_one(pool).await?)
}
