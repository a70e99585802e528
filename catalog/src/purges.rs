//! Purge queue: cache tags to purge from external caches. Triggers and [`crate::changes::tell`] add tags in the
//! transaction that makes the change. Sent tags are deleted.

use std::time::Duration;

use sqlx::PgPool;

use crate::{Result, run};

/// Tag on every API response. It is purged when it isn't known which objects changed.
pub const ANSWERS: &str = "answers";

/// A tag that is due to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuePurge {
    /// Id of the row.
    pub id: i64,
    /// The tag to purge.
    pub tag: String,
}

/// Size of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingPurges {
    /// Number of rows.
    pub rows: i64,
    /// Age of the oldest row in seconds, or 0 if there is none.
    pub oldest: i64,
}

/// Enables or disables purging. Disabling it empties the queue.
pub async fn switch(pool: &PgPool, is_on: bool) -> Result<()> {
    sqlx::query!("update purge_switch set is_on = $1 where is_on <> $1", is_on).execute(pool).await?;
    if !is_on {
        sqlx::query!("delete from purges").execute(pool).await?;
    }
    Ok(())
}

/// Claims up to `limit` due tags, oldest first, for the duration of `lease`. If the sender dies, its tags become
/// claimable when the lease expires. Concurrent callers get different rows.
pub async fn claim(pool: &PgPool, limit: u32, lease: Duration) -> Result<Vec<DuePurge>> {
    let query = sqlx::query_as!(
        DuePurge,
        "update purges set attempts = attempts + 1, claimed_until = clock_timestamp() + make_interval(secs => $2)
         where id in (select id from purges
                      where run_at <= clock_timestamp() and (claimed_until is null or claimed_until < clock_timestamp())
                      order by run_at, id limit $1 for update skip locked)
         returning id, tag",
        i64::from(limit),
        lease.as_secs_f64()
    );
    Ok(query.fetch_all(pool).await?)
}

/// Deletes purged tags.
pub async fn mark_purged(pool: &PgPool, ids: &[i64]) -> Result<()> {
    run(sqlx::query!("delete from purges where id = any ($1)", ids), pool).await
}

/// Requeues tags that could not be sent. `pauses` are the waiting times in seconds after each attempt. The last entry
/// repeats.
pub async fn retry(pool: &PgPool, ids: &[i64], why: &str, pauses: &[f64]) -> Result<()> {
    let query = sqlx::query!(
        "update purges set claimed_until = null, last_error = $2,
                run_at = clock_timestamp() + make_interval(secs => ($3::float8[])[least(attempts, cardinality($3))])
         where id = any ($1)",
        ids,
        why,
        pauses
    );
    run(query, pool).await
}

/// Drops the tags that could not be sent for `keep` and returns their number.
pub async fn give_up(pool: &PgPool, keep: Duration) -> Result<u64> {
    let query = sqlx::query!(
        "delete from purges where created_at < clock_timestamp() - make_interval(secs => $1)",
        keep.as_secs_f64()
    );
    Ok(query.execute(pool).await?.rows_affected())
}

/// Returns the size of the queue.
pub async fn waiting(pool: &PgPool) -> Result<WaitingPurges> {
    let query = sqlx::query_as!(
        WaitingPurges,
        r#"select count(*) as "rows!",
                  coalesce(extract(epoch from clock_timestamp() - min(created_at))::bigint, 0) as "oldest!" from purges"#
    );
    Ok(query.fetch_one(pool).await?)
}
