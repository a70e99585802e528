//! Erasure of data about closed accounts beyond the member's own rows.

use sqlx::PgConnection;

use crate::{Result, run};

/// Deletes mails to the address of a closed account: queued ones, and errors of failed ones.
pub(crate) async fn delete_mails(conn: &mut PgConnection, email: &str) -> Result<()> {
    let query = sqlx::query!(
        "delete from jobs where kind = 'mail'
         and (lower(payload->>'to') = lower($1) or strpos(lower(coalesce(last_error, '')), lower($1)) > 0)",
        email
    );
    run(query, conn).await
}

/// Erases the texts of permanently deleted, anonymized videos and albums. Those subject to reports or a quarantine keep
/// their texts until decided or expired.
///
/// # Errors
/// Postgres is unavailable.
pub async fn forget_texts(conn: &mut PgConnection) -> Result<()> {
    let query = sqlx::query!(
        "with gone as (
             update videos set title = '-', description = '', dir = 'gone'
             where deleted_at = '-infinity' and status_id = 5 and title <> '-' and user_id is null and not is_held('video', id)
               and not exists (select from quarantines q where q.section = 'video' and q.object_id = videos.id)
             returning id)
         delete from video_translations t using gone where t.video_id = gone.id"
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        "update albums set title = '-', description = '', dir = 'gone'
         where deleted_at = '-infinity' and status_id = 5 and title <> '-' and user_id is null and not is_held('album', id)
           and not exists (select from quarantines q where q.section = 'album' and q.object_id = albums.id)"
    );
    run(query, conn).await
}
