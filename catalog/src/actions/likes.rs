//! Likes of comments and wall entries. A member can like each one once and can withdraw the like.

use lantern_config::Section;
use sqlx::{PgConnection, PgPool};

use super::{is_visible, missing_if_gone};
use crate::{Error, Result, blocks};

/// An object that can be liked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LikeTarget {
    /// A comment or a reply.
    Comment(i64),
    /// A wall entry.
    Entry(i64),
}

/// Outcome of adding or removing a like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Like {
    /// The change was applied. Holds the number of likes now.
    Counted(i64),
    /// The target doesn't exist for this member.
    Missing,
    /// The target's author has blocked this member.
    Blocked,
}

/// Adds a like. The call is idempotent.
pub async fn add(pool: &PgPool, member: i64, what: LikeTarget) -> Result<Like> {
    let mut conn = pool.acquire().await?;
    if !is_target_visible(&mut conn, member, what).await? {
        return Ok(Like::Missing);
    }
    let added = match what {
        LikeTarget::Comment(id) => {
            let query = sqlx::query!(
                "insert into comment_likes (comment_id, user_id) values ($1, $2) on conflict do nothing",
                id,
                member
            );
            query.execute(&mut *conn).await
        }
        LikeTarget::Entry(id) => {
            let query = sqlx::query!(
                "insert into wall_likes (wall_id, user_id) values ($1, $2) on conflict do nothing",
                id,
                member
            );
            query.execute(&mut *conn).await
        }
    };
    match added.map_err(Error::from) {
        Ok(_) => like_count(&mut conn, what).await,
        Err(error) if error.constraint() == Some(blocks::REFUSED) => Ok(Like::Blocked),
        Err(Error::Database(error)) => missing_if_gone(error).map(|_| Like::Missing),
        Err(error) => Err(error),
    }
}

/// Removes a like. The call is idempotent.
pub async fn remove(pool: &PgPool, member: i64, what: LikeTarget) -> Result<Like> {
    let mut conn = pool.acquire().await?;
    match what {
        LikeTarget::Comment(id) => {
            let query = sqlx::query!("delete from comment_likes where comment_id = $1 and user_id = $2", id, member);
            query.execute(&mut *conn).await?;
        }
        LikeTarget::Entry(id) => {
            let query = sqlx::query!("delete from wall_likes where wall_id = $1 and user_id = $2", id, member);
            query.execute(&mut *conn).await?;
        }
    }
    // The number of likes of something that the member can't see is not revealed.
    if is_target_visible(&mut conn, member, what).await? {
        like_count(&mut conn, what).await
    } else {
        Ok(Like::Missing)
    }
}

/// Returns whether the member can see the target and the object it belongs to.
async fn is_target_visible(conn: &mut PgConnection, member: i64, what: LikeTarget) -> Result<bool> {
    let place = match what {
        LikeTarget::Comment(id) => {
            let query = sqlx::query!(
                r#"select section as "section!", object_id as "object!" from remarks where section <> 'user' and id = $1"#,
                id
            );
            query.fetch_optional(&mut *conn).await?.map(|row| (row.section, row.object))
        }
        LikeTarget::Entry(id) => {
            let query = sqlx::query!(
                r#"select section as "section!", object_id as "object!" from remarks where section = 'user' and id = $1"#,
                id
            );
            query.fetch_optional(&mut *conn).await?.map(|row| (row.section, row.object))
        }
    };
    let Some((section, object)) = place else { return Ok(false) };
    // The database holds no unknown sections.
    let Ok(section) = section.parse::<Section>() else { return Ok(false) };
    is_visible(conn, section, object, Some(member)).await
}

async fn like_count(conn: &mut PgConnection, what: LikeTarget) -> Result<Like> {
    let likes = match what {
        LikeTarget::Comment(id) => {
            let query =
                sqlx::query_scalar!(r#"select likes as "n!" from remarks where section <> 'user' and id = $1"#, id);
            query.fetch_optional(conn).await?
        }
        LikeTarget::Entry(id) => {
            let query =
                sqlx::query_scalar!(r#"select likes as "n!" from remarks where section = 'user' and id = $1"#, id);
            query.fetch_optional(conn).await?
        }
    };
    Ok(likes.map_or(Like::Missing, Like::Counted))
}
