//! Members' playlists.

use lantern_config::{Gender, Visibility};
use sqlx::PgPool;

use super::lock_member;
use crate::Result;

/// Editable fields of a playlist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaylistDetails {
    /// Title of 3 to 100 characters.
    pub title: String,
    /// Description of 5 to 500 characters.
    pub description: String,
    /// Who may see the playlist. `None` leaves this unchanged, or makes a new playlist public.
    pub visibility: Option<Visibility>,
    /// Orientation of the videos. `None` leaves this unchanged, or makes a new playlist straight.
    pub orientation: Option<Gender>,
}

/// Outcome of creating a playlist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlaylistOutcome {
    /// It was created with this id.
    New(i64),
    /// The same form was submitted moments ago and created this playlist.
    Same(i64),
    /// The member has reached the limit.
    TooMany,
    /// The account is closed.
    Missing,
}

/// Creates a playlist for a member who may have up to `most`. If the member created one with identical details within
/// `same_seconds`, that one is returned.
pub async fn create(
    pool: &PgPool,
    member: i64,
    details: &PlaylistDetails,
    most: u32,
    same_seconds: u32,
) -> Result<PlaylistOutcome> {
    let mut tx = pool.begin().await?;
    if !lock_member(&mut tx, member).await? {
        return Ok(PlaylistOutcome::Missing);
    }
    let query = sqlx::query!(
        r#"select count(*) as "n!",
                  min(id) filter (where title = $2 and description = $3 and visibility = coalesce($4, 'public')
                                    and orientation = coalesce($5, 'str')
                                    and created_at > now() - make_interval(secs => $6)) as same
           from playlists where user_id = $1"#,
        member,
        details.title,
        details.description,
        details.visibility.map(Visibility::as_str),
        details.orientation.map(Gender::as_str),
        f64::from(same_seconds)
    );
    let mine = query.fetch_one(&mut *tx).await?;
    if let Some(same) = mine.same {
        return Ok(PlaylistOutcome::Same(same));
    }
    if mine.n >= i64::from(most) {
        return Ok(PlaylistOutcome::TooMany);
    }
    let query = sqlx::query_scalar!(
        "insert into playlists (user_id, title, description, visibility, orientation)
         values ($1, $2, $3, coalesce($4, 'public'), coalesce($5, 'str')) returning id",
        member,
        details.title,
        details.description,
        details.visibility.map(Visibility::as_str),
        details.orientation.map(Gender::as_str)
    );
    let id = query.fetch_one(&mut *tx).await?;
    tx.commit().await?;
    Ok(PlaylistOutcome::New(id))
}

/// Updates a member's playlist. Returns whether the member has such a playlist. A playlist hidden by reports stays
/// hidden until a person has decided. It then gets the visibility that the member chose last.
pub async fn update(pool: &PgPool, member: i64, playlist: i64, details: &PlaylistDetails) -> Result<bool> {
    let query = sqlx::query!(
        "with afterwards as (
             update report_hides h set before = $5::text from playlists p
             where h.section = 'playlist' and h.object_id = $1 and $5::text is not null and p.id = $1 and p.user_id = $2
         )
         update playlists set title = $3, description = $4,
                visibility = case when exists (select from report_hides where section = 'playlist' and object_id = $1)
                                  then visibility else coalesce($5, visibility) end,
                orientation = coalesce($6, orientation) where id = $1 and user_id = $2",
        playlist,
        member,
        details.title,
        details.description,
        details.visibility.map(Visibility::as_str),
        details.orientation.map(Gender::as_str)
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Deletes a member's playlist. Returns whether there was one.
pub async fn delete(pool: &PgPool, member: i64, playlist: i64) -> Result<bool> {
    let query = sqlx::query!("delete from playlists where id = $1 and user_id = $2", playlist, member);
    Ok(query.execute(pool).await?.rows_affected() > 0)
}
