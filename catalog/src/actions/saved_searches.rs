//! Lists that members saved.

use sqlx::PgPool;
use time::OffsetDateTime;

use super::take_turn;
use crate::Result;

/// A list to be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToSave<'a> {
    /// What the member calls it.
    pub name: &'a str,
    /// Path and query of its first page, as the site writes them.
    pub address: &'a str,
    /// When the member last looked at it.
    pub seen_at: OffsetDateTime,
}

/// One of a member's saved lists: no two have the same address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// By its id.
    Id(i64),
    /// By its address, as [`ToSave`] has it.
    Address(String),
}

impl Which {
    /// One of the two is known.
    fn parts(&self) -> (Option<i64>, Option<&str>) {
        match self {
            Self::Id(id) => (Some(*id), None),
            Self::Address(address) => (None, Some(address)),
        }
    }
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveOutcome {
    /// It has this id; one that was there has the new name.
    As(i64),
    /// The member has as many as allowed.
    TooMany,
    /// The account is closed.
    Missing,
}

/// Saves a list for a member who may have `most`.
pub async fn save(pool: &PgPool, member: i64, list: ToSave<'_>, most: u32) -> Result<SaveOutcome> {
    let mut tx = pool.begin().await?;
    if !take_turn(&mut tx, member).await? {
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

/// Names a member's saved list anew; answers whether there is one of theirs.
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

/// Notes that the member looks at the list now; answers whether there is one of theirs. An older visit undoes no newer one.
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

/// Forgets a member's saved list, which may be gone already.
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
