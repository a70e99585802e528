//! Blocks between members. A trigger in `0014_member_area.sql` enforces them: a refused write fails with the constraint
//! `blocks_refused` ([`REFUSED`]).

use sqlx::{PgConnection, PgExecutor, PgPool};

use crate::{
    Result,
    community::{Page, Window, page},
    run,
};

/// Constraint that refuses a write addressed to a member who has blocked its author.
pub const REFUSED: &str = "blocks_refused";

/// Blocks a member and ends any friendship or friend request between the two. Returns `false` if there is no such
/// member or a member tries to block themselves. The call is idempotent.
pub async fn add(conn: &mut PgConnection, user_id: i64, blocked_id: i64) -> Result<bool> {
    // Thanks to the no-op update, a repeated block returns a row, as the first one does.
    let query = sqlx::query_scalar!(
        r#"insert into blocks (user_id, blocked_id)
           select $1, id from users where id = $2 and id <> $1 and is_active(users)
           on conflict (user_id, blocked_id) do update set created_at = blocks.created_at
           returning 1 as "done!""#,
        user_id,
        blocked_id
    );
    let row = query.fetch_optional(conn).await?;
    Ok(row.is_some())
}

/// Ends a block, if there is one.
pub async fn remove(conn: &mut PgConnection, user_id: i64, blocked_id: i64) -> Result<()> {
    run(sqlx::query!("delete from blocks where user_id = $1 and blocked_id = $2", user_id, blocked_id), conn).await
}

/// Returns whether `user_id` blocks `other`.
pub async fn exists(executor: impl PgExecutor<'_>, user_id: i64, other: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from blocks where user_id = $1 and blocked_id = $2) as "e!""#,
        user_id,
        other
    );
    Ok(query.fetch_one(executor).await?)
}

/// Lists the ids of the members that `user_id` blocks, newest block first.
pub async fn list(pool: &PgPool, user_id: i64, window: Window) -> Result<Page<i64>> {
    let items = sqlx::query_scalar!(
        "select u.id from blocks b join users u on u.id = b.blocked_id
         where b.user_id = $1 and is_active(u)
         order by b.created_at desc, u.id desc limit $2 offset $3",
        user_id,
        window.limit,
        window.offset
    );
    let total = sqlx::query_scalar!(
        r#"select count(*) as "n!" from blocks b join users u on u.id = b.blocked_id
           where b.user_id = $1 and is_active(u)"#,
        user_id
    );
    page(items.fetch_all(pool), total.fetch_one(pool)).await
}
