//! Premium members, who see no ads.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::Result;

/// Returns whether a member is premium at `now`.
pub async fn is_premium(pool: &PgPool, user_id: i64, now: OffsetDateTime) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from premium where user_id = $1 and until > $2) as "premium!""#,
        user_id,
        now
    );
    Ok(query.fetch_one(pool).await?)
}

/// Extends a member's premium period by `days`, counted from its current end, and returns the new end.
pub async fn extend(pool: &PgPool, user_id: i64, days: i32, now: OffsetDateTime) -> Result<OffsetDateTime> {
    let query = sqlx::query_scalar!(
        "insert into premium (user_id, until) values ($1, $3::timestamptz + make_interval(days => $2))
         on conflict (user_id) do update set until = greatest(premium.until, $3) + make_interval(days => $2)
         returning until",
        user_id,
        days,
        now
    );
    Ok(query.fetch_one(pool).await?)
}

/// Ends a member's premium period immediately. Returns `false` if the member had none.
pub async fn end(pool: &PgPool, user_id: i64) -> Result<bool> {
    let query = sqlx::query!("delete from premium where user_id = $1", user_id);
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// A premium member.
#[derive(Debug, Clone)]
pub struct Premium {
    /// Username.
    pub username: String,
    /// When the premium period ends.
    pub until: OffsetDateTime,
}

/// Lists premium members. Those whose premium ends first come first.
pub async fn list(pool: &PgPool, now: OffsetDateTime, limit: i64) -> Result<Vec<Premium>> {
    let query = sqlx::query_as!(
        Premium,
        "select u.username, p.until from premium p join users u on u.id = p.user_id
         where p.until > $1 order by p.until, u.username limit $2",
        now,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}
