//! The queue of objects the index must re-read. Triggers write it (`migrations/0006_outbox.sql`); the indexer
//! claims a batch, re-reads the current rows, waits for the engine and acknowledges by row id.
//!
//! There is no high-water mark: ids commit out of order, so a late row is simply found by a later claim.
//! At least once, in no order. A claim whose holder dies comes back when its lease ends.

use std::{fmt, str::FromStr, time::Duration};

use sqlx::PgConnection;

use crate::{Error, Result};

/// What an outbox row is about; also the `section` of comments, votes and counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entity {
    /// `videos`
    Video,
    /// `albums`
    Album,
    /// `models`
    Model,
    /// `categories`
    Category,
    /// `playlists`
    Playlist,
    /// `users`
    User,
}

impl Entity {
    /// All entities.
    pub const ALL: [Self; 6] = [Self::Video, Self::Album, Self::Model, Self::Category, Self::Playlist, Self::User];

    /// The word in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Video => "video",
            Self::Album => "album",
            Self::Model => "model",
            Self::Category => "category",
            Self::Playlist => "playlist",
            Self::User => "user",
        }
    }
}

impl FromStr for Entity {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self> {
        Self::ALL
            .into_iter()
            .find(|e| e.as_str() == word)
            .ok_or_else(|| Error::Inconsistent(format!("outbox entity {word:?}")))
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One object to re-read, with all claimed rows that asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// Outbox rows to acknowledge, release or park.
    pub rows: Vec<i64>,
    /// Kind of the object.
    pub entity: Entity,
    /// Its id; the row may be gone, which means "delete from the index".
    pub entity_id: i64,
    /// How often the most-tried of the rows was claimed, this time included.
    pub attempts: i32,
}

/// How far behind the index is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lag {
    /// Age of the oldest waiting row; zero when none waits.
    pub oldest: Duration,
    /// Rows waiting or claimed.
    pub waiting: i64,
    /// Rows set aside.
    pub parked: i64,
}

/// Claims up to `limit` of the oldest free rows for the time of `lease`, one [`Claimed`] per object. Rows another
/// claimer is just taking are skipped, never waited for.
///
/// # Errors
/// When the query fails.
pub async fn claim(conn: &mut PgConnection, limit: i64, lease: Duration) -> Result<Vec<Claimed>> {
    let rows = sqlx::query!(
        r#"with due as (
            select id from outbox
            where parked is null and (claimed_until is null or claimed_until < clock_timestamp())
            order by id limit $1 for update skip locked
        ), taken as (
            update outbox o
            set claimed_until = clock_timestamp() + make_interval(secs => $2), attempts = attempts + 1
            from due where o.id = due.id
            returning o.id, o.entity, o.entity_id, o.attempts
        )
        select entity as "entity!", entity_id as "entity_id!",
               array_agg(id order by id) as "rows!", max(attempts) as "attempts!"
        from taken group by entity, entity_id order by min(id)"#,
        limit,
        lease.as_secs_f64(),
    )
    .fetch_all(conn)
    .await?;
    rows.into_iter()
        .map(|r| Ok(Claimed { rows: r.rows, entity: r.entity.parse()?, entity_id: r.entity_id, attempts: r.attempts }))
        .collect()
}

/// Deletes rows whose objects reached the index. Returns how many were still there.
///
/// # Errors
/// When the query fails.
pub async fn ack(conn: &mut PgConnection, rows: &[i64]) -> Result<u64> {
    let done = sqlx::query!("delete from outbox where id = any ($1)", rows).execute(conn).await?;
    Ok(done.rows_affected())
}

/// Gives claimed rows back at once instead of at the end of their lease.
///
/// # Errors
/// When the query fails.
pub async fn release(conn: &mut PgConnection, rows: &[i64]) -> Result<u64> {
    let done = sqlx::query!("update outbox set claimed_until = null where id = any ($1) and parked is null", rows)
        .execute(conn)
        .await?;
    Ok(done.rows_affected())
}

/// Sets rows aside with the reason, so that one bad object doesn't hold up the others.
///
/// # Errors
/// When the query fails.
pub async fn park(conn: &mut PgConnection, rows: &[i64], reason: &str) -> Result<u64> {
    let done = sqlx::query!("update outbox set parked = $2, claimed_until = null where id = any ($1)", rows, reason)
        .execute(conn)
        .await?;
    Ok(done.rows_affected())
}

/// Returns all parked rows to the queue, after the cause was mended.
///
/// # Errors
/// When the query fails.
pub async fn unpark(conn: &mut PgConnection) -> Result<u64> {
    let done =
        sqlx::query!("update outbox set parked = null, attempts = 0, claimed_until = null where parked is not null")
            .execute(conn)
            .await?;
    Ok(done.rows_affected())
}

/// Measures how far behind the index is.
///
/// # Errors
/// When the query fails.
pub async fn lag(conn: &mut PgConnection) -> Result<Lag> {
    let row = sqlx::query!(
        r#"select coalesce(extract(epoch from clock_timestamp()
                    - min(created_at) filter (where parked is null)), 0)::float8 as "oldest!",
                  count(*) filter (where parked is null) as "waiting!",
                  count(*) filter (where parked is not null) as "parked!"
           from outbox"#
    )
    .fetch_one(conn)
    .await?;
    Ok(Lag { oldest: Duration::from_secs_f64(row.oldest.max(0.0)), waiting: row.waiting, parked: row.parked })
}
