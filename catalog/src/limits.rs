//! Rate limit counters shared by several nodes. The limits themselves are defined in `ratelimit/`.
//!
//! All times come from the database's clock, read once per statement, so that nodes whose clocks differ count the same.

use std::time::Duration;

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::{Result, run};

/// The key of one client for an action, with the action's rule.
#[derive(Debug, Clone, Copy)]
pub struct KeyRule<'a> {
    /// Name of the action.
    pub action: &'a str,
    /// The key, which has 1 to 17 bytes.
    pub key: &'a [u8],
    /// Number of slots, which is at least 1.
    pub slots: i16,
    /// How much taking a slot adds to its due time.
    pub interval: Duration,
    /// How far in the future a slot's due time may be for the slot to be taken now.
    pub tolerance: Duration,
}

/// A taken slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// Index of the slot, counted from 0.
    pub slot: i16,
    /// When the slot is free again.
    pub due: OffsetDateTime,
}

/// Takes the first free slot. If none is free, returns the time until one is.
///
/// A single statement decides and writes. If two requests compete for a slot, the loser retries, so every further
/// attempt means that another request has succeeded.
pub async fn take(pool: &PgPool, counted: &KeyRule<'_>) -> Result<Result<Slot, Duration>> {
    loop {
        let query = sqlx::query!(
            r#"with clock as materialized (select clock_timestamp() as t),
                 held as materialized (select slot, due from limit_slots where action = $1 and key = $2 and slot < $3),
                 free as (
                     select s::smallint as slot from generate_series(0, $3::smallint - 1) s
                     left join held h on h.slot = s cross join clock
                     where h.due is null or h.due - make_interval(secs => $5) <= t
                     order by s limit 1),
                 taken as (
                     insert into limit_slots as l (action, key, slot, due)
                     select $1, $2, free.slot, t + make_interval(secs => $4) from free cross join clock
                     on conflict (action, key, slot) do update
                         set due = greatest(l.due, (select t from clock)) + make_interval(secs => $4)
                         where l.due - make_interval(secs => $5) <= (select t from clock)
                     returning l.slot, l.due)
               select (select slot from taken) as slot, (select due from taken) as due,
                      exists (select from free) as "contested!",
                      (select extract(epoch from min(h.due) - make_interval(secs => $5) - t)::float8
                       from held h cross join clock group by t) as wait"#,
            counted.action,
            counted.key,
            counted.slots,
            counted.interval.as_secs_f64(),
            counted.tolerance.as_secs_f64()
        );
        let row = query.fetch_one(pool).await?;
        if let (Some(slot), Some(due)) = (row.slot, row.due) {
            return Ok(Ok(Slot { slot, due }));
        }
        if !row.contested {
            return Ok(Err(clamp_wait(pool, counted, seconds(row.wait)).await?));
        }
    }
}

/// Returns the time until a slot is free, without taking one. The time is zero if a slot is free now.
pub async fn wait(pool: &PgPool, counted: &KeyRule<'_>) -> Result<Duration> {
    let query = sqlx::query!(
        r#"select count(*) < $3::smallint as "room!",
                  extract(epoch from min(due) - make_interval(secs => $4) - clock_timestamp())::float8 as wait
           from limit_slots where action = $1 and key = $2 and slot < $3::smallint"#,
        counted.action,
        counted.key,
        counted.slots,
        counted.tolerance.as_secs_f64()
    );
    let row = query.fetch_one(pool).await?;
    if row.room { Ok(Duration::ZERO) } else { clamp_wait(pool, counted, seconds(row.wait)).await }
}

/// Undoes a [`take`], unless the slot has been taken again since.
pub async fn give_back(pool: &PgPool, counted: &KeyRule<'_>, slot: Slot) -> Result<()> {
    // With a tolerance, every take advances the slot by the same step, so the step can always be undone.
    let query = sqlx::query!(
        "update limit_slots set due = due - make_interval(secs => $4)
         where action = $1 and key = $2 and slot = $3 and (due = $5 or $6)",
        counted.action,
        counted.key,
        slot.slot,
        counted.interval.as_secs_f64(),
        slot.due,
        !counted.tolerance.is_zero()
    );
    run(query, pool).await
}

/// Resets a key.
pub async fn clear(pool: &PgPool, action: &str, key: &[u8]) -> Result<()> {
    run(sqlx::query!("delete from limit_slots where action = $1 and key = $2", action, key), pool).await
}

/// Removes idle slots of all actions and returns their number. An idle slot is equivalent to a missing one. Slots are
/// kept for another ten seconds, until all statements that read the clock earlier have used them.
pub async fn sweep(pool: &PgPool) -> Result<u64> {
    let done = sqlx::query!("delete from limit_slots where due <= clock_timestamp() - interval '10 s'");
    Ok(done.execute(pool).await?.rows_affected())
}

/// Limits the due times of the action's slots to `horizon` from now. A due time further ahead was set before the
/// server's clock was set back.
pub async fn pull_back(pool: &PgPool, action: &str, horizon: Duration) -> Result<()> {
    let query = sqlx::query!(
        "update limit_slots set due = clock_timestamp() + make_interval(secs => $2)
         where action = $1 and due > clock_timestamp() + make_interval(secs => $2)",
        action,
        horizon.as_secs_f64()
    );
    run(query, pool).await
}

/// Counts stored keys by action.
pub async fn tracked(pool: &PgPool) -> Result<Vec<(String, i64)>> {
    let rows = sqlx::query!(
        r#"select action, count(*) as "keys!" from (select distinct action, key from limit_slots) k group by action"#
    );
    Ok(rows.fetch_all(pool).await?.into_iter().map(|row| (row.action, row.keys)).collect())
}

/// Limits a wait to the rule's interval. A longer wait means that the server's clock was set back.
async fn clamp_wait(pool: &PgPool, counted: &KeyRule<'_>, wait: Duration) -> Result<Duration> {
    if wait > counted.interval {
        pull_back(pool, counted.action, counted.interval + counted.tolerance).await?;
    }
    Ok(wait.min(counted.interval))
}

fn seconds(wait: Option<f64>) -> Duration {
    Duration::try_from_secs_f64(wait.unwrap_or(0.0)).unwrap_or(Duration::ZERO)
}
