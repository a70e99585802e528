//! Community members, with public fields only and never with an e-mail address.

use sqlx::PgConnection;
use time::{Date, OffsetDateTime};

use crate::Error;

/// Everything a member document is built from.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of users, profiles and user_stats, documented in the migrations")]
pub struct MemberRow {
    pub id: i64,
    pub username: String,
    /// Whether the account is confirmed and not deleted and reports haven't hidden the profile.
    pub visible: bool,
    pub avatar_key: Option<String>,
    pub gender: Option<String>,
    pub birth_date: Option<Date>,
    pub country: Option<String>,
    pub relationship: Option<String>,
    pub orientation: Option<String>,
    pub created_at: OffsetDateTime,
    pub viewed: i64,
    pub subscribers: i32,
    pub total_videos: i64,
}

ids_after!("users");

/// Counts members visible to guests.
pub async fn count(conn: &mut PgConnection) -> Result<i64, Error> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from users
           where is_visible(users)"#
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns the rows that exist among `ids`, in no particular order.
pub async fn rows(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<MemberRow>, Error> {
    let query = sqlx::query_as!(
        MemberRow,
        r#"select u.id, u.username, is_visible(u) as "visible!", u.avatar_key,
                  p.gender as "gender?", p.birth_date as "birth_date?", p.country as "country?",
                  p.relationship as "relationship?", p.orientation as "orientation?", u.created_at, s.viewed, s.subscribers,
                  coalesce(t.n, 0) as "total_videos!"
           from users u join user_stats s on s.user_id = u.id left join profiles p on p.user_id = u.id
           left join (select user_id, count(*) as n from videos where user_id = any ($1) and visible group by 1) t
                on t.user_id = u.id
           where u.id = any ($1)"#,
        ids
    );
    Ok(query.fetch_all(conn).await?)
}
