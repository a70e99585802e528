//! Metrics of user reports.

use lantern_catalog::reports::{self, ReportFigures};
use lantern_errors::ApiResult;
use prometheus_client::{metrics::gauge::ConstGauge, registry::Registry};
use sqlx::PgPool;

use lantern_accounts::session::now;

/// Registers the number of reports that await moderators and what reports caused in the last 24 h. These metrics are
/// omitted while Postgres is unavailable.
pub async fn register(pool: &PgPool, seconds: i64, registry: &mut Registry) {
    match figures(pool, seconds).await {
        Ok(ReportFigures { waiting, urgent, hidden, held }) => {
            let reports = registry.sub_registry_with_prefix("reports");
            reports.register("waiting", "Reports awaiting review", ConstGauge::new(waiting));
            reports.register("urgent", "Urgent reports awaiting review", ConstGauge::new(urgent));
            reports.register("hidden", "Objects hidden by reports in the last 24 h", ConstGauge::new(hidden));
            reports.register(
                "held",
                "Objects not hidden in the last 24 h because their reporters had hidden too many",
                ConstGauge::new(held),
            );
        }
        Err(error) => tracing::warn!(%error, "failed to count reports"),
    }
}

async fn figures(pool: &PgPool, seconds: i64) -> ApiResult<ReportFigures> {
    Ok(reports::figures(&mut *pool.acquire().await?, now(seconds)?).await?)
}
