//! Account removal: what is deleted and what is anonymized (table in ADR 13). Texts by others about the member are
//! deleted by trigger.

use sqlx::PgConnection;

use crate::{Result, erasure, prints};

/// Outcome of an account removal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalOutcome {
    /// Removed; its picture files may be deleted.
    Gone,
    /// Removed; some of its pictures are retained until reports about them are decided.
    Held,
    /// No such member exists.
    Missing,
}

/// Removes a member and all data owned by the member alone; call it in a transaction. Public uploads are anonymized
/// unless `uploads` is set; private uploads that no other member ever saw are always deleted. Files that reports refer
/// to are retained until those are decided.
pub async fn remove(conn: &mut PgConnection, user_id: i64, uploads: bool) -> Result<RemovalOutcome> {
    // 5 is deleted. Without an owner nothing can restore the row, so its files get no grace period.
    let query = sqlx::query!(
        "update videos set status_id = 5, readd_at = null, restore_status_id = null, deleted_at = '-infinity'
         where user_id = $1 and (status_id = 5 or $2 or not visible)",
        user_id,
        uploads
    );
    query.execute(&mut *conn).await?;
    let query = sqlx::query!(
        "update albums set status_id = 5, deleted_at = '-infinity' where user_id = $1 and (status_id = 5 or $2 or not visible)",
        user_id,
        uploads
    );
    query.execute(&mut *conn).await?;
    // A report outlives its author; its handler needs the e-mail address until it is closed.
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
