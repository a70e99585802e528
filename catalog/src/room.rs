//! Room on the disk of uploads that is promised to requests under way, so that two can't be promised the same.

use std::time::Duration;

use sqlx::PgPool;

use crate::{Result, run};

/// Promises `bytes` (at least 1) to a request for the time of `lease`, in place of what it had as `held`; `None` when `free`, which says what the
/// disk has, leaves no room beside what others were promised, and then nothing is held any more.
pub async fn reserve(
    pool: &PgPool,
    held: Option<i64>,
    bytes: i64,
    lease: Duration,
    free: impl FnOnce() -> i64,
) -> Result<Option<i64>> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    sqlx::query!("select pg_advisory_xact_lock(hashtextextended('upload_room', 0))").execute(&mut *conn).await?;
    sqlx::query!("delete from upload_room where until <= clock_timestamp() or id = $1", held)
        .execute(&mut *conn)
        .await?;
    let query = sqlx::query_scalar!(r#"select coalesce(sum(bytes), 0)::bigint as "n!" from upload_room"#);
    let promised = query.fetch_one(&mut *conn).await?;
    // Only now: what a request filled before it gave its room back is no longer free then.
    if free().checked_sub(promised).is_none_or(|left| left < bytes) {
        transaction.commit().await?;
        return Ok(None);
    }
    let query = sqlx::query_scalar!(
        "insert into upload_room (bytes, until) values ($1, clock_timestamp() + make_interval(secs => $2)) returning id",
        bytes,
        lease.as_secs_f64()
    );
    let id = query.fetch_one(&mut *conn).await?;
    transaction.commit().await?;
    Ok(Some(id))
}

/// Gives room back.
pub async fn release(pool: &PgPool, id: i64) -> Result<()> {
    run(sqlx::query!("delete from upload_room where id = $1", id), pool).await
}

/// Bytes that are promised.
pub async fn promised(pool: &PgPool) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select coalesce(sum(bytes), 0)::bigint as "n!" from upload_room where until > clock_timestamp()"#
    );
    Ok(query.fetch_one(pool).await?)
}
