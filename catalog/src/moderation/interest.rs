//! Moderators' conflicts of interest.

use sqlx::PgPool;

use crate::Result;

/// Why another moderator has to decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// The moderator uploaded or wrote the object, or it is their account.
    Own,
    /// The object is a moderator's account.
    Staff,
}

/// Returns the moderator's conflict of interest in an object of one of [`crate::reports::SECTIONS`], or in changes to a
/// member's `profile`. Returns `None` if the moderator may decide. Changes to a colleague's profile are no conflict.
pub async fn of(pool: &PgPool, moderator_id: i64, section: &str, object_id: i64) -> Result<Option<Interest>> {
    let query = sqlx::query!(
        r#"select exists (
               select from videos where $1 = 'video' and id = $2 and user_id = $3
               union all select from albums where $1 = 'album' and id = $2 and user_id = $3
               union all select from playlists where $1 = 'playlist' and id = $2 and user_id = $3
               union all select from users where $1 in ('user', 'profile') and id = $2 and id = $3
               union all select from comments where $1 = 'comment' and id = $2 and user_id = $3
               union all select from walls where $1 = 'wall' and id = $2 and author_id = $3
               union all select from messages where $1 = 'message' and id = $2 and sender_id = $3) as "own!",
               exists (select from staff where $1 = 'user' and user_id = $2) as "staff!""#,
        section,
        object_id,
        moderator_id
    );
    let row = query.fetch_one(pool).await?;
    Ok(match (row.own, row.staff) {
        (true, _) => Some(Interest::Own),
        (false, true) => Some(Interest::Staff),
        (false, false) => None,
    })
}
