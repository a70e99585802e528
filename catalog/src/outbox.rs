//! The queue of objects each index must re-read. Triggers write a row per consumer (`migrations/0006_outbox.sql`,
//! `0024_outbox_consumers.sql`); the consumer's writer claims a batch, re-reads the current rows, waits for the engine and
//! acknowledges by row id.
//!
//! There is no high-water mark: ids commit out of order, so a late row is simply found by a later claim.
//! At least once, in no order. A claim ends with its time, or when somebody takes over ([`consumers::acquire`]).

use std::time::Duration;

pub use lantern_config::Entity;
use sqlx::{Connection, PgConnection};

use crate::{
    Result,
    consumers::{self, Lease},
    run,
};

/// One object to re-read, with all claimed rows that name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedObject {
    /// Outbox rows to acknowledge or park ([`crate::parked`]).
    pub rows: Vec<i64>,
    /// Kind of the object.
    pub entity: Entity,
    /// Its id; the row may be gone, which means "delete from the index".
    pub entity_id: i64,
    /// How often the most-tried of the rows was claimed, this time included.
    pub attempts: i32,
}

/// How far behind the indexes are, all consumers together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lag {
    /// Age of the oldest waiting row, of one that is tried again since that was due; zero when none waits.
    pub oldest: Duration,
    /// Rows waiting or claimed.
    pub waiting: i64,
    /// Objects set aside ([`crate::parked`]), once for each consumer.
    pub parked: i64,
}

/// Claims up to `limit` of a consumer's free rows for `time`, the oldest first and what only shows something that changed last, one
/// [`ClaimedObject`] per object. An object that is claimed already waits until that claim is acknowledged, so nobody overwrites what somebody else is just sending.
///
/// # Errors
/// [`Error::Superseded`]; the query fails.
pub async fn claim(conn: &mut PgConnection, lease: &Lease, limit: i64, time: Duration) -> Result<Vec<ClaimedObject>> {
    // One claim at a time: the second statement sees what the claim before took.
    let mut turn = conn.begin().await?;
    consumers::hold(&mut turn, lease).await?;
    // The plan that a connection keeps is made while next to nothing waits, and reads the whole outbox for every row; one made anew
    // trusts figures of that time and sorts all that waits, which an index has in order.
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
            order by derived, id limit $2 for update skip locked
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
        limit,
        time.as_secs_f64(),
    );
    let rows = query.fetch_all(&mut *turn).await?;
    turn.commit().await?;
    rows.into_iter()
        .map(|r| {
            Ok(ClaimedObject { rows: r.rows, entity: r.entity.parse()?, entity_id: r.entity_id, attempts: r.attempts })
        })
        .collect()
}

/// Adds rows for objects that a consumer must read again, whichever process writes it now.
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

/// Deletes rows whose objects reached the index. Returns how many were still there.
pub async fn ack(conn: &mut PgConnection, rows: &[i64]) -> Result<u64> {
    let query = sqlx::query!("delete from outbox where id = any ($1)", rows);
    Ok(query.execute(conn).await?.rows_affected())
}

/// Measures how far behind the indexes are.
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

/// Those of `objects` that a consumer has to read still; parked ones are not among them.
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

/// Rows of one consumer that wait or are claimed.
pub async fn waiting(conn: &mut PgConnection, consumer: i32) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "waiting!" from outbox where consumer_id = $1 and parked is null"#,
        consumer
    );
    Ok(query.fetch_one(conn).await?)
}

/// The words and ids of objects, as a statement takes them.
pub(crate) fn columns(objects: &[(Entity, i64)]) -> (Vec<String>, Vec<i64>) {
    objects.iter().map(|(entity, id)| (entity.to_string(), *id)).unzip()
}
