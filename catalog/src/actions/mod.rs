//! Member actions on the library and on other members. Each is one statement or one short transaction.
//!
//! Two rules hold everywhere. Permission checks are part of the query and never a comparison after it. A second click,
//! tab or node hits the same constraint, and results distinguish "already so" from "done", so that counters (triggers
//! in `migrations/0005_counters.sql`) change exactly once.

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

/// Outcome of adding something that can exist at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddOutcome {
    /// The object was added.
    New,
    /// The object was already there.
    Already,
    /// The target doesn't exist, or it isn't visible to this member.
    Missing,
}

/// Serializes a member's writes until the transaction ends, so that limits and duplicate checks hold. Returns whether
/// the account is active.
pub(crate) async fn lock_member(conn: &mut PgConnection, member: i64) -> Result<bool> {
    let active =
        sqlx::query_scalar!("select id from users where id = $1 and status_id <> banned() for no key update", member)
            .fetch_optional(conn)
            .await?;
    Ok(active.is_some())
}

/// Maps a foreign key violation to `Missing`, because it means that the object was deleted between the check and the
/// insert.
fn missing_if_gone(error: sqlx::Error) -> Result<AddOutcome> {
    let gone = error.as_database_error().is_some_and(sqlx::error::DatabaseError::is_foreign_key_violation);
    if gone { Ok(AddOutcome::Missing) } else { Err(Error::Database(error)) }
}
