//! A member's own videos: data for their form, edits, and the choice of a picture.

use sqlx::{PgConnection, PgPool};

use super::{FilmDetails, link};
use crate::{
    Result,
    prints::{self, PicturePrint},
    status::UploadStatus,
};

/// A member's own video, as shown in its form.
#[derive(Debug, Clone)]
pub struct OwnFilm {
    /// Its metadata.
    pub details: FilmDetails,
    /// Never deleted.
    pub status_id: UploadStatus,
    /// Folder of the video's files.
    pub media_key: Option<String>,
    /// Whether its film was made exclusively for this site.
    pub is_exclusive: bool,
    /// Index, 0 to 9, of the screenshot used as the video's picture.
    pub shot: i16,
    /// Key of the uploaded picture that replaces the screenshot.
    pub picture_key: Option<String>,
}

/// Returns a member's own video unless it is deleted.
pub async fn own(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<Option<OwnFilm>> {
    let query = sqlx::query!(
        r#"select title, description, chapters, lang, gender, is_private, publish_at, status_id as "status_id: UploadStatus",
                  media_key, shot, picture_key,
                  coalesce((select is_exclusive from uploads where video_id = v.id order by id desc limit 1), false) as "is_exclusive!",
                  array(select c.dir from video_categories l join categories c on c.id = l.category_id
                        where l.video_id = v.id order by c.dir) as "categories!",
                  array(select m.dir from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.dir) as "models!"
           from videos v where id = $1 and user_id = $2 and status_id <> deleted() and replaces is null"#,
        video_id,
        user_id
    );
    Ok(query.fetch_optional(conn).await?.map(|row| OwnFilm {
        details: FilmDetails {
            title: row.title,
            description: row.description,
            chapters: row.chapters,
            lang: row.lang,
            gender: row.gender,
            categories: row.categories,
            models: row.models,
            is_private: row.is_private,
            publish_at: row.publish_at,
            origin: None,
        },
        status_id: row.status_id,
        media_key: row.media_key,
        is_exclusive: row.is_exclusive,
        shot: row.shot,
        picture_key: row.picture_key,
    }))
}

/// Returns the duration of a member's own video in seconds, unless it is deleted.
pub async fn duration(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<Option<i32>> {
    let query = sqlx::query_scalar!(
        "select duration from videos where id = $1 and user_id = $2 and status_id <> deleted() and replaces is null",
        video_id,
        user_id
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Replaces the metadata of a member's own video, except its time of publication ([`schedule`](super::schedule())).
/// Unless only its privacy changes, the video needs a new decision. Returns its new status, or `None` if there is no
/// such video. Call it in a transaction.
pub async fn revise(
    conn: &mut PgConnection,
    user_id: i64,
    video_id: i64,
    details: &FilmDetails,
) -> Result<Option<UploadStatus>> {
    let locked = sqlx::query!("select from videos where id = $1 and user_id = $2 for update", video_id, user_id);
    if locked.fetch_optional(&mut *conn).await?.is_none() {
        return Ok(None);
    }
    let Some(before) = own(conn, user_id, video_id).await? else { return Ok(None) };
    let FilmDetails { is_private, publish_at, .. } = before.details;
    let is_same = FilmDetails { is_private, publish_at, origin: None, ..details.clone() } == before.details;
    let status_id = match before.status_id {
        status if is_same => status,
        UploadStatus::Draft => UploadStatus::Draft,
        _ => UploadStatus::InReview,
    };
    sqlx::query!(
        "update videos set title = $2, description = $3, lang = $4, gender = $5, is_private = $6, status_id = $7,
                revision = revision + case when $8 then 0 else 1 end, chapters = $9 where id = $1",
        video_id,
        details.title,
        details.description,
        details.lang,
        details.gender,
        details.is_private,
        status_id as _,
        is_same,
        details.chapters
    )
    .execute(&mut *conn)
    .await?;
    if !is_same {
        // The reports were about the previous version. If they turn out to be wrong, this must not unhide the new
        // version.
        sqlx::query!("delete from report_hides where section = 'video' and object_id = $1", video_id)
            .execute(&mut *conn)
            .await?;
        // The translations are of the previous text.
        sqlx::query!("delete from video_translations where video_id = $1", video_id).execute(&mut *conn).await?;
        sqlx::query!("delete from video_categories where video_id = $1", video_id).execute(&mut *conn).await?;
        sqlx::query!("delete from video_models where video_id = $1", video_id).execute(&mut *conn).await?;
        link(conn, video_id, details).await?;
    }
    Ok(Some(status_id))
}

/// Uses a screenshot, 0 to 9, as the picture of a member's own video. It replaces an uploaded picture. If the video had
/// no picture so far, it now awaits a decision. Returns the video's status, or `None` if there is no such video.
pub async fn choose(conn: &mut PgConnection, user_id: i64, video_id: i64, shot: i16) -> Result<Option<UploadStatus>> {
    let query = sqlx::query_scalar!(
        r#"update videos set shot = $3, picture_key = null, revision = revision + 1,
                  status_id = case when status_id = draft() then in_review() else status_id end
           where id = $2 and user_id = $1 and status_id <> deleted() and media_key is not null and replaces is null
           returning status_id as "status_id: UploadStatus""#,
        user_id,
        video_id,
        shot
    );
    Ok(query.fetch_optional(conn).await?)
}

/// Outcome of setting a video's picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PosterOutcome {
    /// The picture is set. Holds the video's status now.
    Set(UploadStatus),
    /// The member has no such video with a film.
    NoVideo,
    /// The picture is banned by a takedown.
    Banned,
}

/// Uses an uploaded picture, whose files are already on disk, for a member's own video. The video then awaits a
/// decision, because the picture is unreviewed. Refuses pictures that differ from a banned one in at most `look_bits`
/// of 256 bits.
pub async fn set_poster(
    pool: &PgPool,
    user_id: i64,
    video_id: i64,
    (key, print): (&str, &PicturePrint),
    look_bits: u8,
) -> Result<PosterOutcome> {
    let mut transaction = pool.begin().await?;
    if prints::is_banned(&mut *transaction, print, look_bits).await? {
        return Ok(PosterOutcome::Banned);
    }
    let query = sqlx::query_scalar!(
        r#"update videos set picture_key = $3, revision = revision + 1,
                  status_id = case when status_id in (published(), scheduled(), draft()) then in_review() else status_id end
           where id = $2 and user_id = $1 and status_id <> deleted() and media_key is not null and replaces is null
           returning status_id as "status_id: UploadStatus""#,
        user_id,
        video_id,
        key
    );
    let Some(status) = query.fetch_optional(&mut *transaction).await? else { return Ok(PosterOutcome::NoVideo) };
    prints::keep(&mut transaction, ("video", video_id), key, print).await?;
    transaction.commit().await?;
    Ok(PosterOutcome::Set(status))
}

/// Chooses the middle screenshot for members who haven't chosen one within `hours`. Returns the number of videos that
/// now await a decision.
pub async fn choose_for_absent(conn: &mut PgConnection, hours: u32) -> Result<u64> {
    let query = sqlx::query!(
        "update videos set shot = 4, status_id = in_review()
         where id in (select v.id from uploads u join videos v on v.id = u.video_id
                      where v.status_id = draft() and u.ended_at < now() - make_interval(hours => $1) limit 500)",
        i32::try_from(hours).unwrap_or(i32::MAX)
    );
    Ok(query.execute(conn).await?.rows_affected())
}
