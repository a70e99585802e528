//! Votes. A member has one vote per object, and a guest's address has one per object and day. A vote can be withdrawn
//! but not changed.

use lantern_config::Section;
use sqlx::{PgConnection, PgPool};
use time::Date;

use super::is_visible;
use crate::Result;

/// Author of a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voter<'a> {
    /// A member.
    Member(i64),
    /// Keyed hash of a guest's address.
    Guest(&'a [u8]),
}

impl<'a> Voter<'a> {
    /// Splits the voter into member id and guest key, exactly one of which is set.
    const fn columns(self) -> (Option<i64>, Option<&'a [u8]>) {
        match self {
            Self::Member(member) => (Some(member), None),
            Self::Guest(key) => (None, Some(key)),
        }
    }
}

/// Outcome of voting or withdrawing a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteOutcome {
    /// The change was applied. Holds the totals now.
    Counted {
        /// Number of upvotes.
        likes: i64,
        /// Number of downvotes.
        dislikes: i64,
    },
    /// The voter has already voted.
    Already,
    /// The object doesn't exist or can't be voted on.
    Missing,
}

/// Votes up or down. A guest's vote counts for the day `today` (UTC). Channels can't be voted on.
pub async fn vote(
    pool: &PgPool,
    voter: Voter<'_>,
    section: Section,
    id: i64,
    up: bool,
    today: Date,
) -> Result<VoteOutcome> {
    let (member, guest) = voter.columns();
    let mut conn = pool.acquire().await?;
    if section == Section::Channel || !is_visible(&mut conn, section, id, member).await? {
        return Ok(VoteOutcome::Missing);
    }
    let query = sqlx::query!(
        "insert into votes (section, object_id, user_id, guest_key, vote, voted_on) values ($1, $2, $3, $4, $5, $6)
         on conflict do nothing",
        section.as_str(),
        id,
        member,
        guest,
        if up { 1i16 } else { -1 },
        today
    );
    let new = query.execute(&mut *conn).await?;
    if new.rows_affected() == 0 {
        return Ok(VoteOutcome::Already);
    }
    vote_counts(&mut conn, section, id).await
}

/// Withdraws the voter's vote. For a guest, this is the vote of `today`. Does nothing if there is none.
pub async fn withdraw(pool: &PgPool, voter: Voter<'_>, section: Section, id: i64, today: Date) -> Result<VoteOutcome> {
    let (member, guest) = voter.columns();
    let mut conn = pool.acquire().await?;
    if section == Section::Channel || !is_visible(&mut conn, section, id, member).await? {
        return Ok(VoteOutcome::Missing);
    }
    let query = sqlx::query!(
        "delete from votes where section = $1 and object_id = $2 and (user_id = $3 or guest_key = $4 and voted_on = $5)",
        section.as_str(),
        id,
        member,
        guest,
        today
    );
    query.execute(&mut *conn).await?;
    vote_counts(&mut conn, section, id).await
}

/// Returns the vote totals of an object.
async fn vote_counts(conn: &mut PgConnection, section: Section, id: i64) -> Result<VoteOutcome> {
    let query = sqlx::query!(
        r#"select s.likes::bigint as "likes!", s.dislikes::bigint as "dislikes!" from (
               select likes, dislikes from video_stats where $1 = 'video' and video_id = $2
               union all select likes, dislikes from album_stats where $1 = 'album' and album_id = $2
               union all select likes, dislikes from model_stats where $1 = 'model' and model_id = $2
               union all select likes, dislikes from playlist_stats where $1 = 'playlist' and playlist_id = $2
               union all select likes, dislikes from user_stats where $1 = 'user' and user_id = $2) s"#,
        section.as_str(),
        id
    );
    let counts = query.fetch_optional(conn).await?;
    // This is `None` only if the object was deleted just now. Its votes no longer matter.
    Ok(counts.map_or(VoteOutcome::Missing, |row| VoteOutcome::Counted { likes: row.likes, dislikes: row.dislikes }))
}
