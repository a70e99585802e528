//! Statements on the table `jobs`.

use std::time::Duration;

use serde_json::Value;
use sqlx::{PgConnection, PgExecutor};

use super::Job;
use crate::{Result, run};

/// Enqueues a job and returns its id. In the caller's transaction, the job exists only if the change that caused it is
/// committed.
pub async fn enqueue(conn: &mut PgConnection, kind: &str, payload: &Value) -> Result<i64> {
    let query = sqlx::query_scalar!("insert into jobs (kind, payload) values ($1, $2) returning id", kind, payload);
    Ok(query.fetch_one(conn).await?)
}

/// Claims up to `limit` due jobs of a kind, oldest first, for the duration of `lease`. Concurrent callers get different
/// jobs. A job whose holder died becomes claimable when its lease expires.
pub async fn claim(conn: &mut PgConnection, kind: &str, limit: u32, lease: Duration) -> Result<Vec<Job>> {
    let query = sqlx::query_as!(
        Job,
        r#"update jobs set state = 'running', attempts = attempts + 1, lost = lost + (state = 'running')::integer,
                claimed_until = clock_timestamp() + make_interval(secs => $3)
         where id in (select id from jobs
                      where kind = $1 and state in ('queued', 'running') and run_at <= clock_timestamp()
                        and (claimed_until is null or claimed_until < clock_timestamp())
                      order by run_at, id limit $2 for update skip locked)
         returning id, payload, state, attempts, lost, last_error,
                   extract(epoch from clock_timestamp() - created_at)::bigint as "age!""#,
        kind,
        i64::from(limit),
        lease.as_secs_f64()
    );
    Ok(query.fetch_all(conn).await?)
}

/// Requeues the running jobs of a kind whose holder is known to be dead, and returns their number.
pub async fn release(conn: &mut PgConnection, kind: &str) -> Result<u64> {
    let query = sqlx::query!(
        "update jobs set state = 'queued', claimed_until = null, lost = lost + 1 where kind = $1 and state = 'running'",
        kind
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Stores the progress of a running job and renews its lease. Returns `false` if another holder has the job by now.
pub async fn report(conn: &mut PgConnection, job: &Job, payload: &Value, lease: Duration) -> Result<bool> {
    let query = sqlx::query!(
        "update jobs set payload = $3, claimed_until = clock_timestamp() + make_interval(secs => $4)
         where id = $1 and attempts = $2 and state = 'running'",
        job.id,
        job.attempts,
        payload,
        lease.as_secs_f64()
    );
    Ok(query.execute(conn).await?.rows_affected() == 1)
}

/// Finishes a job, recording the reason if it failed. Returns `false` if another holder has the job by now.
pub async fn finish(conn: &mut PgConnection, job: &Job, failure: Option<&str>) -> Result<bool> {
    end(conn, job, failure, false).await
}

/// Finishes a job, and erases its payload if `erases`.
pub(super) async fn end(conn: &mut PgConnection, job: &Job, failure: Option<&str>, erases: bool) -> Result<bool> {
    let query = sqlx::query!(
        "update jobs set state = case when $3::text is null then 'done' else 'failed' end, last_error = $3,
                claimed_until = null, finished_at = now(), payload = case when $4 then '{}' else payload end
         where id = $1 and attempts = $2 and state = 'running'",
        job.id,
        job.attempts,
        failure,
        erases
    );
    Ok(query.execute(conn).await?.rows_affected() == 1)
}

/// Deletes jobs, including those that another process holds. Returns their number.
pub(super) async fn delete(conn: &mut PgConnection, jobs: &[Job]) -> Result<u64> {
    let ids: Vec<i64> = jobs.iter().map(|job| job.id).collect();
    Ok(sqlx::query!("delete from jobs where id = any ($1)", &ids).execute(conn).await?.rows_affected())
}

/// Requeues jobs for a retry after their pauses in seconds, recording the reason. The attempt counts only if `counts`.
pub(super) async fn retry(
    conn: &mut PgConnection,
    jobs: &[&Job],
    pauses: &[f64],
    counts: bool,
    why: &str,
) -> Result<()> {
    let (ids, attempts): (Vec<i64>, Vec<i32>) = jobs.iter().map(|job| (job.id, job.attempts)).unzip();
    let query = sqlx::query!(
        "update jobs j set state = 'queued', claimed_until = null, last_error = $4, attempts = j.attempts - (not $5)::integer,
                run_at = clock_timestamp() + make_interval(secs => r.pause)
         from unnest($1::bigint[], $2::integer[], $3::float8[]) as r(id, attempts, pause)
         where j.id = r.id and j.attempts = r.attempts and j.state = 'running'",
        &ids,
        &attempts,
        pauses,
        why,
        counts
    );
    run(query, conn).await
}

/// Requeues a job that was interrupted. The attempt doesn't count.
pub async fn give_back(conn: &mut PgConnection, job: &Job) -> Result<()> {
    let query = sqlx::query!(
        "update jobs set state = 'queued', claimed_until = null, attempts = attempts - 1
         where id = $1 and attempts = $2 and state = 'running'",
        job.id,
        job.attempts
    );
    run(query, conn).await
}

/// Requeues a failed job as if it had never been attempted, with its payload or another. The reason for its failure stays
/// until the next one. Returns `false` if there is no such job.
pub async fn requeue(conn: &mut PgConnection, id: i64, payload: Option<&Value>) -> Result<bool> {
    let query = sqlx::query!(
        "update jobs set state = 'queued', attempts = 0, lost = 0, run_at = clock_timestamp(), claimed_until = null,
                finished_at = null, payload = coalesce($2, payload)
         where id = $1 and state = 'failed'",
        id,
        payload
    );
    Ok(query.execute(conn).await?.rows_affected() == 1)
}

/// Deletes the jobs of a kind that were enqueued longer than `age` ago, and returns their number.
pub async fn expire(db: impl PgExecutor<'_>, kind: &str, age: Duration) -> Result<u64> {
    let query = sqlx::query!(
        "delete from jobs where kind = $1 and created_at < clock_timestamp() - make_interval(secs => $2)",
        kind,
        age.as_secs_f64()
    );
    Ok(query.execute(db).await?.rows_affected())
}

/// Returns the job with this id.
pub async fn get(conn: &mut PgConnection, id: i64) -> Result<Option<Job>> {
    let query = sqlx::query_as!(
        Job,
        r#"select id, payload, state, attempts, lost, last_error,
                  extract(epoch from clock_timestamp() - created_at)::bigint as "age!" from jobs where id = $1"#,
        id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Number of jobs of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueSize {
    /// Kind of the jobs.
    pub kind: String,
    /// Queued and running jobs, except those that were scheduled for a later time.
    pub waiting: i64,
    /// Seconds since the oldest of them was enqueued or became due, or 0 if there is none.
    pub oldest: i64,
    /// Jobs that failed for good.
    pub failed: i64,
}

/// Returns the sizes of the queues that aren't empty.
pub async fn sizes(db: impl PgExecutor<'_>) -> Result<Vec<QueueSize>> {
    let query = sqlx::query_as!(
        QueueSize,
        r#"select kind, count(*) filter (where state <> 'failed') as "waiting!", count(*) filter (where state = 'failed') as "failed!",
                  coalesce(extract(epoch from clock_timestamp() - min(case when attempts = 0 then greatest(created_at, run_at) else created_at end)
                                              filter (where state <> 'failed'))::bigint, 0) as "oldest!"
           from jobs
           where (state in ('queued', 'running') or state = 'failed') and not (state = 'queued' and attempts = 0 and run_at > now())
           group by kind"#
    );
    Ok(query.fetch_all(db).await?)
}

/// Returns those of the jobs that a worker may hold.
pub async fn running(db: impl PgExecutor<'_>, ids: &[i64]) -> Result<Vec<i64>> {
    let query = sqlx::query_scalar!("select id from jobs where id = any($1) and state = 'running'", ids);
    Ok(query.fetch_all(db).await?)
}

/// Returns the number of queued and running jobs of a kind.
pub async fn waiting(db: impl PgExecutor<'_>, kind: &str) -> Result<i64> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from jobs where kind = $1 and state in ('queued', 'running')"#,
        kind
    );
    Ok(query.fetch_one(db).await?)
}
