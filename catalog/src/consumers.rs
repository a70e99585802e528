//! Outbox consumers: the indexes that follow the catalog, and which process writes each of them.
//!
//! A consumer has its own rows in the outbox and exactly one writer, the holder of the latest epoch. A writer that was
//! paused or cut off finds a newer epoch when it returns. It can then neither claim nor acknowledge anything.

use std::time::Duration;

use sqlx::{Connection, PgConnection};

use crate::{Error, Result, run};

/// Polling interval while waiting for transactions to end.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Time after which an idle transaction that blocks a takeover is ended.
const PATIENCE: &str = "3s";
/// Advisory lock that serializes the naming of indexes.
const NAMING_LOCK: i64 = 7307;

/// Lease on a consumer, held by its writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Id of the consumer.
    pub consumer: i32,
    /// Epoch of the writer, incremented at each takeover.
    pub epoch: i64,
    /// What the live indexes were built with, in the indexer's format. `None` requests a rebuild.
    pub built: Option<String>,
}

/// Registers a consumer unless it exists. Every catalog change after the commit gets a row for it. Earlier changes must
/// be read from the catalog ([`settle`]).
pub async fn register(conn: &mut PgConnection, name: &str) -> Result<()> {
    let query = sqlx::query!(
        "with added as (insert into outbox_consumers (name) values ($1) on conflict (name) do nothing returning id)
         update outbox_registrations set registered = registered + 1 where exists (select from added)",
        name
    );
    run(query, conn).await
}

/// Waits until all transactions have ended that may write to the outbox without knowing a consumer registered before
/// this call. It doesn't block any other transaction. What those transactions wrote is visible afterwards.
pub async fn settle(conn: &mut PgConnection) -> Result<()> {
    let mut open = sqlx::query_scalar!(
        r#"select virtualtransaction as "open!" from pg_locks
           where locktype = 'relation' and relation = 'outbox'::regclass and mode = 'RowExclusiveLock' and granted
             and database = (select oid from pg_database where datname = current_database())
             and pid is distinct from pg_backend_pid()"#
    )
    .fetch_all(&mut *conn)
    .await?;
    while !open.is_empty() {
        tokio::time::sleep(POLL_INTERVAL).await;
        open = sqlx::query_scalar!(
            r#"select distinct virtualtransaction as "open!" from pg_locks where virtualtransaction = any ($1)"#,
            &open
        )
        .fetch_all(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Makes this process the writer of a registered consumer for the duration of `lease`: immediately if no other writer
/// is possible (`alone`), otherwise only once the last lease has expired. Frees the claims of the previous writer.
/// Returns `None` if another writer is active or no consumer has that name.
pub async fn acquire(conn: &mut PgConnection, name: &str, lease: Duration, alone: bool) -> Result<Option<Lease>> {
    let mut turn = conn.begin().await?;
    let query = sqlx::query_as!(
        Lease,
        r#"update outbox_consumers set epoch = epoch + 1, heard_at = clock_timestamp(),
                  writer_until = clock_timestamp() + make_interval(secs => $2)
           where id = (select id from outbox_consumers
                       where name = $1 and ($3 or writer_until < clock_timestamp()) for update)
           returning id as consumer, epoch, built"#,
        name,
        lease.as_secs_f64(),
        alone
    );
    let held = query.fetch_optional(&mut *turn).await?;
    if let Some(held) = &held {
        let query = sqlx::query!(
            "update outbox set claimed_until = null where consumer_id = $1 and claimed_until is not null",
            held.consumer
        );
        query.execute(&mut *turn).await?;
    }
    turn.commit().await?;
    Ok(held)
}

/// Returns what the consumer's live indexes were built with, or `None` if there is no such consumer.
pub async fn find(conn: &mut PgConnection, name: &str) -> Result<Option<Option<String>>> {
    Ok(sqlx::query_scalar!("select built from outbox_consumers where name = $1", name).fetch_optional(conn).await?)
}

/// Returns the time of a consumer's last heartbeat in microseconds since 1970, or `None` if there is no such consumer.
pub async fn heard_at(conn: &mut PgConnection, name: &str) -> Result<Option<i64>> {
    let query = sqlx::query_scalar!(
        r#"select (extract(epoch from heard_at) * 1000000)::bigint as "heard_at!" from outbox_consumers where name = $1"#,
        name
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Drops a consumer and its outbox rows if it has no live writer, or in any case with `anyway`. Returns whether the
/// consumer is gone. A dropped consumer that comes back registers again and rebuilds its indexes.
pub async fn retire(conn: &mut PgConnection, name: &str, anyway: bool) -> Result<bool> {
    let query = sqlx::query!(
        "delete from outbox_consumers where name = $1 and ($2 or writer_until < clock_timestamp())",
        name,
        anyway
    );
    query.execute(&mut *conn).await?;
    let is_gone = find(conn, name).await?.is_none();
    if is_gone {
        sweep(conn).await?;
    }
    Ok(is_gone)
}

/// A consumer, as shown to an operator.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Name, as stored next to its indexes.
    pub name: String,
    /// Whether a process is holding its lease now.
    pub is_written: bool,
    /// Whether its indexes have ever been complete.
    pub is_built: bool,
    /// Number of writers it has had so far.
    pub epoch: i64,
    /// Time since its last heartbeat.
    pub silence: Duration,
    /// Age of its oldest pending change, or zero if there is none.
    pub oldest: Duration,
    /// Number of pending changes.
    pub waiting: i64,
    /// Number of parked objects ([`crate::parked`]).
    pub parked: i64,
}

/// Lists all consumers by name.
pub async fn list(conn: &mut PgConnection) -> Result<Vec<Node>> {
    let query = sqlx::query!(
        r#"select name, writer_until >= clock_timestamp() as "is_written!", built is not null as "is_built!", epoch,
                  extract(epoch from clock_timestamp() - heard_at)::float8 as "silence!",
                  coalesce(extract(epoch from clock_timestamp() - o.oldest), 0)::float8 as "oldest!",
                  o.waiting as "waiting!", o.parked as "parked!"
           from outbox_consumers c cross join lateral (
               select min(coalesce(retry_at, created_at)) filter (where parked is null) as oldest,
                      count(*) filter (where parked is null) as waiting,
                      count(*) filter (where parked is not null) as parked
               from outbox where consumer_id = c.id
           ) o order by name"#
    );
    let seconds = |seconds: f64| Duration::from_secs_f64(seconds.max(0.0));
    let rows = query.fetch_all(conn).await?;
    Ok(rows
        .into_iter()
        .map(|row| Node {
            name: row.name,
            is_written: row.is_written,
            is_built: row.is_built,
            epoch: row.epoch,
            silence: seconds(row.silence),
            oldest: seconds(row.oldest),
            waiting: row.waiting,
            parked: row.parked,
        })
        .collect())
}

/// Extends the writer's lease by `time` and returns the consumer's current state.
///
/// # Errors
/// [`Error::Superseded`], or Postgres is unavailable.
pub async fn renew(conn: &mut PgConnection, lease: &Lease, time: Duration) -> Result<Lease> {
    sqlx::query_as!(
        Lease,
        "update outbox_consumers set heard_at = clock_timestamp(),
                writer_until = clock_timestamp() + make_interval(secs => $3)
         where id = $1 and epoch = $2 returning id as consumer, epoch, built",
        lease.consumer,
        lease.epoch,
        time.as_secs_f64()
    )
    .fetch_optional(conn)
    .await?
    .ok_or(Error::Superseded)
}

/// Releases the lease, so that the next writer can start immediately.
pub async fn resign(conn: &mut PgConnection, lease: &Lease) -> Result<()> {
    let query = sqlx::query!(
        "update outbox_consumers set writer_until = '-infinity' where id = $1 and epoch = $2",
        lease.consumer,
        lease.epoch
    );
    run(query, conn).await
}

/// Fails unless the lease is the latest. Call it right before sending documents to the index.
///
/// # Errors
/// [`Error::Superseded`], or Postgres is unavailable.
pub async fn check(conn: &mut PgConnection, lease: &Lease) -> Result<()> {
    sqlx::query_scalar!("select id from outbox_consumers where id = $1 and epoch = $2", lease.consumer, lease.epoch)
        .fetch_optional(conn)
        .await?
        .map(drop)
        .ok_or(Error::Superseded)
}

/// Does the same as [`check`] and also prevents a takeover until the transaction ends. A process that is paused inside
/// the transaction loses it after a few seconds, so it can't block the next writer.
///
/// # Errors
/// [`Error::Superseded`], or Postgres is unavailable.
pub async fn hold(transaction: &mut PgConnection, lease: &Lease) -> Result<()> {
    sqlx::query_scalar!(
        "select set_config('idle_in_transaction_session_timeout', $3, true)
         from (select id from outbox_consumers where id = $1 and epoch = $2 for update) held",
        lease.consumer,
        lease.epoch,
        PATIENCE
    )
    .fetch_optional(transaction)
    .await?
    .map(drop)
    .ok_or(Error::Superseded)
}

/// Serializes the naming of indexes until the transaction ends.
pub async fn naming_turn(transaction: &mut PgConnection) -> Result<()> {
    run(sqlx::query!("select pg_advisory_xact_lock($1)", NAMING_LOCK), transaction).await
}

/// Frees all claims held by a consumer's writer. The writer must know that none of them is being processed.
///
/// # Errors
/// [`Error::Superseded`], or Postgres is unavailable.
pub async fn free_claims(conn: &mut PgConnection, lease: &Lease) -> Result<()> {
    let mut turn = conn.begin().await?;
    hold(&mut turn, lease).await?;
    let query = sqlx::query!(
        "update outbox set claimed_until = null where consumer_id = $1 and claimed_until is not null",
        lease.consumer
    );
    query.execute(&mut *turn).await?;
    Ok(turn.commit().await?)
}

/// Returns what the live indexes were built with, as currently recorded.
///
/// # Errors
/// [`Error::Superseded`], or Postgres is unavailable.
pub async fn built(conn: &mut PgConnection, lease: &Lease) -> Result<Option<String>> {
    sqlx::query_scalar!("select built from outbox_consumers where id = $1 and epoch = $2", lease.consumer, lease.epoch)
        .fetch_optional(conn)
        .await?
        .ok_or(Error::Superseded)
}

/// Records what the live indexes were built with.
///
/// # Errors
/// [`Error::Superseded`], or Postgres is unavailable.
pub async fn set_built(conn: &mut PgConnection, lease: &Lease, built: &str) -> Result<()> {
    sqlx::query_scalar!(
        "update outbox_consumers set built = $3 where id = $1 and epoch = $2 returning id",
        lease.consumer,
        lease.epoch,
        built
    )
    .fetch_optional(conn)
    .await?
    .map(drop)
    .ok_or(Error::Superseded)
}

/// Requests a rebuild from the consumer's writer, whatever its epoch.
pub async fn doubt(conn: &mut PgConnection, consumer: i32) -> Result<()> {
    run(sqlx::query!("update outbox_consumers set built = null where id = $1", consumer), conn).await
}

/// Drops consumers that have had no heartbeat for longer than `silence`, and deletes all rows of dropped consumers.
/// Returns their names. A dropped consumer that comes back registers again.
pub async fn drop_silent(conn: &mut PgConnection, silence: Duration) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "delete from outbox_consumers where heard_at < clock_timestamp() - make_interval(secs => $1) returning name",
        silence.as_secs_f64()
    );
    let names = query.fetch_all(&mut *conn).await?;
    sweep(conn).await?;
    Ok(names)
}

/// Deletes all rows of dropped consumers.
async fn sweep(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!("delete from outbox o where not exists (select from outbox_consumers c where c.id = o.consumer_id)")
        .execute(&mut *conn)
        .await?;
    let query = sqlx::query!(
        "delete from counter_marks m where not exists (select from outbox_consumers c where c.id = m.consumer_id)"
    );
    run(query, conn).await
}
