//! What is forgotten of members whose accounts ended, beyond the rows that were only theirs.

use sqlx::PgConnection;

use crate::{Result, run};

/// Forgets mails to the address of an account that ended: those that wait, and why others could not be sent.
pub(crate) async fn forget_mails(conn: &mut PgConnection, email: &str) -> Result<()> {
    let query = sqlx::query!(
        "delete from jobs where kind = 'mail'
         and (lower(payload->>'to') = lower($1) or strpos(lower(coalesce(last_error, '')), lower($1)) > 0)",
        email
    );
    run(query, conn).await
}

/// Forgets what videos and albums were called that are gone for good and belong to nobody any more. What reports or a quarantine
/// hold keeps its words until these are decided on, or over.
///
/// # Errors
/// The catalog is away.
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
