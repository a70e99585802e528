//! Mails on their way out: jobs of the kind `mail`. One that was sent leaves no trace, because it holds a link.

use std::time::Duration;

use serde_json::Value;
use sqlx::{PgConnection, PgPool};

use crate::{
    Result,
    jobs::{self, Job},
    run,
};

/// The kind of these jobs.
const KIND: &str = "mail";

/// Queues a mail in the caller's transaction, so that it exists exactly when what it tells of does.
pub async fn queue(conn: &mut PgConnection, payload: &Value) -> Result<i64> {
    jobs::enqueue(conn, KIND, payload).await
}

/// Takes the oldest mail whose turn it is for the time of `lease`; one whose sender died comes back when its lease ends.
pub async fn claim(pool: &PgPool, lease: Duration) -> Result<Option<Job>> {
    jobs::claim(&mut *pool.acquire().await?, KIND, lease).await
}

/// Forgets a mail that was sent.
pub async fn sent(pool: &PgPool, id: i64) -> Result<()> {
    run(sqlx::query!("delete from jobs where id = $1 and kind = $2", id, KIND), pool).await
}

/// A mail that could not be sent yet.
#[derive(Debug, Clone, Copy)]
pub struct Postponed<'a> {
    /// Its id.
    pub id: i64,
    /// Why.
    pub why: &'a str,
    /// Until its next try.
    pub wait: Duration,
    /// Whether this one counts among its tries: not where it says nothing of the mail.
    pub counts: bool,
    /// How old a mail may become.
    pub expires: Duration,
}

/// Puts a mail back for another try; false when it would be too old then.
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

/// Gives a mail up: the reason stays for the operator, the text and its link don't.
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

/// How many mails wait, and how many were given up.
pub async fn counts(pool: &PgPool) -> Result<(i64, i64)> {
    let query = sqlx::query!(
        r#"select count(*) filter (where state <> 'failed') as "waiting!",
                  count(*) filter (where state = 'failed') as "failed!" from jobs where kind = $1"#,
        KIND
    );
    let counts = query.fetch_one(pool).await?;
    Ok((counts.waiting, counts.failed))
}
