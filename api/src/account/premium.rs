//! Who sees none of what pays for the site.

use lantern_catalog::premium;
use time::OffsetDateTime;

use crate::{
    http::{ApiError, ApiResult},
    state::AppState,
};

/// Whether a member has premium; where there is nothing to be without, nobody has.
pub async fn has_premium(state: &AppState, member: i64) -> ApiResult<bool> {
    if !state.config.ads.is_on() && !state.config.offers.is_on() {
        return Ok(false);
    }
    let now = OffsetDateTime::from_unix_timestamp((state.now)()).map_err(ApiError::internal)?;
    Ok(premium::is_premium(&state.pool, member, now).await?)
}
