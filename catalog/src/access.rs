//! Member access to objects that are hidden from guests: private and unfinished videos, albums and playlists. Whether
//! guests may see an object is stored in its `visible` column. `media.rs` applies the same rule to files, by folder.

use sqlx::PgPool;

use crate::Result;

/// Kind of object that may be hidden from guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hidden {
    /// A private video is open to members who know its address (docs/PERMISSIONS.md), an unfinished one to its
    /// uploader.
    Video,
    /// A private or unfinished album is open only to its owner.
    Album,
    /// A private playlist is open only to its owner.
    Playlist,
}

/// What a member may do with an object that is hidden from guests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The member sees no more than a guest: the object doesn't exist, was deleted, or belongs to another member.
    Refused,
    /// The member may open the object, like every member who knows its address.
    Known,
    /// The member may open the object as its owner.
    Own,
}

/// Returns what a member may do with an object that is hidden from guests.
pub async fn access(pool: &PgPool, user_id: i64, what: Hidden, id: i64) -> Result<Access> {
    let owned = match what {
        Hidden::Video => sqlx::query_scalar!(
            r#"select coalesce(user_id = $2, false) as "own!" from videos
               where id = $1 and is_open_to(videos, $2)"#,
            id,
            user_id
        ),
        Hidden::Album => sqlx::query_scalar!(
            r#"select true as "own!" from albums where id = $1 and user_id = $2 and status_id <> deleted()"#,
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
