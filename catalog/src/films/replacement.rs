//! Replacements: new films for videos that keep their address, votes and comments (ADR 106). A replacement is a video of its own
//! until a moderator approves it. Then the two swap their films, and the replacement is deleted with the former one.

use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};

use super::remake::swap_former;
use crate::{Result, chapters, fingerprints, originals, run};

/// Outcome of ending a replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// It is gone, and so is the file of its upload.
    Cancelled,
    /// The member's upload is no replacement.
    NoReplacement,
}

/// Ends a member's replacement before it is approved: while it is sent, processed or reviewed, or after it was refused.
pub async fn cancel(pool: &PgPool, token: &str, user_id: i64) -> Result<CancelOutcome> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let query = sqlx::query_scalar!(
        "select id from uploads where token = $1 and user_id = $2 and replaces is not null for update",
        token,
        user_id
    );
    let Some(id) = query.fetch_optional(&mut *conn).await? else { return Ok(CancelOutcome::NoReplacement) };
    // Only moderators have seen the film, so its files need no grace period.
    let query = sqlx::query!(
        "update videos v set status_id = deleted(), deleted_at = '-infinity' from uploads u
         where u.id = $1 and v.id = u.video_id and v.replaces is not null and v.status_id <> deleted()",
        id
    );
    run(query, &mut *conn).await?;
    run(sqlx::query!("delete from uploads where id = $1", id), &mut *conn).await?;
    transaction.commit().await?;
    Ok(CancelOutcome::Cancelled)
}

/// Deletes a replacement for this reason, one of `moderation.reasons`. The video keeps its film.
pub(crate) async fn reject(conn: &mut PgConnection, id: i64, reason: &str) -> Result<()> {
    run(sqlx::query!("update videos set status_id = deleted(), rejection = $2 where id = $1", id, reason), conn).await
}

/// Gives `video_id` the film of its replacement, which then holds the former film and is deleted. Both must be locked. Returns what
/// the moderation record says about it.
///
/// What people wrote stays: the title, the member's poster and captions, comments and votes. Chapters and captions after the end of a
/// shorter film are removed.
pub(crate) async fn swap(conn: &mut PgConnection, video_id: i64, replacement: i64) -> Result<Value> {
    let query = sqlx::query!(
        r#"select v.user_id, v.media_key as former, n.media_key as new, n.duration, v.chapters, v.description, n.chapters as of_film
           from videos v join videos n on n.replaces = v.id where v.id = $1 and n.id = $2"#,
        video_id,
        replacement
    );
    let row = query.fetch_one(&mut *conn).await?;
    let chapters = chapters::replaced(&row.chapters, &row.description, &row.of_film, row.duration);
    let query = sqlx::query!(
        "update videos v set media_key = o.media_key, sg_id = o.sg_id, height = o.height, is_hd = o.is_hd, duration = o.duration,
                has_lost_audio = o.has_lost_audio, audio_tracks = o.audio_tracks, second_codec = o.second_codec,
                encoding = o.encoding, shot = o.shot, revision = v.revision + 1,
                chapters = case v.id when $1 then $3 else v.chapters end,
                status_id = case v.id when $1 then v.status_id else deleted() end,
                replaced_at = case v.id when $1 then v.replaced_at else now() end
         from videos o where (v.id, o.id) in (($1, $2), ($2, $1))",
        video_id,
        replacement,
        chapters
    );
    run(query, &mut *conn).await?;
    fingerprints::swap(conn, video_id, replacement).await?;
    originals::swap(conn, video_id, replacement).await?;
    swap_former(conn, video_id, replacement).await?;
    swap_uploads(conn, video_id, replacement).await?;
    swap_moves(conn, video_id, replacement).await?;
    swap_captions(conn, video_id, replacement).await?;
    // Who stopped after the new end has seen the film to its end.
    let query = sqlx::query!(
        "update history set stopped_at = $2 where video_id = $1 and stopped_at > $2",
        video_id,
        row.duration
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        "insert into sitemap_stale (section, object_id) values ('video', $1) on conflict do nothing",
        video_id
    );
    run(query, conn).await?;
    Ok(json!({ "member": row.user_id, "replacement": replacement, "former": row.former, "new": row.new }))
}

/// Each film keeps its upload and the digest of its bytes. The video has shown both films, so a take-down bans both.
async fn swap_uploads(conn: &mut PgConnection, video_id: i64, replacement: i64) -> Result<()> {
    let query = sqlx::query!(
        "delete from media_prints p using uploads u
         where u.video_id = $1 and u.replaces is not null and p.section = 'video' and p.object_id = $1
           and p.part = encode(u.sha256, 'hex')",
        replacement
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        "update uploads set video_id = $2 where video_id = $1 returning id, published_at",
        video_id,
        replacement
    );
    let former = query.fetch_all(&mut *conn).await?;
    // The video's date stays, so its new upload counts as published when the former one was. A video without an upload has
    // its date from elsewhere.
    let query = sqlx::query_scalar!(
        r#"update uploads u set video_id = $1, replaces = null,
                  published_at = case when $3 then $4 else (select post_date from videos where id = $1) end
           where u.video_id = $2 and u.replaces = $1 returning u.id"#,
        video_id,
        replacement,
        !former.is_empty(),
        former.iter().filter_map(|upload| upload.published_at).min()
    );
    let new = query.fetch_one(&mut *conn).await?;
    let former: Vec<i64> = former.into_iter().map(|upload| upload.id).collect();
    run(sqlx::query!("update imports set upload_id = $2 where upload_id = any($1)", &former, new), &mut *conn).await?;
    // Earlier attempts, which were rejected or failed, are nothing the member has to know any more.
    run(sqlx::query!("delete from uploads where replaces = $1", video_id), conn).await
}

/// Moves of the two films and their originals between storage groups go on, and so do remakes.
async fn swap_moves(conn: &mut PgConnection, video_id: i64, replacement: i64) -> Result<()> {
    let query = sqlx::query!(
        "update jobs j set payload = j.payload || jsonb_build_object('video', f.id)
         from (select id, media_key from videos union all select video_id, media_key from originals) f
         where j.kind in ('film_move', 'film_remake') and j.state <> 'done' and f.id in ($1, $2) and j.payload->>'key' = f.media_key",
        video_id,
        replacement
    );
    run(query, conn).await
}

/// Tracks of the former film give way to those of the new one, and both to the member's own.
async fn swap_captions(conn: &mut PgConnection, video_id: i64, replacement: i64) -> Result<()> {
    run(sqlx::query!("delete from captions where video_id = $1 and is_of_film", video_id), &mut *conn).await?;
    let query = sqlx::query!(
        "update captions c set video_id = $1 where c.video_id = $2
         and not exists (select from captions own where own.video_id = $1 and own.lang = c.lang and own.kind = c.kind)",
        video_id,
        replacement
    );
    run(query, &mut *conn).await?;
    let query = sqlx::query!(
        "update captions c set cues = (
             select coalesce(jsonb_agg(cue order by place), '[]') from jsonb_array_elements(c.cues) with ordinality as cues(cue, place)
             where (cue->>'from')::bigint < 1000 * v.duration::bigint)
         from videos v where v.id = $1 and c.video_id = v.id",
        video_id
    );
    run(query, &mut *conn).await?;
    run(sqlx::query!("delete from captions where video_id = $1 and cues = '[]'", video_id), conn).await
}
