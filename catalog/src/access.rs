//! Who may open what guests may not: private and unfinished videos, albums and playlists. What guests may is `visible` of the
//! row; files follow the same rule in `media.rs`, asked by their folder.

use sqlx::PgPool;

use crate::Result;

/// What may be hidden from guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// Private ones are open to members who know the address (docs/PERMISSIONS.md), unfinished ones to who uploaded them.
    Video,
    /// Private and unfinished ones are their owner's.
    Album,
    /// Private ones are their owner's.
    Playlist,
}

/// What a member may do with something that guests may not open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// No more than guests: it isn't there, was deleted, or is somebody else's.
    Refused,
    /// Open it, as every member who knows its address.
    Known,
    /// Open it, being its owner.
    Own,
}

/// What a member may do with something that guests may not open.
pub async fn access(pool: &PgPool, user_id: i64, what: Hidden, id: i64) -> Result<Access> {
    let owned = match what {
        Hidden::Video => sqlx::query_scalar!(
            r#"select coalesce(user_id = $2, false) as "own!" from videos
               where id = $1 and (status_id = 1 or (user_id = $2 and status_id <> 5))"#,
            id,
            user_id
        ),
        Hidden::Album => sqlx::query_scalar!(
            r#"select true as "own!" from albums where id = $1 and user_id = $2 and status_id <> 5"#,
            id,
            user_id
        ),
        Hidden::Playlist => {
            sqlx::query_scalar!(r#"select true as "own!" from playlists where id = $1 and user_id = $2"#, id, user_id)
        }
    };
    Ok(match owned.fetch_optional(pool).await? {
        Some(true) => Access::Own,
        Some(false) => Access::Known,
        None => Access::Refused,
    })
}
