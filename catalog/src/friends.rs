//! Pending friend requests.

use sqlx::{PgExecutor, PgPool};

use crate::{
    Result,
    community::{Page, Window},
};

/// Counts requests awaiting this member's answer.
pub async fn requests(executor: impl PgExecutor<'_>, user_id: i64) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from friends f join users u on u.id = f.user_id
           where f.friend_id = $1 and f.state = 'requested' and is_active(u)"#,
        user_id
    );
    Ok(query.fetch_one(executor).await?)
}

/// Lists ids of the members whose requests await this member's answer, newest request first.
pub async fn incoming(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<i64>> {
    let query = sqlx::query_scalar!(
        "select u.id from friends f join users u on u.id = f.user_id
         where f.friend_id = $1 and f.state = 'requested' and is_active(u)
         order by f.created_at desc, u.id desc limit $2 offset $3",
        user_id,
        window.limit,
        window.offset
    );
    let items = query.fetch_all(pool).await?;
    Ok(Page { items, total: requests(pool, user_id).await? })
}
