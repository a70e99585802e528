//! Work requested from another process of the same site, stored until it is done.

use std::time::Duration;

use serde_json::Value;
use sqlx::PgConnection;

use crate::{Result, run};

/// State of a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its id.
    pub id: i64,
    /// The request, and how far it got: a JSON object whose keys belong to the kind.
    pub payload: Value,
    /// `queued`, `running`, `done` or `failed`.
    pub state: String,
    /// How often it was begun. Who holds it knows by this number whether it is still theirs.
    pub attempts: i32,
    /// How often its holder was lost before it said how the work went.
    pub lost: i32,
    /// Why it failed.
    pub last_error: Option<String>,
}

/// Asks for a job and returns its id.
pub async fn enqueue(conn: &mut PgConnection, kind: &str, payload: &Value) -> Result<i64> {
    let query = sqlx::query_scalar!("insert into jobs (kind, payload) values ($1, $2) returning id", kind, payload);
    Ok(query.fetch_one(conn).await?)
}

/// Takes the oldest waiting job of a kind for the time of `lease`; one whose holder died comes back when its
/// lease ends.
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

/// Gives back the running jobs of a kind whose holder is known to be dead, and says how many there were.
pub async fn release(conn: &mut PgConnection, kind: &str) -> Result<u64> {
    let query = sqlx::query!(
        "update jobs set state = 'queued', claimed_until = null, lost = lost + 1 where kind = $1 and state = 'running'",
        kind
    );
    Ok(query.execute(conn).await?.rows_affected())
}

/// Records how far a running job got and prolongs its lease; false when it is somebody else's now.
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

/// Ends a job, with the reason when it failed; false when it is somebody else's now.
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

/// Lets a job wait for another try after `pause`, and says why.
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

/// Gives a job back that was not tried to its end; that it was begun doesn't count.
pub async fn give_back(conn: &mut PgConnection, job: &Job) -> Result<()> {
    let query = sqlx::query!(
        "update jobs set state = 'queued', claimed_until = null, attempts = attempts - 1
         where id = $1 and attempts = $2 and state = 'running'",
        job.id,
        job.attempts
    );
    run(query, conn).await
}

/// The job with this id.
pub async fn get(conn: &mut PgConnection, id: i64) -> Result<Option<Job>> {
    let query =
        sqlx::query_as!(Job, "select id, payload, state, attempts, lost, last_error from jobs where id = $1", id);
    Ok(query.fetch_optional(conn).await?)
}
