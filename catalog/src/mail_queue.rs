//! Queue of outgoing e-mails, which are jobs of kind `mail`. A sent e-mail is deleted, because it contains a link.

use std::time::Duration;

use serde_json::Value;
use sqlx::{PgConnection, PgPool};

use crate::{
    Result,
    jobs::{self, Job},
    run,
};

/// Job kind.
const KIND: &str = "mail";

/// Queues an e-mail in the caller's transaction, so that the e-mail exists only if the change that caused it is committed.
pub async fn queue(conn: &mut PgConnection, payload: &Value) -> Result<i64> {
    jobs::enqueue(conn, KIND, payload).await
}

/// Claims the oldest due e-mail for the duration of `lease`. If the sender dies, the e-mail becomes claimable when the
/// lease expires.
pub async fn claim(pool: &PgPool, lease: Duration) -> Result<Option<Job>> {
    jobs::claim(&mut *pool.acquire().await?, KIND, lease).await
}

/// Deletes a sent e-mail.
pub async fn sent(pool: &PgPool, id: i64) -> Result<()> {
    run(sqlx::query!("delete from jobs where id = $1 and kind = $2", id, KIND), pool).await
}

/// An e-mail that could not be sent yet.
#[derive(Debug, Clone, Copy)]
pub struct Postponed<'a> {
    /// Id of the job.
    pub id: i64,
    /// Reason for the failure.
    pub why: &'a str,
    /// Delay before the retry.
    pub wait: Duration,
    /// Whether the attempt counts. `false` if the failure isn't specific to this e-mail.
    pub counts: bool,
    /// Maximum age of an e-mail. An older one is not retried.
    pub expires: Duration,
}

/// Requeues an e-mail for a retry. Returns `false` if it would be too old by then.
pub async fn postpone(pool: &PgPool, mail: Postponed<'_>) -> Result<bool> {
    let query = sqlx::query!(
        "update jobs set state = 'queued', claimed_until = null, last_error = $3,
                attempts = attempts - case when $5 then 0 else 1 end,
                run_at = clock_timestamp() + make_interval(secs => $4)
         where id = $1 and kind = $2
           and created_at + make_interval(secs => $6) > clock_timestamp() + make_interval(secs => $4)",
        mail.id,
        KIND,
        mail.why,
        mail.wait.as_secs_f64(),
        mail.counts,
        mail.expires.as_secs_f64()
    );
    Ok(query.execute(pool).await?.rows_affected() == 1)
}

/// Abandons an e-mail. The reason is kept for the operator, but not the text, which contains a link.
pub async fn give_up(pool: &PgPool, id: i64, why: &str) -> Result<()> {
    let query = sqlx::query!(
        "update jobs set state = 'failed', claimed_until = null, last_error = $3, finished_at = now(), payload = '{}'
         where id = $1 and kind = $2",
        id,
        KIND,
        why
    );
    run(query, pool).await
}

/// Returns the numbers of pending and failed e-mails.
pub async fn counts(pool: &PgPool) -> Result<(i64, i64)> {
    let query = sqlx::query!(
        r#"select count(*) filter (where state <> 'failed') as "waiting!",
                  count(*) filter (where state = 'failed') as "failed!" from jobs where kind = $1"#,
        KIND
    );
    let counts = query.fetch_one(pool).await?;
    Ok((counts.waiting, counts.failed))
}
