//! Deletes abandoned uploads.

use std::time::{Duration, UNIX_EPOCH};

use lantern_accounts::token::Token;
use lantern_catalog::uploads;
use lantern_errors::{ApiError, ApiResult};

use crate::Intake;

/// Number of uploads removed per query.
const UPLOADS_PER_QUERY: i64 = 500;

/// Deletes uploads that have made no progress for `uploads.expire_hours`. Also deletes unreferenced files of that age, which were left
/// behind by a node that stopped between writing the file and the row. Returns the number of uploads.
pub async fn sweep(intake: &Intake) -> ApiResult<usize> {
    let mut gone = uploads::expire(&intake.pool, intake.now()?, UPLOADS_PER_QUERY).await?;
    let age = Duration::from_secs(3600 * u64::from(intake.config.uploads.expire_hours));
    let before = UNIX_EPOCH + Duration::from_secs((intake.now)().unsigned_abs()) - age;
    let mut old = intake.incoming.older_than(before).await.map_err(ApiError::internal)?;
    // The folder may contain files of other programs.
    old.retain(|name| Token::parse(name).is_some());
    gone.extend(uploads::unnamed(&intake.pool, &old).await?);
    for token in &gone {
        intake.incoming.remove(token).await.map_err(ApiError::internal)?;
    }
    Ok(gone.len())
}
