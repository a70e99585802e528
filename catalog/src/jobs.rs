//! Job queue: work that one process of a site requests from another, stored until it is done.

use std::time::Duration;

use serde_json::Value;
use sqlx::PgConnection;

use crate::{Result, run};

/// A job and its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Id of the job.
    pub id: i64,
    /// Request and progress, as a JSON object whose keys depend on the kind of job.
    pub payload: Value,
    /// `queued`, `running`, `done` or `failed`.
    pub state: String,
    /// Number of claims. The holder uses it to check that it still holds the job.
    pub attempts: i32,
    /// How many times the holder was lost before it reported a result.
    pub lost: i32,
    /// Reason for the last failure.
    pub last_error: Option<String>,
}

/// Enqueues a job and returns its id.
pub async fn enqueue(conn: &mut PgConnection, kind: &str, payload: &Value) -> Result<i64> {
    let query = sqlx::query_scalar!("insert into jobs (kind, payload) values ($1, $2) returning id", kind, payload);
    Ok(query.fetch_one(conn).await?)
}

/// Claims the oldest queued job of a kind for the duration of `lease`. A job whose holder died becomes claimable when
/// its lease expires.
pub async fn claim(conn: &mut PgConnection, kind: &str, lease: Duration) -> Result<Option<Job>> {
    let query = sqlx::query_as!(
        Job,
        "update jobs set state = 'running', attempts = attempts + 1, lost = lost + (state = 'running')::integer,
                claimed_until = clock_timestamp() + make_interval(secs => $2)
         where id = (select id from jobs
                     where kind = $1 and run_at <= now()
                       and (state = 'queued' or (state = 'running' and claimed_until < clock_timestamp()))
                     order by run_at, id limit 1 for update skip locked)
         returning id, payload, state, attempts, lost, last_error",
        kind,
        lease.as_secs_f64()
    );
    Ok(query.fetch_optional(conn).await?)
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
    let query = sqlx::query!(
        "update jobs set state = case when $3::text is null then 'done' else 'failed' end, last_error = $3,
                claimed_until = null, finished_at = now()
         where id = $1 and attempts = $2 and state = 'running'",
        job.id,
        job.attempts,
        failure
    );
    Ok(query.execute(conn).await?.rows_affected() == 1)
}

/// Requeues a job for a retry after `pause`, recording the reason.
pub async fn retry(conn: &mut PgConnection, job: &Job, pause: Duration, why: &str) -> Result<()> {
    let query = sqlx::query!(
        "update jobs set state = 'queued', claimed_until = null, last_error = $3,
                run_at = clock_timestamp() + make_interval(secs => $4)
         where id = $1 and attempts = $2 and state = 'running'",
        job.id,
        job.attempts,
        why,
        pause.as_secs_f64()
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

/// Returns the job with this id.
pub async fn get(conn: &mut PgConnection, id: i64) -> Result<Option<Job>> {
    let query =
        sqlx::query_as!(Job, "select id, payload, state, attempts, lost, last_error from jobs where id = $1", id);
    Ok(query.fetch_optional(conn).await?)
}
