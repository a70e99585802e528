//! A member's own videos: what their form shows, says anew and chooses.

use sqlx::{PgConnection, PgPool};

use super::{FilmDetails, link};
use crate::{
    Result,
    prints::{self, PicturePrint},
};

/// State of a video that waits for a decision.
const WAITS: i16 = 2;
/// State of a video whose member chooses a screenshot.
const CHOOSES: i16 = 3;

/// An own video, as its form shows it.
#[derive(Debug, Clone)]
pub struct OwnFilm {
    /// What its member said of it.
    pub details: FilmDetails,
    /// 1 active … 4 rejected.
    pub status_id: i16,
    /// Folder of its files.
    pub media_key: Option<String>,
    /// Which screenshot is its picture, 0 to 9.
    pub shot: i16,
    /// Key of the picture its member sent, which stands for it.
    pub picture_key: Option<String>,
}

/// An own video that isn't deleted.
pub async fn own(conn: &mut PgConnection, user_id: i64, video_id: i64) -> Result<Option<OwnFilm>> {
    let query = sqlx::query!(
        r#"select title, description, lang, gender, is_private, status_id, media_key, shot, picture_key,
                  array(select c.dir from video_categories l join categories c on c.id = l.category_id
                        where l.video_id = v.id order by c.dir) as "categories!",
                  array(select m.dir from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.dir) as "models!"
           from videos v where id = $1 and user_id = $2 and status_id <> 5"#,
        video_id,
        user_id
    );
    Ok(query.fetch_optional(conn).await?.map(|row| OwnFilm {
        details: FilmDetails {
            title: row.title,
            description: row.description,
            lang: row.lang,
            gender: row.gender,
            categories: row.categories,
            models: row.models,
            is_private: row.is_private,
            origin: None,
        },
        status_id: row.status_id,
        media_key: row.media_key,
        shot: row.shot,
        picture_key: row.picture_key,
    }))
}

/// Says something else of an own video. Unless only who may watch it differs, a person decides on it anew. Returns its state then;
/// `None` when there is no such video.
pub async fn revise(pool: &PgPool, user_id: i64, video_id: i64, details: &FilmDetails) -> Result<Option<i16>> {
    let mut transaction = pool.begin().await?;
    let conn = &mut *transaction;
    let locked = sqlx::query!("select from videos where id = $1 and user_id = $2 for update", video_id, user_id);
    if locked.fetch_optional(&mut *conn).await?.is_none() {
        return Ok(None);
    }
    let Some(before) = own(conn, user_id, video_id).await? else { return Ok(None) };
    let is_same =
        FilmDetails { is_private: before.details.is_private, origin: None, ..details.clone() } == before.details;
    let status_id = if is_same || before.status_id == CHOOSES { before.status_id } else { WAITS };
    sqlx::query!(
        "update videos set title = $2, description = $3, lang = $4, gender = $5, is_private = $6, status_id = $7,
                revision = revision + case when $8 then 0 else 1 end where id = $1",
        video_id,
        details.title,
        details.description,
        details.lang,
        details.gender,
        details.is_private,
        status_id,
        is_same
    )
    .execute(&mut *conn)
    .await?;
    if !is_same {
        // What reports hid was another video: when they turn out wrong, this one isn't shown for it.
        sqlx::query!("delete from report_hides where section = 'video' and object_id = $1", video_id)
            .execute(&mut *conn)
            .await?;
        // What others translated was the old text.
        sqlx::query!("delete from video_translations where video_id = $1", video_id).execute(&mut *conn).await?;
        sqlx::query!("delete from video_categories where video_id = $1", video_id).execute(&mut *conn).await?;
        sqlx::query!("delete from video_models where video_id = $1", video_id).execute(&mut *conn).await?;
        link(conn, video_id, details).await?;
    }
    transaction.commit().await?;
    Ok(Some(status_id))
}

/// Takes a screenshot, 0 to 9, for the picture of an own video, in the place of one that was sent; a video that had none waits for a
/// decision then. Returns its state;
/// `None` when there is no such video.
pub async fn choose(conn: &mut PgConnection, user_id: i64, video_id: i64, shot: i16) -> Result<Option<i16>> {
    let query = sqlx::query_scalar!(
        "update videos set shot = $3, picture_key = null, revision = revision + 1, status_id = case when status_id = 3 then 2 else status_id end
         where id = $2 and user_id = $1 and status_id <> 5 and media_key is not null returning status_id",
        user_id,
        video_id,
        shot
    );
    Ok(query.fetch_optional(conn).await?)
}

/// What came of a picture for a video.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PosterOutcome {
    /// It stands for the video, whose state this is now.
    Set(i16),
    /// The member has no such video with a film.
    NoVideo,
    /// It was taken down for good.
    Banned,
}

/// Lets a picture that is on the disk stand for an own video, which then waits for a decision: nobody has looked at the picture.
/// One that looks like a banned one in all but `look_bits` of 256 bits is not taken.
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
        "update videos set picture_key = $3, revision = revision + 1, status_id = case when status_id in (1, 3) then 2 else status_id end
         where id = $2 and user_id = $1 and status_id <> 5 and media_key is not null returning status_id",
        user_id,
        video_id,
        key
    );
    let Some(status) = query.fetch_optional(&mut *transaction).await? else { return Ok(PosterOutcome::NoVideo) };
    prints::keep(&mut transaction, ("video", video_id), key, print).await?;
    transaction.commit().await?;
    Ok(PosterOutcome::Set(status))
}

/// Chooses for members who didn't since `hours`: the screenshot in the middle. Returns how many videos wait for a decision now.
pub async fn choose_for_absent(conn: &mut PgConnection, hours: u32) -> Result<u64> {
    let query = sqlx::query!(
        "update videos set shot = 4, status_id = 2
         where id in (select v.id from uploads u join videos v on v.id = u.video_id
                      where v.status_id = 3 and u.ended_at < now() - make_interval(hours => $1) limit 500)",
        i32::try_from(hours).unwrap_or(i32::MAX)
    );
    Ok(query.execute(conn).await?.rows_affected())
}
