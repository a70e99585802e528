//! Outbox: a queue of the objects that each index must read again. Triggers write one row per consumer
//! (`migrations/0006_outbox.sql`, `0024_outbox_consumers.sql`). The consumer's writer claims a batch, reads the current
//! rows of those objects, waits for the engine, and acknowledges the batch by row id.
//!
//! There is no high-water mark. Ids commit out of order, so a late row is picked up by a later claim. Changes are
//! delivered at least once and in no particular order. A claim ends when it expires or when another writer takes over
//! ([`consumers::acquire`]).

use std::time::Duration;

pub use lantern_config::Entity;
use sqlx::{Connection, PgConnection};

use crate::{
    Result,
    consumers::{self, Lease},
    run,
};

/// An object to read again, with all claimed rows that refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedObject {
    /// Outbox rows, which are to be acknowledged or parked ([`crate::parked`]).
    pub rows: Vec<i64>,
    /// Kind of the object.
    pub entity: Entity,
    /// Id of the object. If the object's row is gone, the object must be deleted from the index.
    pub entity_id: i64,
    /// Number of times the most-claimed of these rows has been claimed, including this time.
    pub attempts: i32,
}

/// Indexing lag across all consumers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lag {
    /// Age of the oldest pending row. For a retried row, this is the time since the retry was due. It is zero if no row
    /// is pending.
    pub oldest: Duration,
    /// Number of pending and claimed rows.
    pub waiting: i64,
    /// Number of parked objects ([`crate::parked`]), counted per consumer.
    pub parked: i64,
}

/// How many rows to claim at once.
#[derive(Debug, Clone, Copy)]
pub struct ClaimSize {
    /// Maximum number of rows.
    pub rows: i64,
    /// Maximum number of rows that are derived changes.
    pub derived: i64,
}

/// Claims a consumer's free rows for `time` and returns one [`ClaimedObject`] per object. The oldest
/// rows come first, and derived changes come last. An object that is already claimed waits until that claim is
/// acknowledged, so that no concurrent write is overwritten.
///
/// # Errors
/// [`Error::Superseded`](crate::Error::Superseded), or the query fails.
pub async fn claim(
    conn: &mut PgConnection,
    lease: &Lease,
    size: ClaimSize,
    time: Duration,
) -> Result<Vec<ClaimedObject>> {
    // Claims are serialized, so the second statement sees what the previous claim took.
    let mut turn = conn.begin().await?;
    consumers::hold(&mut turn, lease).await?;
    // Postgres would cache a plan made while the outbox is nearly empty, which scans the whole table for every row.
    // Even a plan made for each claim relies on statistics from that time, and would sort all pending rows although an
    // index has them in order.
    let plan = sqlx::query!(
        "select set_config('plan_cache_mode', 'force_custom_plan', true) as mode, set_config('enable_sort', 'off', true) as sort"
    );
    plan.fetch_one(&mut *turn).await?;
    let query = sqlx::query!(
        r#"with due as (
            select id from outbox o
            where consumer_id = $1 and parked is null and (claimed_until is null or claimed_until < clock_timestamp())
              and not exists (select from outbox held
                              where (held.consumer_id, held.entity, held.entity_id) = ($1, o.entity, o.entity_id)
                                and held.claimed_until >= clock_timestamp())
            order by derived, id
            limit least($2, $4 + (select count(*) from (
                select from outbox
                where consumer_id = $1 and parked is null and not derived
                  and (claimed_until is null or claimed_until < clock_timestamp())
                limit $2) as urgent))
            for update skip locked
        ), taken as (
            update outbox o
            set claimed_until = clock_timestamp() + make_interval(secs => $3), attempts = attempts + 1
            from due where o.id = due.id
            returning o.id, o.entity, o.entity_id, o.attempts
        )
        select entity as "entity!", entity_id as "entity_id!",
               array_agg(id order by id) as "rows!", max(attempts) as "attempts!"
        from taken group by entity, entity_id order by min(id)"#,
        lease.consumer,
        size.rows,
        time.as_secs_f64(),
        size.derived,
    );
    let rows = query.fetch_all(&mut *turn).await?;
    turn.commit().await?;
    rows.into_iter()
        .map(|r| {
            Ok(ClaimedObject { rows: r.rows, entity: r.entity.parse()?, entity_id: r.entity_id, attempts: r.attempts })
        })
        .collect()
}

/// Adds rows for objects that a consumer must read again, whichever process is its writer.
pub async fn put_back(conn: &mut PgConnection, consumer: i32, objects: &[(Entity, i64)]) -> Result<()> {
    let (entities, ids) = columns(objects);
    let query = sqlx::query!(
        "insert into outbox (consumer_id, entity, entity_id)
         select c.id, o.entity, o.entity_id
         from unnest($2::text[], $3::bigint[]) o(entity, entity_id), outbox_consumers c where c.id = $1",
        consumer,
        &entities,
        &ids
    );
    run(query, conn).await
}

/// Deletes rows whose objects have reached the index. Returns the number of deleted rows.
pub async fn ack(conn: &mut PgConnection, rows: &[i64]) -> Result<u64> {
    let query = sqlx::query!("delete from outbox where id = any ($1)", rows);
    Ok(query.execute(conn).await?.rows_affected())
}

/// Measures the indexing lag.
pub async fn lag(conn: &mut PgConnection) -> Result<Lag> {
    let query = sqlx::query!(
        r#"select coalesce(extract(epoch from clock_timestamp()
                    - min(coalesce(retry_at, created_at)) filter (where parked is null)), 0)::float8 as "oldest!",
                  count(*) filter (where parked is null) as "waiting!",
                  count(*) filter (where parked is not null) as "parked!"
           from outbox"#
    );
    let row = query.fetch_one(conn).await?;
    Ok(Lag { oldest: Duration::from_secs_f64(row.oldest.max(0.0)), waiting: row.waiting, parked: row.parked })
}

/// Returns those of `objects` that a consumer has yet to read, without parked ones.
pub async fn waiting_of(
    conn: &mut PgConnection,
    consumer: i32,
    objects: &[(Entity, i64)],
) -> Result<Vec<(Entity, i64)>> {
    let (entities, ids) = columns(objects);
    let query = sqlx::query!(
        "select distinct o.entity, o.entity_id from outbox o
         join unnest($2::text[], $3::bigint[]) w(entity, entity_id) using (entity, entity_id)
         where o.consumer_id = $1 and o.parked is null",
        consumer,
        &entities,
        &ids
    );
    let rows = query.fetch_all(conn).await?;
    rows.into_iter().map(|row| Ok((row.entity.parse()?, row.entity_id))).collect()
}

/// Returns the number of a consumer's pending and claimed rows.
pub async fn waiting(conn: &mut PgConnection, consumer: i32) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "waiting!" from outbox where consumer_id = $1 and parked is null"#,
        consumer
    );
    Ok(query.fetch_one(conn).await?)
}

/// Splits objects into arrays of kinds and ids, for query parameters.
pub(crate) fn columns(objects: &[(Entity, i64)]) -> (Vec<String>, Vec<i64>) {
    objects.iter().map(|(entity, id)| (entity.to_string(), *id)).unzip()
}
