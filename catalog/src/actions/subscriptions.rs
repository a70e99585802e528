//! Subscriptions to models, channels and members.

use lantern_config::Section;
use sqlx::PgPool;

use super::{AddOutcome, is_visible};
use crate::{Error, Result, run};

/// Outcome of subscribing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SubscriptionOutcome {
    /// The subscription was added, already existed, or has no target.
    Added(AddOutcome),
    /// Members can't follow themselves.
    Myself,
}

/// Follows a model, a channel or a member. For any other section, the outcome is `Missing`.
pub async fn add(pool: &PgPool, member: i64, section: Section, id: i64) -> Result<SubscriptionOutcome> {
    let mut conn = pool.acquire().await?;
    let followed = matches!(section, Section::Model | Section::Channel | Section::User);
    if !followed || !is_visible(&mut conn, section, id, Some(member)).await? {
        return Ok(SubscriptionOutcome::Added(AddOutcome::Missing));
    }
    let done = sqlx::query!(
        "insert into subscriptions (user_id, section, object_id) values ($1, $2, $3) on conflict do nothing",
        member,
        section.as_str(),
        id
    )
    .execute(&mut *conn)
    .await
    .map_err(Error::from);
    match done {
        Ok(done) if done.rows_affected() > 0 => Ok(SubscriptionOutcome::Added(AddOutcome::New)),
        Ok(_) => Ok(SubscriptionOutcome::Added(AddOutcome::Already)),
        Err(error) if error.constraint() == Some("subscriptions_not_self") => Ok(SubscriptionOutcome::Myself),
        Err(error) => Err(error),
    }
}

/// Unfollows an object. Does nothing if the member doesn't follow it.
pub async fn remove(pool: &PgPool, member: i64, section: Section, id: i64) -> Result<()> {
    let query = sqlx::query!(
        "delete from subscriptions where user_id = $1 and section = $2 and object_id = $3",
        member,
        section.as_str(),
        id
    );
    run(query, pool).await
}
