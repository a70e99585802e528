//! Recurring work that one node does for all.

use std::time::Duration;

use sqlx::PgPool;

use crate::Result;

/// A recurring task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleName {
    /// Generating sitemaps.
    Sitemaps,
    /// Learning words from titles.
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

/// Claims the task if it is due; it is due again after `every`.
pub async fn claim(pool: &PgPool, what: ScheduleName, every: Duration) -> Result<bool> {
    let claimed = sqlx::query!(
        "update schedules set due_at = now() + make_interval(secs => $2) where name = $1 and due_at <= now()",
        what.name(),
        every.as_secs_f64()
    );
    Ok(claimed.execute(pool).await?.rows_affected() > 0)
}

/// Releases a claim: the task is due immediately.
pub async fn release(pool: &PgPool, what: ScheduleName) -> Result<()> {
    sqlx::query!("update schedules set due_at = now() where name = $1", what.name()).execute(pool).await?;
    Ok(())
}
