//! Removal of old drafts and of the photos of deleted albums.

use sqlx::{PgExecutor, PgPool};

use crate::Result;

/// Deletes drafts that weren't submitted within `days`. Returns their number.
pub async fn expire_drafts(db: impl PgExecutor<'_>, days: u32) -> Result<u64> {
    let query = sqlx::query!(
        "update albums set status_id = deleted()
         where status_id = draft() and is_new and created_at < now() - make_interval(days => $1)",
        i32::try_from(days).unwrap_or(i32::MAX)
    );
    Ok(query.execute(db).await?.rows_affected())
}

/// Removes up to `limit` uploaded photos from albums that were deleted `hours` ago and returns their keys. Photos that
/// weren't uploaded have no files of their own. Photos in reported or quarantined albums are retained.
pub async fn drop_deleted(db: impl PgExecutor<'_>, hours: u32, limit: i64) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "delete from photos where id in (
             select p.id from albums a join photos p on p.album_id = a.id
             where a.deleted_at < now() - make_interval(hours => $1) and p.digest is not null
               and not is_held('album', a.id)
               and not exists (select from quarantines q where q.section = 'album' and q.object_id = a.id) limit $2)
         returning media_key",
        i32::try_from(hours).unwrap_or(i32::MAX),
        limit
    );
    Ok(query.fetch_all(db).await?)
}

/// Returns those of the keys that no album or video refers to and that aren't held for a decision.
pub async fn unnamed(pool: &PgPool, keys: &[String]) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        r#"select key as "key!" from unnest($1::text[]) as f(key)
           where not exists (select from photos p where p.media_key = f.key)
             and not exists (select from videos v where v.picture_key = f.key)
             and not exists (select from media_prints m where m.part = f.key and m.held_at is not null)"#,
        keys
    );
    Ok(query.fetch_all(pool).await?)
}
