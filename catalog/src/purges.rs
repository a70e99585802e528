//! Cache tags to purge from external caches. Triggers and [`crate::changes::tell`] enqueue them in the transaction that
//! makes the change, as jobs of the kind [`PURGE`].

use serde::Deserialize;
use sqlx::PgPool;

use crate::{Result, queue::PURGE, run};

/// Tag on every API response. It is purged when it isn't known which objects changed.
pub const ANSWERS: &str = "answers";

/// Payload of a job.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Purge {
    /// The tag to purge.
    pub tag: String,
}

/// Enables or disables purging. Disabling it empties the queue.
pub async fn switch(pool: &PgPool, is_on: bool) -> Result<()> {
    sqlx::query!("update purge_switch set is_on = $1 where is_on <> $1", is_on).execute(pool).await?;
    if !is_on {
        run(sqlx::query!("delete from jobs where kind = $1", PURGE), pool).await?;
    }
    Ok(())
}
