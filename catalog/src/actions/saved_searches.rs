//! Saved searches: lists of videos that members have saved.

use sqlx::PgPool;
use time::OffsetDateTime;

use super::lock_member;
use crate::Result;

/// The list to save.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToSave<'a> {
    /// Name chosen by the member.
    pub name: &'a str,
    /// Path and query of the list's first page, in the site's canonical form.
    pub address: &'a str,
    /// When the member last viewed the list.
    pub seen_at: OffsetDateTime,
}

/// Identifies one of a member's saved searches. Addresses are unique per member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// Identified by its id.
    Id(i64),
    /// Identified by its address, as in [`ToSave`].
    Address(String),
}

impl Which {
    /// Splits the value into id and address, exactly one of which is set.
    fn parts(&self) -> (Option<i64>, Option<&str>) {
        match self {
            Self::Id(id) => (Some(*id), None),
            Self::Address(address) => (None, Some(address)),
        }
    }
}

/// Outcome of saving a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveOutcome {
    /// The search is saved under this id. If it was already saved, it has the new name now.
    As(i64),
    /// The member has reached the limit.
    TooMany,
    /// The account is closed.
    Missing,
}

/// Saves a list for a member who may have up to `most`.
pub async fn save(pool: &PgPool, member: i64, list: ToSave<'_>, most: u32) -> Result<SaveOutcome> {
    let mut tx = pool.begin().await?;
    if !lock_member(&mut tx, member).await? {
        return Ok(SaveOutcome::Missing);
    }
    let query = sqlx::query_scalar!(
        "insert into saved_searches (user_id, name, address, seen_at)
         select $1, $2, $3, $4
         where exists (select from saved_searches where user_id = $1 and address = $3)
            or (select count(*) from saved_searches where user_id = $1) < $5
         on conflict (user_id, address) do update set name = excluded.name
         returning id",
        member,
        list.name,
        list.address,
        list.seen_at,
        i64::from(most)
    );
    let Some(id) = query.fetch_optional(&mut *tx).await? else { return Ok(SaveOutcome::TooMany) };
    tx.commit().await?;
    Ok(SaveOutcome::As(id))
}

/// Renames a saved search. Returns whether the member has such a search.
pub async fn rename(pool: &PgPool, member: i64, which: &Which, name: &str) -> Result<bool> {
    let (id, address) = which.parts();
    let query = sqlx::query!(
        "update saved_searches set name = $4 where user_id = $1 and (id = $2 or address = $3)",
        member,
        id,
        address,
        name
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Records that the member viewed the list. Returns whether the member has such a search. The recorded time never moves
/// backwards.
pub async fn seen(pool: &PgPool, member: i64, which: &Which, seen_at: OffsetDateTime) -> Result<bool> {
    let (id, address) = which.parts();
    let query = sqlx::query!(
        "update saved_searches set seen_at = greatest(seen_at, $4) where user_id = $1 and (id = $2 or address = $3)",
        member,
        id,
        address,
        seen_at
    );
    Ok(query.execute(pool).await?.rows_affected() > 0)
}

/// Deletes a saved search. Does nothing if it is absent.
pub async fn remove(pool: &PgPool, member: i64, which: &Which) -> Result<()> {
    let (id, address) = which.parts();
    let query = sqlx::query!(
        "delete from saved_searches where user_id = $1 and (id = $2 or address = $3)",
        member,
        id,
        address
    );
    query.execute(pool).await?;
    Ok(())
}
