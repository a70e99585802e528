//! Which object lets a file of the media folder be shown. A file may belong to several: it is shown while one of them may be.

use sqlx::PgPool;

use crate::Result;

/// Names a picture can be known by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Picture<'a> {
    /// Folder of a clip, where the file is one of a clip's pictures.
    pub folder: Option<&'a str>,
    /// Which of its screenshots, where it is one.
    pub shot: Option<i16>,
    /// Key of a picture that stands for itself, where the file can be one.
    pub stem: Option<&'a str>,
}

/// A visible object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMedia {
    /// `video`, `album`, `model`, `category`, `user` or `channel`.
    pub section: String,
    /// Its id.
    pub id: i64,
}

/// A visible object that shows this picture; `None` when there is none. Videos are looked for from the key on, and compared
/// afterwards: where thousands share a folder, the planner would take reading all of them for the shorter way.
pub async fn shows_picture(pool: &PgPool, picture: Picture<'_>) -> Result<Option<ShownMedia>> {
    let query = sqlx::query_as!(
        ShownMedia,
        r#"select section as "section!", id as "id!" from (
               (select 'category' as section, id from categories where media_key = $1 and shot = $2 limit 1)
               union all (select 'model', id from models where picture_key = $3 limit 1)
               union all (select 'channel', id from channels where picture_key = $3 or cf1 = $3 limit 1)
               union all (select 'video', id from (select id, media_key from videos where visible and media_key >= $1
                                                   order by media_key, id limit 1) v where media_key = $1)
               union all (select 'video', id from videos where picture_key = $3 and visible limit 1)
               union all (select 'album', a.id from photos p join albums a on a.id = p.album_id
                          where p.media_key = $3 and a.visible limit 1)
               union all (select 'user', id from users
                          where avatar_key = $3 and status_id <> 5 and email_confirmed_at is not null and hidden_at is null limit 1)
               union all (select 'user', id from users
                          where cover_key = $3 and status_id <> 5 and email_confirmed_at is not null and hidden_at is null limit 1)
           ) o limit 1"#,
        picture.folder,
        picture.shot,
        picture.stem
    );
    Ok(query.fetch_optional(pool).await?)
}

/// A visible video whose film is in this folder; `None` when there is none.
pub async fn shows_film(pool: &PgPool, folder: &str) -> Result<Option<ShownMedia>> {
    let query = sqlx::query_as!(
        ShownMedia,
        r#"select 'video' as "section!", id from (select id, media_key from videos where visible and media_key >= $1
                                                 order by media_key, id limit 1) v where media_key = $1"#,
        folder
    );
    Ok(query.fetch_optional(pool).await?)
}

/// Whether a member may see a picture that isn't public: of a private video, or of what is the member's own and not deleted.
pub async fn member_sees_picture(pool: &PgPool, member_id: i64, picture: Picture<'_>) -> Result<bool> {
    if let Some(folder) = picture.folder
        && member_sees_film(pool, member_id, folder).await?
    {
        return Ok(true);
    }
    let query = sqlx::query_scalar!(
        r#"select exists (select from photos p join albums a on a.id = p.album_id
                          where p.media_key = $1 and a.user_id = $2 and a.status_id <> 5)
               or exists (select from videos where picture_key = $1 and not visible
                          and (status_id = 1 or (user_id = $2 and status_id <> 5)))
               or exists (select from profile_reviews where media_key = $1 and user_id = $2)
               or exists (select from users where id = $2 and $1 in (avatar_key, cover_key)) as "s!""#,
        picture.stem,
        member_id
    );
    Ok(query.fetch_one(pool).await?)
}

/// Whether a member may see a film that isn't public: a private one, or an own one that isn't deleted.
pub async fn member_sees_film(pool: &PgPool, member_id: i64, folder: &str) -> Result<bool> {
    let query = sqlx::query_scalar!(
        r#"select exists (select from videos where media_key = $1 and not visible
                          and (status_id = 1 or (user_id = $2 and status_id <> 5))) as "s!""#,
        folder,
        member_id
    );
    Ok(query.fetch_one(pool).await?)
}
