//! Tags that caches outside must still drop. Triggers and [`crate::changes::tell`] write them in the transaction of the change; what
//! was sent is deleted.

use std::time::Duration;

use sqlx::PgPool;

use crate::{Result, run};

/// Stands on every response of the API: what is sent when it isn't known what changed.
pub const ANSWERS: &str = "answers";

/// A tag whose turn it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuePurge {
    /// Number of the row.
    pub id: i64,
    /// The tag to be sent.
    pub tag: String,
}

/// How much is still to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WaitingPurges {
    /// Rows.
    pub rows: i64,
    /// Age of the oldest in seconds; 0 when there is none.
    pub oldest: i64,
}

/// Switches purging on or off. Where it is off, nothing waits.
pub async fn switch(pool: &PgPool, is_on: bool) -> Result<()> {
    sqlx::query!("update purge_switch set is_on = $1 where is_on <> $1", is_on).execute(pool).await?;
    if !is_on {
        sqlx::query!("delete from purges").execute(pool).await?;
    }
    Ok(())
}

/// Takes the oldest tags whose turn it is, at most `limit`, for the time of `lease`; those of a teller that died come back when it
/// ends. Several may ask at the same time: each row goes to one.
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

/// Deletes what was sent.
pub async fn mark_purged(pool: &PgPool, ids: &[i64]) -> Result<()> {
    run(sqlx::query!("delete from purges where id = any ($1)", ids), pool).await
}

/// Puts back what could not be sent. `pauses` are the seconds to wait after each try, the last one for all that follow.
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

/// Gives up what could not be sent for `keep`; returns how many rows that were.
pub async fn give_up(pool: &PgPool, keep: Duration) -> Result<u64> {
    let query = sqlx::query!(
        "delete from purges where created_at < clock_timestamp() - make_interval(secs => $1)",
        keep.as_secs_f64()
    );
    Ok(query.execute(pool).await?.rows_affected())
}

/// How much waits.
pub async fn waiting(pool: &PgPool) -> Result<WaitingPurges> {
    let query = sqlx::query_as!(
        WaitingPurges,
        r#"select count(*) as "rows!",
                  coalesce(extract(epoch from clock_timestamp() - min(created_at))::bigint, 0) as "oldest!" from purges"#
    );
    Ok(query.fetch_one(pool).await?)
}
