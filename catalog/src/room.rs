//! Reservations of disk space for uploads in progress, so that no space is reserved twice.

use std::time::Duration;

use sqlx::PgPool;

use crate::{Result, run};

/// Reserves `bytes` (at least 1) for a request for the duration of `lease`. The new reservation replaces the request's
/// earlier one, `held`. Returns `None` if the disk space that `free` returns doesn't suffice in addition to the other
/// reservations. In that case the earlier reservation is also released.
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
    // Determine the free space only now that expired and replaced reservations are deleted. What was written under
    // those reservations no longer counts as free.
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

/// Releases a reservation.
pub async fn release(pool: &PgPool, id: i64) -> Result<()> {
    run(sqlx::query!("delete from upload_room where id = $1", id), pool).await
}

/// Returns the total number of reserved bytes.
pub async fn promised(pool: &PgPool) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select coalesce(sum(bytes), 0)::bigint as "n!" from upload_room where until > clock_timestamp()"#
    );
    Ok(query.fetch_one(pool).await?)
}
