//! Recurring work that one node does for all nodes.

use std::time::Duration;

use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use crate::{Error, Result};

/// A recurring task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleName {
    /// Generation of the sitemaps.
    Sitemaps,
    /// Learning of words from titles.
    Words,
}

impl ScheduleName {
    const fn name(self) -> &'static str {
        match self {
            Self::Sitemaps => "sitemaps",
            Self::Words => "words",
        }
    }
}

/// Claims the task if it is due. The task will be due again after `every`.
pub async fn claim(pool: &PgPool, what: ScheduleName, every: Duration) -> Result<bool> {
    let claimed = sqlx::query!(
        "update schedules set due_at = now() + make_interval(secs => $2) where name = $1 and due_at <= now()",
        what.name(),
        every.as_secs_f64()
    );
    Ok(claimed.execute(pool).await?.rows_affected() > 0)
}

/// Releases a claim, so that the task is due immediately.
pub async fn release(pool: &PgPool, what: ScheduleName) -> Result<()> {
    sqlx::query!("update schedules set due_at = now() where name = $1", what.name()).execute(pool).await?;
    Ok(())
}

/// Runs `work` if the task is due and no other node is running it. If the work fails or is stopped, the task is due
/// again at once.
///
/// # Errors
/// The errors of `work`, and those of Postgres.
pub async fn run_if_due<E: From<Error>>(
    pool: &PgPool,
    what: ScheduleName,
    every: Duration,
    stop: &CancellationToken,
    work: impl Future<Output = std::result::Result<(), E>>,
) -> std::result::Result<(), E> {
    if !claim(pool, what, every).await? {
        return Ok(());
    }
    let outcome = stop.run_until_cancelled(work).await;
    if matches!(outcome, Some(Ok(()))) {
        return Ok(());
    }
    let released = release(pool, what).await;
    outcome.unwrap_or(Ok(()))?;
    Ok(released?)
}
