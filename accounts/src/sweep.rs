//! Deletes expired rows.

use lantern_catalog::{accounts as rows, mail_tokens, sessions as session_rows};
use lantern_config::Config;
use lantern_errors::ApiResult;
use sqlx::PgPool;
use time::Duration;

use crate::session;

/// Deletes expired sessions.
pub async fn sessions(pool: &PgPool, config: &Config, now: i64) -> ApiResult<()> {
    session_rows::sweep(pool, session::clock(config, now)?).await?;
    Ok(())
}

/// Deletes expired mailed links.
pub async fn links(pool: &PgPool, now: i64) -> ApiResult<()> {
    mail_tokens::sweep(pool, session::now(now)?).await?;
    Ok(())
}

/// Deletes accounts not confirmed within `accounts.unconfirmed_days`, and releases reserved names.
pub async fn accounts(pool: &PgPool, config: &Config, now: i64) -> ApiResult<()> {
    let (days, now) = (Duration::days(config.accounts.unconfirmed_days.into()), session::now(now)?);
    rows::sweep_unconfirmed(pool, now - days).await?;
    rows::sweep_held_names(pool, now).await?;
    Ok(())
}
