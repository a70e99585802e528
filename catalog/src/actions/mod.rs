//! What members do to the library and to each other, one statement or one short transaction each.
//!
//! Two rules hold everywhere. Who may do it is part of the query, never a comparison after it. And a second click, a second
//! tab or a second node meets the same constraint: what is already so is told apart from what was done, so that counters
//! (triggers of `migrations/0005_counters.sql`) move exactly once.

pub mod comments;
pub mod friends;
pub mod likes;
pub mod lists;
mod objects;
pub mod playlist_items;
pub mod playlists;
pub mod saved_searches;
pub mod state;
pub mod subscriptions;
pub mod votes;

pub use objects::is_visible;

use sqlx::PgConnection;

use crate::{Error, Result};

/// What became of something that can be there once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddOutcome {
    /// It is there now.
    New,
    /// It was there.
    Already,
    /// What it is about does not exist, or not for this member.
    Missing,
}

/// Lets one writing request of a member run at a time, so that "at most so many" and "not twice" hold; answers whether the
/// account is active. Ends with the transaction.
pub(crate) async fn take_turn(conn: &mut PgConnection, member: i64) -> Result<bool> {
    let active = sqlx::query_scalar!("select id from users where id = $1 and status_id <> 5 for no key update", member)
        .fetch_optional(conn)
        .await?;
    Ok(active.is_some())
}

/// The object went away between the look and the writing.
fn missing_if_gone(error: sqlx::Error) -> Result<AddOutcome> {
    let gone = error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation);
    if gone { Ok(AddOutcome::Missing) } else { Err(Error::Database(error)) }
}
