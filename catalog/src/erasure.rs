//! Erasure of the data about closed accounts that is stored outside the member's own rows.

use sqlx::PgConnection;

use crate::{Result, run};

/// Deletes the queued e-mails to the address of a closed account, and the errors of failed ones.
pub(crate) async fn delete_mails(conn: &mut PgConnection, email: &str) -> Result<()> {
    let query = sqlx::query!(
        "delete from jobs where kind = 'mail'
         and (lower(payload->>'to') = lower($1) or strpos(lower(coalesce(last_error, '')), lower($1)) > 0)",
        email
    );
    run(query, conn).await
}

/// Erases the texts of videos and albums that are anonymized and permanently deleted. Objects that are reported or
/// quarantined keep their texts until the reports are decided or the quarantine ends.
///
/// # Errors
/// Postgres is unavailable.
pub async fn forget_texts(conn: &mut PgConnection) -> Result<()> {
    let query = sqlx::query!(
        "with gone as (
             update videos set title = '-', description = '', dir = 'gone'
             where deleted_at = '-infinity' and status_id = deleted() and title <> '-' and user_id is null and not is_held('video', id)
               and not exists (select from quarantines q where q.section = 'video' and q.object_id = videos.id)
             returning id)
         delete from video_translations t using gone where t.video_id = gone.id"
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        "update albums set title = '-', description = '', dir = 'gone'
         where deleted_at = '-infinity' and status_id = deleted() and title <> '-' and user_id is null and not is_held('album', id)
           and not exists (select from quarantines q where q.section = 'album' and q.object_id = albums.id)"
    );
    run(query, conn).await
}
