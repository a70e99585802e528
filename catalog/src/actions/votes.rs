//! Votes: one of a member, one a day of a guest's address. A vote can't be changed, only taken back.

use lantern_config::Section;
use sqlx::{PgConnection, PgPool};
use time::Date;

use super::is_visible;
use crate::Result;

/// Who votes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voter<'a> {
    /// A member.
    Member(i64),
    /// The keyed hash of a guest's address.
    Guest(&'a [u8]),
}

impl<'a> Voter<'a> {
    /// A member's id or a guest's key.
    const fn columns(self) -> (Option<i64>, Option<&'a [u8]>) {
        match self {
            Self::Member(member) => (Some(member), None),
            Self::Guest(key) => (None, Some(key)),
        }
    }
}

/// What became of a vote, or of taking one back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoteOutcome {
    /// It counts, and these are all votes now.
    Counted {
        /// For it.
        likes: i64,
        /// Against it.
        dislikes: i64,
    },
    /// The voter had voted.
    Already,
    /// There is nothing to vote for.
    Missing,
}

/// Votes for (`up`) or against something; `today` is the day of guests' votes, in UTC. Channels take no votes.
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
    counted(&mut conn, section, id).await
}

/// Takes the voter's vote back, a guest's of `today`; one that isn't there is gone already.
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
    counted(&mut conn, section, id).await
}

/// All votes on something.
async fn counted(conn: &mut PgConnection, section: Section, id: i64) -> Result<VoteOutcome> {
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
    // Deleted this very moment, its votes don't matter.
    Ok(counts.map_or(VoteOutcome::Missing, |row| VoteOutcome::Counted { likes: row.likes, dislikes: row.dislikes }))
}
