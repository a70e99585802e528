//! Challenges that were answered.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::Result;

/// Expired rows removed with each new one: more than one, so that the table shrinks to what is still good.
const SWEEP: i64 = 100;

/// Marks a challenge as answered until it expires; false when it was already. What expired before `now` is forgotten on
/// the way, so the table holds no more than what can be answered in a challenge's lifetime.
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
