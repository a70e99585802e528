//! Visibility of media files. A file may belong to several objects, and it is visible as long as one of them is.

use sqlx::PgPool;

use crate::Result;

/// Names by which a picture can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture<'a> {
    /// Folder of the film, if the picture is taken from a film.
    pub folder: Option<&'a str>,
    /// Index of the screenshot, if the picture is one.
    pub shot: Option<i16>,
    /// Key of the picture, if it stands alone.
    pub stem: Option<&'a str>,
}

/// A visible object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMedia {
    /// `video`, `album`, `model`, `category`, `user` or `channel`.
    pub section: String,
    /// Id of the object.
    pub id: i64,
}

/// Returns a visible object that shows this picture, if any. Videos are searched with `media_key >=` and compared
/// afterwards. With `=`, the planner would prefer a sequential scan if thousands of videos share a folder.
pub async fn shows_picture(pool: &PgPool, picture: Picture<'_>) -> Result<Option<ShownMedia>> {
    let query = sqlx::query_as!(
        ShownMedia,
        r#"select section as "section!", id as "id!" from (
               (select 'category' as section, id from categories where media_key = $1 and shot = $2 limit 1)
               union all (select 'model', id from models where picture_key = $3 limit 1)
               union all (select 'channel', id from channels where picture_key = $3 or cf1 = $3 limit 1)
               union all (select 'video', id from (select id, media_key from videos where visible and media_key >= $1
                                                   order by media_key, id limit 1) v where media_key = $1)
               union all (select 'video', v.id from former_films f join videos v on v.id = f.video_id
                          where f.media_key = $1 and v.visible)
               union all (select 'video', id from videos where picture_key = $3 and visible limit 1)
               union all (select 'album', a.id from photos p join albums a on a.id = p.album_id
                          where p.media_key = $3 and a.visible limit 1)
               union all (select 'user', id from users
                          where avatar_key = $3 and is_visible(users) limit 1)
               union all (select 'user', id from users
                          where cover_key = $3 and is_visible(users) limit 1)
           ) o limit 1"#,
        picture.folder,
        picture.shot,
        picture.stem
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Returns a visible video whose film is in this folder, or was before it was remade, if any.
pub async fn shows_film(pool: &PgPool, folder: &str) -> Result<Option<ShownMedia>> {
    let query = sqlx::query_as!(
        ShownMedia,
        r#"select 'video' as "section!", id as "id!" from (
               select id from (select id, media_key from videos where visible and media_key >= $1
                               order by media_key, id limit 1) v where media_key = $1
               union all select v.id from former_films f join videos v on v.id = f.video_id where f.media_key = $1 and v.visible
           ) o limit 1"#,
        folder
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Returns whether a member may see a picture that isn't public, because it belongs to a private video or to the
/// member's own content that isn't deleted.
pub async fn member_sees_picture(pool: &PgPool, member_id: i64, picture: Picture<'_>) -> Result<bool> {
    if let Some(folder) = picture.folder
        && member_sees_film(pool, member_id, folder).await?
    {
        return Ok(true);
    }
    let query = sqlx::query_scalar!(
        r#"select exists (select from photos p join albums a on a.id = p.album_id
                          where p.media_key = $1 and a.user_id = $2 and a.status_id <> deleted())
               or exists (select from videos where picture_key = $1 and not visible
                          and is_open_to(videos, $2))
               or exists (select from profile_reviews where media_key = $1 and user_id = $2)
               or exists (select from users where id = $2 and $1 in (avatar_key, cover_key)) as "s!""#,
        picture.stem,
        member_id
    );
    Ok(query.fetch_one(pool).await?)
}

/// Returns whether a member may see a film that isn't public, because it is private or the member's own and not
/// deleted.
pub async fn member_sees_film(pool: &PgPool, member_id: i64, folder: &str) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from videos where media_key = $1 and not visible
                          and is_open_to(videos, $2))
               or exists (select from former_films f join videos v on v.id = f.video_id
                          where f.media_key = $1 and not v.visible and is_open_to(v, $2)) as "s!""#,
        folder,
        member_id
    );
    Ok(query.fetch_one(pool).await?)
}
