//! Used captcha challenges.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::Result;

/// Number of expired rows removed for each new row. It is more than one, so that the table shrinks.
const SWEEP: i64 = 100;

/// Marks a challenge as used until it expires. Returns `false` if it was already used. Also deletes rows that expired
/// before `now`, so that only challenges that are still valid remain in the table.
pub async fn use_once(
    pool: &PgPool,
    challenge: &[u8; 32],
    expires_at: OffsetDateTime,
    now: OffsetDateTime,
) -> Result<bool> {
    let query = sqlx::query!(
        "insert into captcha_used (challenge, expires_at) values ($1, $2) on conflict do nothing",
        challenge,
        expires_at
    );
    let marked = query.execute(pool).await?;
    let query = sqlx::query!(
        "delete from captcha_used where challenge in
            (select challenge from captcha_used where expires_at < $1 order by expires_at limit $2 for update skip locked)",
        now,
        SWEEP
    );
    query.execute(pool).await?;
    Ok(marked.rows_affected() == 1)
}
