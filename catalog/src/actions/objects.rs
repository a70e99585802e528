//! Whether an object is there for somebody.

use lantern_config::Section;
use sqlx::PgConnection;

use crate::Result;

/// Whether the object exists for `member` (`None` is a guest): public ones for everybody, private and unfinished ones for who
/// made them, nothing that was deleted, no playlist or page of somebody banned.
///
/// # Errors
/// When the query fails.
pub async fn is_visible(conn: &mut PgConnection, section: Section, id: i64, member: Option<i64>) -> Result<bool> {
    Ok(sqlx::query_scalar!(
        r#"select exists (
               select from videos where $1 = 'video' and id = $2 and (visible or user_id = $3 and status_id <> 5)
               union all select from albums where $1 = 'album' and id = $2 and (visible or user_id = $3 and status_id <> 5)
               union all select from models where $1 = 'model' and id = $2
               union all select from channels where $1 = 'channel' and id = $2
               union all select from playlists p join users u on u.id = p.user_id
                   where $1 = 'playlist' and p.id = $2 and u.status_id <> 5 and (p.visibility = 'public' or p.user_id = $3)
               union all select from users
                   where $1 = 'user' and id = $2 and status_id <> 5 and email_confirmed_at is not null
           ) as "visible!""#,
        section.as_str(),
        id,
        member
    )
    .fetch_one(conn)
    .await?)
}
