//! Recurring work that runs on one node at a time.

use std::time::Duration;

use lantern_catalog::schedules::{self, ScheduleName};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;

use lantern_errors::ApiResult;

/// Runs the work if it is due and no other node has claimed it. Work that fails or is stopped is due again immediately.
pub async fn run_if_due(
    pool: &PgPool,
    what: ScheduleName,
    every: Duration,
    stop: &CancellationToken,
    work: impl Future<Output = ApiResult<()>>,
) -> ApiResult<()> {
    if !schedules::claim(pool, what, every).await? {
        return Ok(());
    }
    let outcome = stop.run_until_cancelled(work).await;
    if matches!(outcome, Some(Ok(()))) {
        return Ok(());
    }
    let released = schedules::release(pool, what).await;
    outcome.unwrap_or(Ok(()))?;
    Ok(released?)
}
