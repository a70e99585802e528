//! Shutdown of the process. Every step runs, even if earlier ones fail, and each has a time limit.

use std::{panic::AssertUnwindSafe, time::Duration};

use anyhow::{Context, anyhow};
use futures_util::FutureExt;
use sqlx::PgPool;

use crate::supervisor::message;

/// Collects errors of shutdown steps.
#[derive(Default)]
pub struct Shutdown {
    errors: Vec<anyhow::Error>,
}

impl Shutdown {
    /// Runs one step. The step is dropped after `bound`, and a panic in it does not prevent later steps.
    pub async fn step<E: Into<anyhow::Error>>(
        &mut self,
        name: &str,
        bound: Duration,
        step: impl Future<Output = Result<(), E>>,
    ) {
        self.note(bounded(name, bound, step).await);
    }

    /// Runs independent steps concurrently.
    pub async fn steps<'a, F>(&mut self, bound: Duration, steps: impl IntoIterator<Item = (&'a str, F)>)
    where
        F: Future<Output = anyhow::Result<()>>,
    {
        let steps = steps.into_iter().map(|(name, step)| bounded(name, bound, step));
        for outcome in futures_util::future::join_all(steps).await {
            self.note(outcome);
        }
    }

    /// Records the outcome of a step that was run elsewhere.
    pub fn note(&mut self, outcome: anyhow::Result<()>) {
        self.errors.extend(outcome.err());
    }

    /// Records several errors.
    pub fn note_all(&mut self, errors: Vec<anyhow::Error>) {
        self.errors.extend(errors);
    }

    /// Returns the first error, or that of `before` if there is one, and logs the others.
    pub fn outcome(self, before: anyhow::Result<()>) -> anyhow::Result<()> {
        let mut errors = before.err().into_iter().chain(self.errors);
        let first = errors.next();
        for error in errors {
            tracing::error!("{error:#}");
        }
        first.map_or(Ok(()), Err)
    }
}

/// Closes the connections to Postgres after all tasks have stopped. A query that a stopped task had sent may still run
/// there. Nobody waits for its result, so cutting it off after `bound` loses nothing and is not an error.
pub async fn close(pool: &PgPool, bound: Duration) {
    if tokio::time::timeout(bound, pool.close()).await.is_err() {
        tracing::info!(?bound, "connections to Postgres are cut off; queries of stopped tasks were still running");
    }
}

async fn bounded<E: Into<anyhow::Error>>(
    name: &str,
    bound: Duration,
    step: impl Future<Output = Result<(), E>>,
) -> anyhow::Result<()> {
    let outcome = match tokio::time::timeout(bound, AssertUnwindSafe(step).catch_unwind()).await {
        Ok(Ok(outcome)) => outcome.map_err(Into::into),
        Ok(Err(panic)) => Err(anyhow!("it panicked: {}", message(&*panic))),
        Err(_) => Err(anyhow!("it took longer than {bound:?}")),
    };
    outcome.with_context(|| format!("shutdown, {name}"))
}

#[cfg(test)]
mod tests {
    use std::{future::pending, sync::Mutex};

    use lantern_testing::TestDb;
    use tokio::time::Instant;

    use super::*;

    const BOUND: Duration = Duration::from_millis(100);

    #[tokio::test]
    async fn every_step_runs_and_first_error_is_returned() {
        let ran = Mutex::new(Vec::new());
        let run = &async |step: &'static str| ran.lock().unwrap().push(step);
        let mut shutdown = Shutdown::default();
        shutdown.step("lease", BOUND, async { Err::<(), _>(anyhow!("no catalog")) }).await;
        shutdown
            .step("panics", BOUND, async {
                if ran.lock().is_ok() {
                    panic!("half-way")
                }
                anyhow::Ok(())
            })
            .await;
        shutdown.step("hangs", BOUND, pending::<anyhow::Result<()>>()).await;
        shutdown
            .step("views", BOUND, async {
                run("views").await;
                anyhow::Ok(())
            })
            .await;
        let all = ["mails", "limits"].map(|name| {
            (name, async move {
                run(name).await;
                anyhow::Ok(())
            })
        });
        shutdown.steps(BOUND, all).await;
        assert_eq!(*ran.lock().unwrap(), ["views", "mails", "limits"]);
        let errors: Vec<String> = shutdown.errors.iter().map(|error| format!("{error:#}")).collect();
        assert_eq!(
            errors,
            [
                "shutdown, lease: no catalog",
                "shutdown, panics: it panicked: half-way",
                "shutdown, hangs: it took longer than 100ms"
            ]
        );
        assert_eq!(format!("{:#}", shutdown.outcome(Ok(())).unwrap_err()), "shutdown, lease: no catalog");
    }

    #[tokio::test]
    async fn query_of_stopped_task_is_cut_off() {
        let db = TestDb::create().await.unwrap();
        let pool = db.pool.clone();
        let task = tokio::spawn(async move { sqlx::query("select pg_sleep(60)").execute(&pool).await });
        let is_running = "select exists (select from pg_stat_activity where datname = current_database() \
             and state = 'active' and query = 'select pg_sleep(60)')";
        while !sqlx::query_scalar::<_, bool>(is_running).fetch_one(&db.pool).await.unwrap() {
            tokio::task::yield_now().await;
        }
        task.abort();
        // The connection waits for the end of the query before it can be used again.
        tokio::time::sleep(BOUND).await;
        let since = Instant::now();
        close(&db.pool, BOUND).await;
        assert!((BOUND..Duration::from_secs(30)).contains(&since.elapsed()), "{:?}", since.elapsed());
        assert!(db.pool.is_closed());
    }
}
