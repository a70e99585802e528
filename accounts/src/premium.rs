//! Premium membership: no advertisements and no offers.

use lantern_catalog::premium;
use lantern_config::Config;
use sqlx::PgPool;
use time::OffsetDateTime;

use lantern_errors::{ApiError, ApiResult};

/// Returns whether a member has premium. This is always false if the site shows neither advertisements nor offers.
pub async fn has_premium(pool: &PgPool, config: &Config, now: i64, member: i64) -> ApiResult<bool> {
    if !config.ads.is_on() && !config.offers.is_on() {
        return Ok(false);
    }
    let now = OffsetDateTime::from_unix_timestamp(now).map_err(ApiError::internal)?;
    Ok(premium::is_premium(pool, member, now).await?)
}
