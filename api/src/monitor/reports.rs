//! Figures about what others report.

use lantern_catalog::reports::{self, ReportFigures};
use lantern_errors::ApiResult;
use prometheus_client::{metrics::gauge::ConstGauge, registry::Registry};
use sqlx::PgPool;

use crate::account::session::now;

/// What waits for moderators and what reports did within a day; missing while Postgres is away.
pub async fn register(pool: &PgPool, seconds: i64, registry: &mut Registry) {
    match figures(pool, seconds).await {
        Ok(ReportFigures { waiting, urgent, hidden, held }) => {
            let reports = registry.sub_registry_with_prefix("reports");
            reports.register("waiting", "Reports that wait for a person", ConstGauge::new(waiting));
            reports.register("urgent", "Those of them that come before all others", ConstGauge::new(urgent));
            reports.register("hidden", "Objects that reports hid within a day", ConstGauge::new(hidden));
            reports.register(
                "held",
                "Objects that were not hidden within a day, because who reported them hid too many",
                ConstGauge::new(held),
            );
        }
        Err(error) => tracing::warn!(%error, "reports can't be counted"),
    }
}

async fn figures(pool: &PgPool, seconds: i64) -> ApiResult<ReportFigures> {
    Ok(reports::figures(&mut *pool.acquire().await?, now(seconds)?).await?)
}
