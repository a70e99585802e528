//! Quarantine of objects that were taken down. Their files are retained but inaccessible until the quarantine ends.
//! Until then, a takedown can be reversed.

use serde_json::json;
use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use super::{
    Actor,
    record::{self, RecordEntry},
};
use crate::{Result, run, status::UploadStatus};

/// A quarantined object, as listed.
#[derive(Debug, Clone)]
pub struct Quarantined {
    /// `video` or `album`.
    pub section: String,
    /// Id of the object.
    pub id: i64,
    /// Title given by the object's member.
    pub title: String,
    /// Username of the object's member, or `None` if the account is closed.
    pub username: Option<String>,
    /// Id of the moderator who took it down, or `None` for the operator.
    pub taken_down_by: Option<i64>,
    /// Name of that moderator, as long as the account exists.
    pub moderator: Option<String>,
    /// When it was taken down.
    pub taken_down_at: OffsetDateTime,
}

/// Lists up to `limit` quarantined objects, newest takedown first.
pub async fn list(pool: &PgPool, limit: u32) -> Result<Vec<Quarantined>> {
    let query = sqlx::query_as!(
        Quarantined,
        r#"select q.section, q.object_id as id, coalesce(v.title, a.title, '') as "title!", u.username as "username?",
                  q.taken_down_by, m.username as "moderator?", q.taken_down_at
           from quarantines q
                left join videos v on q.section = 'video' and v.id = q.object_id
                left join albums a on q.section = 'album' and a.id = q.object_id
                left join users u on u.id = coalesce(v.user_id, a.user_id)
                left join users m on m.id = q.taken_down_by
           order by q.taken_down_at desc, q.section, q.object_id limit $1"#,
        i64::from(limit)
    );
    Ok(query.fetch_all(pool).await?)
}

/// Outcome of restoring an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RestoreOutcome {
    /// The object is restored with this status.
    Done(UploadStatus),
    /// The object isn't quarantined, because it was never taken down or its files are gone.
    NotQuarantined,
    /// Another moderator or the operator must restore the object, because moderators may not reverse their own takedowns.
    NeedsAnother,
}

/// Reverses a takedown. This restores the object's state, lifts the ban on its film or pictures, and reopens the
/// reports that the takedown resolved. The object awaits a decision if a consent was revoked in the meantime or the
/// member's account was closed.
pub async fn restore(pool: &PgPool, actor: &Actor<'_>, section: &str, id: i64, note: &str) -> Result<RestoreOutcome> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query!(
        r#"select status_before as "status_before: UploadStatus", taken_down_by, taken_down_at
           from quarantines where section = $1 and object_id = $2 for update"#,
        section,
        id
    );
    let Some(row) = query.fetch_optional(&mut *conn).await? else { return Ok(RestoreOutcome::NotQuarantined) };
    if actor.id.is_some() && (row.taken_down_by.is_none() || row.taken_down_by == actor.id) {
        return Ok(RestoreOutcome::NeedsAnother);
    }
    let status = match row.status_before {
        // A film that was to replace another may be sent again.
        _ if is_replacement(conn, section, id).await? => UploadStatus::Deleted,
        UploadStatus::Published | UploadStatus::Scheduled if needs_decision(conn, section, id).await? => {
            UploadStatus::InReview
        }
        status => status,
    };
    bring_back(conn, section, id, status).await?;
    unban_media(conn, section, id, row.taken_down_at).await?;
    let query = sqlx::query!(
        "update reports set state = 'open', closed_at = null, resolution = null, handled_by = null
         where section = $1 and object_id = $2 and state = 'resolved' and closed_at = $3",
        section,
        id,
        row.taken_down_at
    );
    let reports = query.execute(&mut *conn).await?.rows_affected();
    let details = json!({ "status": status, "reports": reports, "note": note });
    record::add(conn, actor, RecordEntry { act: "restore", object: Some((section, id)), details }).await?;
    transaction.commit().await?;
    Ok(RestoreOutcome::Done(status))
}

/// Returns whether the object no longer has an owner or a consent to it was revoked.
async fn needs_decision(conn: &mut PgConnection, section: &str, id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from videos where $1 = 'video' and id = $2 and user_id is null)
               or exists (select from albums where $1 = 'album' and id = $2 and user_id is null)
               or exists (select from performer_consents where revoked_at is not null
                          and case $1 when 'video' then video_id when 'album' then album_id end = $2) as "n!""#,
        section,
        id
    );
    Ok(query.fetch_one(conn).await?)
}

async fn is_replacement(conn: &mut PgConnection, section: &str, id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from videos where $1 = 'video' and id = $2 and replaces is not null) as "r!""#,
        section,
        id
    );
    Ok(query.fetch_one(conn).await?)
}

async fn bring_back(conn: &mut PgConnection, section: &str, id: i64, status: UploadStatus) -> Result<()> {
    let query = sqlx::query!(
        "with quarantine as (delete from quarantines where section = $1 and object_id = $2 returning restore_status_id, readd_at),
              video as (update videos v set status_id = $3, restore_status_id = q.restore_status_id, readd_at = q.readd_at
                        from quarantine q where $1 = 'video' and v.id = $2)
         update albums set status_id = $3 from quarantine where $1 = 'album' and id = $2",
        section,
        id,
        status as _
    );
    run(query, conn).await
}

/// Lifts the ban that the takedown imposed on the film or pictures.
async fn unban_media(conn: &mut PgConnection, section: &str, id: i64, banned_at: OffsetDateTime) -> Result<()> {
    let query = sqlx::query!(
        "with film as (update fingerprints set banned_at = null where $1 = 'video' and (video_id = $2
                       or video_id in (select id from videos where replaces = $2 and replaced_at is not null)))
         update media_prints set banned_at = null where section = $1 and object_id = $2 and banned_at = $3",
        section,
        id,
        banned_at
    );
    run(query, conn).await
}

/// Ends the quarantine of objects that were taken down `days` before `now`, so that the next sweep deletes their files.
/// Returns the number of objects.
pub async fn end_due(pool: &PgPool, days: u32, now: OffsetDateTime) -> Result<u64> {
    let query = sqlx::query_scalar!(
        r#"with over as (delete from quarantines where taken_down_at <= $2::timestamptz - make_interval(days => $1)
                        returning section, object_id),
                video as (update videos set deleted_at = '-infinity' from over
                          where section = 'video' and id = object_id and status_id = deleted()),
                album as (update albums set deleted_at = '-infinity' from over
                          where section = 'album' and id = object_id and status_id = deleted())
           select count(*) as "n!" from over"#,
        i32::try_from(days).unwrap_or(i32::MAX),
        now
    );
    Ok(query.fetch_one(pool).await?.unsigned_abs())
}
