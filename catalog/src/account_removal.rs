//! Account removal: what is deleted and what is anonymized (see the table in ADR 13). A trigger deletes what other
//! members wrote about the member.

use sqlx::PgConnection;

use crate::{Result, erasure, prints};

/// Outcome of an account removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalOutcome {
    /// The account is gone, and its picture files may be deleted.
    Gone,
    /// The account is gone, but some of its pictures are retained until the reports about them are decided.
    Held,
    /// No such member exists.
    Missing,
}

/// Removes a member and all data that belongs to the member alone. Call it in a transaction. Public uploads are
/// anonymized, or also deleted if `uploads` is set. Private uploads that no other member has ever seen are always
/// deleted. Files that reports refer to are retained until those reports are decided.
pub async fn remove(conn: &mut PgConnection, user_id: i64, uploads: bool) -> Result<RemovalOutcome> {
    // A video without an owner can't be restored, so its files get no grace period.
    let query = sqlx::query!(
        "update videos set status_id = deleted(), readd_at = null, restore_status_id = null, deleted_at = '-infinity'
         where user_id = $1 and (status_id = deleted() or $2 or not visible)",
        user_id,
        uploads
    );
    query.execute(&mut *conn).await?;
    let query = sqlx::query!(
        "update albums set status_id = deleted(), deleted_at = '-infinity'
         where user_id = $1 and (status_id = deleted() or $2 or not visible)",
        user_id,
        uploads
    );
    query.execute(&mut *conn).await?;
    // A report outlives its author. The person who handles it needs the e-mail address until the report is closed.
    sqlx::query!("update reports set email = '' where user_id = $1 and closed_at is not null", user_id)
        .execute(&mut *conn)
        .await?;
    let held = prints::hold_member(conn, user_id).await?;
    let removed = sqlx::query_scalar!("delete from users where id = $1 returning email", user_id);
    let Some(email) = removed.fetch_optional(&mut *conn).await? else { return Ok(RemovalOutcome::Missing) };
    erasure::delete_mails(conn, &email).await?;
    erasure::forget_texts(conn).await?;
    Ok(if held { RemovalOutcome::Held } else { RemovalOutcome::Gone })
}
