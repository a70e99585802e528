//! Friendships: one member sends a request, and the other accepts it. A pair has one row, no matter who sent the
//! request.

use lantern_config::Section;
use sqlx::PgPool;

use super::is_visible;
use crate::{Error, Result, blocks, run};

/// Outcome of a friend request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskOutcome {
    /// The request awaits the other member's answer.
    Requested,
    /// The other member had already sent a request, so the two are friends now.
    Accepted,
    /// They are already friends, or this member has already sent a request.
    Already,
    /// A member can't befriend themselves.
    Myself,
    /// No such member exists.
    Missing,
    /// One of the two has blocked the other.
    Blocked,
}

/// Sends a friend request, or accepts the other member's pending request.
pub async fn add(pool: &PgPool, member: i64, other: i64) -> Result<AskOutcome> {
    let mut conn = pool.acquire().await?;
    if !is_visible(&mut conn, Section::User, other, Some(member)).await? {
        return Ok(AskOutcome::Missing);
    }
    let outcome =
        sqlx::query!("insert into friends (user_id, friend_id) values ($1, $2) on conflict do nothing", member, other)
            .execute(&mut *conn)
            .await
            .map_err(Error::from);
    match outcome {
        Ok(done) if done.rows_affected() > 0 => return Ok(AskOutcome::Requested),
        Ok(_) => {}
        Err(error) if error.constraint() == Some("friends_not_self") => return Ok(AskOutcome::Myself),
        Err(error) if error.constraint() == Some(blocks::REFUSED) => return Ok(AskOutcome::Blocked),
        Err(error) => return Err(error),
    }
    drop(conn);
    Ok(if accept_pending(pool, member, other).await? { AskOutcome::Accepted } else { AskOutcome::Already })
}

/// Accepts a pending request. Returns whether the two are friends now, including if they already were.
pub async fn accept(pool: &PgPool, member: i64, other: i64) -> Result<bool> {
    if accept_pending(pool, member, other).await? {
        return Ok(true);
    }
    let query = sqlx::query_scalar!(
        r#"select exists (select from friends where state = 'accepted'
               and (user_id = $1 and friend_id = $2 or user_id = $2 and friend_id = $1)) as "friends!""#,
        member,
        other
    );
    Ok(query.fetch_one(pool).await?)
}

/// Ends a friendship, or withdraws or declines a request. Does nothing if there is none.
pub async fn remove(pool: &PgPool, member: i64, other: i64) -> Result<()> {
    let query = sqlx::query!(
        "delete from friends where user_id = $1 and friend_id = $2 or user_id = $2 and friend_id = $1",
        member,
        other
    );
    run(query, pool).await
}

/// Accepts a pending request, unless the requester's account is closed.
async fn accept_pending(pool: &PgPool, member: i64, other: i64) -> Result<bool> {
    let query = sqlx::query!(
        "update friends f set state = 'accepted', accepted_at = now()
         from users u where u.id = f.user_id and u.status_id <> banned()
            and f.user_id = $2 and f.friend_id = $1 and f.state = 'requested'",
        member,
        other
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}
