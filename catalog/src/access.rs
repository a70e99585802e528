//! Member access to objects hidden from guests: private and unfinished videos, albums and playlists. Guest access is
//! the row's `visible` column; `media.rs` applies the same rule to files, by folder.

use sqlx::PgPool;

use crate::Result;

/// Kind of object that may be hidden from guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// Private videos are open to members who know the address (docs/PERMISSIONS.md), unfinished ones to their
    /// uploader.
    Video,
    /// Private and unfinished albums are open to their owner only.
    Album,
    /// Private playlists are open to their owner only.
    Playlist,
}

/// Access of a member to an object that is hidden from guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Same as a guest: the object doesn't exist, was deleted, or belongs to another member.
    Refused,
    /// May open it, like every member who knows its address.
    Known,
    /// May open it as its owner.
    Own,
}

/// Returns the access of a member to an object that is hidden from guests.
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
