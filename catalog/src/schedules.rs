//! Work that recurs on one node for all.

use std::time::Duration;

use sqlx::PgPool;

use crate::Result;

/// What recurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleName {
    /// Sitemaps are made.
    Sitemaps,
    /// Words of titles are learned.
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

/// Whether it is due; if so, it is the caller's to do, and due again after `every`.
pub async fn claim(pool: &PgPool, what: ScheduleName, every: Duration) -> Result<bool> {
    let claimed = sqlx::query!(
        "update schedules set due_at = now() + make_interval(secs => $2) where name = $1 and due_at <= now()",
        what.name(),
        every.as_secs_f64()
    );
    Ok(claimed.execute(pool).await?.rows_affected() > 0)
}

/// Gives a claim back: it is due at once.
pub async fn release(pool: &PgPool, what: ScheduleName) -> Result<()> {
    sqlx::query!("update schedules set due_at = now() where name = $1", what.name()).execute(pool).await?;
    Ok(())
}
