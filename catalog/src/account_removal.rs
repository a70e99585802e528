//! The end of an account: what goes with it and what stays without a name. ADR 13 has the table. What others said about
//! the member goes by trigger.

use sqlx::PgConnection;

use crate::{Result, erasure, prints};

/// What became of an account that ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalOutcome {
    /// It is gone, and the files of its pictures may go.
    Gone,
    /// It is gone; some of its pictures stay until the reports of it are decided on.
    Held,
    /// There is no such member.
    Missing,
}

/// Removes a member with everything that is only theirs; to be called in a transaction. Public uploads stay without a name
/// unless `uploads` says that they go too; private ones nobody else ever saw always go. The files of what reports speak of stay
/// until these are decided on.
pub async fn remove(conn: &mut PgConnection, user_id: i64, uploads: bool) -> Result<RemovalOutcome> {
    // 5 is deleted; nothing re-adds it, because nobody owns it any more, so files have no time of grace either.
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
    // A complaint is a record of its own; its handler needs the address until it is closed.
    sqlx::query!("update reports set email = '' where user_id = $1 and closed_at is not null", user_id)
        .execute(&mut *conn)
        .await?;
    let held = prints::hold_member(conn, user_id).await?;
    let removed = sqlx::query_scalar!("delete from users where id = $1 returning email", user_id);
    let Some(email) = removed.fetch_optional(&mut *conn).await? else { return Ok(RemovalOutcome::Missing) };
    erasure::forget_mails(conn, &email).await?;
    erasure::forget_texts(conn).await?;
    Ok(if held { RemovalOutcome::Held } else { RemovalOutcome::Gone })
}
