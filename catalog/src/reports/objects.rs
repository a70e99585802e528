//! Reported objects: whether they exist, and how they are hidden, restored and removed. Triggers on their tables notify
//! the index.

use sqlx::PgConnection;

use crate::{Result, run};

/// Kinds of objects that can be reported.
pub const SECTIONS: [&str; 9] =
    ["video", "album", "model", "channel", "playlist", "user", "comment", "wall", "message"];

/// Returns whether the object exists. A message exists only for its recipient, and a private playlist only for its
/// owner.
pub(super) async fn exists(
    conn: &mut PgConnection,
    section: &str,
    object_id: i64,
    member: Option<i64>,
) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select case $1
               when 'video' then exists (select from videos where id = $2 and status_id <> deleted() and replaces is null)
               when 'album' then exists (select from albums where id = $2 and status_id <> deleted())
               when 'model' then exists (select from models where id = $2)
               when 'channel' then exists (select from channels where id = $2)
               when 'playlist' then exists
                   (select from playlists where id = $2 and (visibility = 'public' or user_id = $3))
               when 'user' then exists (select from users where id = $2 and is_active(users))
               when 'comment' then exists (select from comments where id = $2 and deleted_at is null)
               when 'wall' then exists (select from walls where id = $2 and deleted_at is null)
               when 'message' then exists
                   (select from messages where id = $2 and recipient_id = $3 and not recipient_deleted)
               else false end as "exists!""#,
        section,
        object_id,
        member
    );
    Ok(query.fetch_one(conn).await?)
}

/// Locks the reports about the object until the transaction ends.
pub(crate) async fn lock(conn: &mut PgConnection, section: &str, object_id: i64) -> Result<()> {
    let query =
        sqlx::query!("select pg_advisory_xact_lock(hashtextextended('report ' || $1::text, $2))", section, object_id);
    run(query, conn).await
}

/// Hides an object until it is reviewed. Returns `false` if it is already hidden or is exempt. Performers, channels,
/// messages and moderators are never hidden by reports. If the object is a member, the profile and its pictures are
/// hidden.
pub(super) async fn hide(conn: &mut PgConnection, section: &str, object_id: i64) -> Result<bool> {
    let query = sqlx::query!(
        "with video as (update videos set status_id = in_review()
                        where $1 = 'video' and id = $2 and status_id = published()
                        returning published()::text as before),
              album as (update albums set status_id = in_review()
                        where $1 = 'album' and id = $2 and status_id = published()
                        returning published()::text as before),
              playlist as (update playlists set visibility = 'private'
                           where $1 = 'playlist' and id = $2 and visibility = 'public' returning 'public' as before),
              comment as (update comments set deleted_at = now()
                          where $1 = 'comment' and id = $2 and deleted_at is null returning 'shown' as before),
              wall as (update walls set deleted_at = now()
                       where $1 = 'wall' and id = $2 and deleted_at is null returning 'shown' as before),
              member as (update users u set hidden_at = now(), avatar_key = null, cover_key = null
                         from (select id, avatar_key, cover_key from users where $1 = 'user' and id = $2 for update) b
                         where u.id = b.id and u.hidden_at is null and u.status_id <> banned()
                           and not exists (select from staff s where s.user_id = u.id)
                         returning jsonb_build_object('avatar', b.avatar_key, 'cover', b.cover_key)::text as before)
         insert into report_hides (section, object_id, before)
         select $1::text, $2, before from (select before from video union all select before from album
             union all select before from playlist union all select before from comment union all select before from wall
             union all select before from member) o
         on conflict do nothing",
        section,
        object_id
    );
    let is_hidden = query.execute(&mut *conn).await?.rows_affected() > 0;
    if is_hidden && section == "user" {
        // While the pictures are hidden, no row of the member refers to their files.
        let query = sqlx::query!(
            "update media_prints p set held_at = coalesce(p.held_at, now()) from report_hides h
             where h.section = 'user' and h.object_id = $1 and p.section = 'user' and p.object_id = $1
               and p.part in (h.before::jsonb->>'avatar', h.before::jsonb->>'cover')",
            object_id
        );
        run(query, conn).await?;
    }
    Ok(is_hidden)
}

/// Returns whether reports have hidden the object.
pub(super) async fn is_hidden(conn: &mut PgConnection, section: &str, object_id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from report_hides where section = $1 and object_id = $2) as "h!""#,
        section,
        object_id
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns whether a report has been resolved as justified since the object was hidden.
pub(super) async fn was_hidden_justly(conn: &mut PgConnection, section: &str, object_id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from report_hides h join reports r using (section, object_id)
                          where section = $1 and object_id = $2 and r.state = 'resolved' and r.closed_at >= h.hidden_at) as "r!""#,
        section,
        object_id
    );
    Ok(query.fetch_one(conn).await?)
}

/// Restores what [`hide`] hid, unless it has changed since. Returns whether there was anything to restore.
pub(super) async fn restore(conn: &mut PgConnection, section: &str, object_id: i64) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"with gone as (select before from report_hides where section = $1 and object_id = $2 for update),
                video as (update videos set status_id = gone.before::smallint from gone
                          where $1 = 'video' and id = $2 and status_id = in_review()),
                album as (update albums set status_id = gone.before::smallint from gone
                          where $1 = 'album' and id = $2 and status_id = in_review()),
                playlist as (update playlists set visibility = gone.before from gone where $1 = 'playlist' and id = $2),
                comment as (update comments set deleted_at = null from gone where $1 = 'comment' and id = $2),
                wall as (update walls set deleted_at = null from gone where $1 = 'wall' and id = $2),
                member as (update users set hidden_at = null,
                                  avatar_key = coalesce(avatar_key, gone.before::jsonb->>'avatar'),
                                  cover_key = coalesce(cover_key, gone.before::jsonb->>'cover')
                           from gone where $1 = 'user' and id = $2)
           select count(*) as "n!" from gone"#,
        section,
        object_id
    );
    let restored = query.fetch_one(&mut *conn).await?;
    // This comes last, because triggers must see that reports had hidden the object.
    let forget = sqlx::query!("delete from report_hides where section = $1 and object_id = $2", section, object_id);
    run(forget, conn).await?;
    Ok(restored > 0)
}

/// Removes an object. This also covers a deleted video that is scheduled to return, and a deleted comment that could
/// still be restored. Returns `false` if the object is already gone or can't be removed this way (members
/// are banned instead). The previous state of a video or album is saved in `quarantines`, with the moderator (`None`
/// for the operator).
pub(crate) async fn remove(
    conn: &mut PgConnection,
    (section, object_id): (&str, i64),
    moderator: Option<i64>,
) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"with gone as (delete from report_hides where section = $1 and object_id = $2 returning 1),
                before as (select status_id, restore_status_id, readd_at from videos where $1 = 'video' and id = $2
                           union all select status_id, null, null from albums where $1 = 'album' and id = $2),
                quarantine as (insert into quarantines (section, object_id, status_before, restore_status_id, readd_at, taken_down_by)
                               select $1::text, $2, status_id, restore_status_id, readd_at, $3 from before
                               on conflict do nothing),
                video as (update videos set status_id = deleted(), readd_at = null, restore_status_id = null
                          where $1 = 'video' and id = $2 and (status_id <> deleted() or restore_status_id is not null) returning 1),
                album as (update albums set status_id = deleted()
                          where $1 = 'album' and id = $2 and status_id <> deleted() returning 1),
                playlist as (delete from playlists where $1 = 'playlist' and id = $2 returning 1),
                comment as (update comments set deleted_at = coalesce(deleted_at, now()), deleted_by = null
                            where $1 = 'comment' and id = $2 and (deleted_at is null or deleted_by is not null) returning 1),
                wall as (update walls set deleted_at = coalesce(deleted_at, now()), deleted_by = null
                         where $1 = 'wall' and id = $2 and (deleted_at is null or deleted_by is not null) returning 1)
           select count(*) as "n!" from (select from gone union all select from video union all select from album
               union all select from playlist union all select from comment union all select from wall) o"#,
        section,
        object_id,
        moderator
    );
    let removed = query.fetch_one(conn).await?;
    Ok(removed > 0)
}
