//! The indexes that follow the catalog: who they are, and which process writes each of them.
//!
//! A consumer has its own rows in the outbox and exactly one writer, the holder of its latest epoch. A writer that was paused
//! or cut off finds another epoch when it comes back, and then neither claims nor acknowledges anything.

use std::time::Duration;

use sqlx::{Connection, PgConnection};

use crate::{Error, Result, run};

/// Between two looks at transactions that must end first.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long a transaction that keeps others from taking over may do nothing.
const PATIENCE: &str = "3s";
/// Key of the advisory lock under which indexes get their name.
const NAMING_LOCK: i64 = 7307;

/// A consumer as its writer holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Id of the consumer.
    pub consumer: i32,
    /// The writer's number; each take-over counts one up.
    pub epoch: i64,
    /// What the live indexes were built with, as the indexer words it; `None` asks for a rebuild.
    pub built: Option<String>,
}

/// Makes a consumer of that name known, unless it is. From the commit on each change of the catalog has a row for it; changes
/// of before it has to read ([`settle`]).
pub async fn register(conn: &mut PgConnection, name: &str) -> Result<()> {
    let query = sqlx::query!(
        "with added as (insert into outbox_consumers (name) values ($1) on conflict (name) do nothing returning id)
         update outbox_registrations set registered = registered + 1 where exists (select from added)",
        name
    );
    run(query, conn).await
}

/// Waits until every transaction has ended that may write the outbox without knowing of a consumer registered before this
/// call. Nobody else is held up. What they wrote can be read afterwards.
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
        tokio::time::sleep(LOOK_EVERY).await;
        open = sqlx::query_scalar!(
            r#"select distinct virtualtransaction as "open!" from pg_locks where virtualtransaction = any ($1)"#,
            &open
        )
        .fetch_all(&mut *conn)
        .await?;
    }
    Ok(())
}

/// Becomes the writer of a registered consumer for the time of `lease`: at once where nobody else can be (`alone`), else only
/// when the time of the last one is over. What the last one had claimed is free again. `None` when somebody else writes,
/// or no consumer has that name.
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

/// What the live indexes of the consumer of that name were built with; `None` when there is no such consumer.
pub async fn find(conn: &mut PgConnection, name: &str) -> Result<Option<Option<String>>> {
    Ok(sqlx::query_scalar!("select built from outbox_consumers where name = $1", name).fetch_optional(conn).await?)
}

/// When a consumer was last heard of, in microseconds since 1970; `None` when there is none of that name.
pub async fn heard_at(conn: &mut PgConnection, name: &str) -> Result<Option<i64>> {
    let query = sqlx::query_scalar!(
        r#"select (extract(epoch from heard_at) * 1000000)::bigint as "heard_at!" from outbox_consumers where name = $1"#,
        name
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Drops a consumer and all that waits for it, unless it has a living writer; `anyway`, too. Answers whether it is gone. When it comes
/// back it registers anew, and its indexes are built anew.
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

/// A consumer, as an operator sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its name, which is beside its indexes.
    pub name: String,
    /// Whether a process writes its indexes now.
    pub is_written: bool,
    /// Whether its indexes were ever complete.
    pub is_built: bool,
    /// How many writers it had.
    pub epoch: i64,
    /// Since it was last heard of.
    pub silence: Duration,
    /// Age of the oldest change that waits for it; zero when none does.
    pub oldest: Duration,
    /// Changes that wait.
    pub waiting: i64,
    /// Objects set aside ([`crate::parked`]).
    pub parked: i64,
}

/// Every consumer, by name.
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

/// Says that the writer lives, for another `time`, and how the consumer is now.
///
/// # Errors
/// [`Error::Superseded`]; Postgres is away.
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

/// Lets the next writer begin at once.
pub async fn resign(conn: &mut PgConnection, lease: &Lease) -> Result<()> {
    let query = sqlx::query!(
        "update outbox_consumers set writer_until = '-infinity' where id = $1 and epoch = $2",
        lease.consumer,
        lease.epoch
    );
    run(query, conn).await
}

/// Fails unless the lease is the latest; called right before something is sent to the index.
///
/// # Errors
/// [`Error::Superseded`]; Postgres is away.
pub async fn check(conn: &mut PgConnection, lease: &Lease) -> Result<()> {
    sqlx::query_scalar!("select id from outbox_consumers where id = $1 and epoch = $2", lease.consumer, lease.epoch)
        .fetch_optional(conn)
        .await?
        .map(drop)
        .ok_or(Error::Superseded)
}

/// As [`check`], and nobody takes over until the transaction ends. A process that is paused inside of it loses the
/// transaction after a moment, so that it can't hold up the next writer.
///
/// # Errors
/// [`Error::Superseded`]; Postgres is away.
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

/// Lets one process at a time give indexes their name, until the transaction ends.
pub async fn naming_turn(transaction: &mut PgConnection) -> Result<()> {
    run(sqlx::query!("select pg_advisory_xact_lock($1)", NAMING_LOCK), transaction).await
}

/// Gives back all that a consumer's writer has claimed, when it knows that none of it is being worked on.
///
/// # Errors
/// [`Error::Superseded`]; Postgres is away.
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

/// What the live indexes were built with, as it is noted now.
///
/// # Errors
/// [`Error::Superseded`]; Postgres is away.
pub async fn built(conn: &mut PgConnection, lease: &Lease) -> Result<Option<String>> {
    sqlx::query_scalar!("select built from outbox_consumers where id = $1 and epoch = $2", lease.consumer, lease.epoch)
        .fetch_optional(conn)
        .await?
        .ok_or(Error::Superseded)
}

/// Notes what the live indexes are built with.
///
/// # Errors
/// [`Error::Superseded`]; Postgres is away.
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

/// Drops consumers that weren't heard of for longer than `silence`, and all rows of consumers that are gone. Returns the
/// names; one that comes back registers anew.
pub async fn drop_silent(conn: &mut PgConnection, silence: Duration) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "delete from outbox_consumers where heard_at < clock_timestamp() - make_interval(secs => $1) returning name",
        silence.as_secs_f64()
    );
    let names = query.fetch_all(&mut *conn).await?;
    sweep(conn).await?;
    Ok(names)
}

/// Deletes all rows of consumers that are gone.
async fn sweep(conn: &mut PgConnection) -> Result<()> {
    sqlx::query!("delete from outbox o where not exists (select from outbox_consumers c where c.id = o.consumer_id)")
        .execute(&mut *conn)
        .await?;
    let query = sqlx::query!(
        "delete from counter_marks m where not exists (select from outbox_consumers c where c.id = m.consumer_id)"
    );
    run(query, conn).await
}
