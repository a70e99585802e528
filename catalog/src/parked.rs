//! Parked objects, whose documents the engine refuses. Their outbox rows are set aside with the reason and retried at
//! increasing intervals. Each consumer has at most one parked row per object.

use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::{Result, outbox::Entity, run};

/// A parked object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParkedObject {
    /// Kind of the object.
    pub entity: Entity,
    /// Id of the object.
    pub entity_id: i64,
    /// Error message of the engine.
    pub reason: String,
    /// Number of refusals.
    pub refusals: i32,
    /// Time of the oldest change to the object that isn't in the index.
    pub since: OffsetDateTime,
    /// Time of the next retry.
    pub retry_at: OffsetDateTime,
}

/// Parks the claimed rows of one object. After the n-th refusal, the n-th of `pauses` passes before the next retry (in
/// seconds, at least one entry). The last entry repeats.
pub async fn park(conn: &mut PgConnection, rows: &[i64], reason: &str, pauses: &[u64]) -> Result<()> {
    let pauses: Vec<f64> = pauses.iter().map(|&seconds| seconds as f64).collect();
    let query = sqlx::query!(
        "with object as (
            select consumer_id, entity, entity_id from outbox where id = any ($1) limit 1
        ), of_object as (
            select id, refusals from outbox where id = any ($1)
            union
            select o.id, o.refusals from outbox o join object using (consumer_id, entity, entity_id) where o.parked is not null
        ), kept as (
            select min(id) as id, max(refusals) + 1 as refusals from of_object
        ), merged as (
            delete from outbox where id in (select id from of_object except select id from kept)
        )
        update outbox o
        set parked = $2, claimed_until = null, refusals = kept.refusals, retry_at = clock_timestamp()
            + make_interval(secs => ($3::float8[])[least(kept.refusals, cardinality($3::float8[]))])
        from kept where o.id = kept.id",
        rows,
        reason,
        &pauses,
    );
    run(query, conn).await
}

/// Parks an object like [`park`], if the consumer has no claimed row of it.
pub async fn park_object(
    conn: &mut PgConnection,
    consumer: i32,
    entity: Entity,
    entity_id: i64,
    reason: &str,
    pauses: &[u64],
) -> Result<()> {
    let query = sqlx::query_scalar!(
        "insert into outbox (consumer_id, entity, entity_id) values ($1, $2, $3) returning id",
        consumer,
        entity.as_str(),
        entity_id
    );
    let row = query.fetch_one(&mut *conn).await?;
    park(conn, &[row], reason, pauses).await
}

/// Removes the parked rows of the objects that the claimed rows refer to. The current state of those objects has
/// reached the index.
pub async fn forget(conn: &mut PgConnection, rows: &[i64]) -> Result<()> {
    let query = sqlx::query!(
        "delete from outbox o using outbox done
         where done.id = any ($1) and o.parked is not null
           and (o.consumer_id, o.entity, o.entity_id) = (done.consumer_id, done.entity, done.entity_id)",
        rows
    );
    run(query, conn).await
}

/// Returns parked rows to the queue, either those that are due or `all`. Returns their number.
pub async fn retry(conn: &mut PgConnection, all: bool) -> Result<u64> {
    let query = sqlx::query!(
        "update outbox set parked = null, retry_at = least(retry_at, clock_timestamp())
         where parked is not null and ($1 or coalesce(retry_at <= clock_timestamp(), true))",
        all
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Lists up to `limit` parked objects. Those that will be retried first come first.
pub async fn list(conn: &mut PgConnection, limit: i64) -> Result<Vec<ParkedObject>> {
    let query = sqlx::query!(
        r#"select entity, entity_id, parked as "reason!", refusals, created_at as since,
                  coalesce(retry_at, clock_timestamp()) as "retry_at!"
           from outbox where parked is not null order by retry_at, id limit $1"#,
        limit
    );
    let rows = query.fetch_all(conn).await?;
    rows.into_iter()
        .map(|row| {
            let entity = row.entity.parse()?;
            let (entity_id, reason, refusals) = (row.entity_id, row.reason, row.refusals);
            Ok(ParkedObject { entity, entity_id, reason, refusals, since: row.since, retry_at: row.retry_at })
        })
        .collect()
}
