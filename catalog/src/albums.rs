//! Single albums with their photos, which are not in the index.

use sqlx::{PgPool, types::Json};
use time::OffsetDateTime;

use crate::{Result, documents::ByLang, status::UploadStatus, videos::Uploader};

/// Everything that an album's page shows.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of albums and album_stats, documented in the migrations")]
pub struct AlbumPage {
    pub id: i64,
    pub dir: String,
    /// Original language. Albums have no translations.
    pub lang: String,
    pub title: String,
    pub description: String,
    /// Wire code of the orientation.
    pub gender: String,
    pub status_id: UploadStatus,
    /// Whether only its owner may see it.
    pub is_private: bool,
    pub visible: bool,
    pub post_date: OffsetDateTime,
    pub viewed: i64,
    pub likes: i32,
    pub dislikes: i32,
    pub comments: i32,
    /// Rating from 0 to 5.
    pub rating: f64,
    pub user: Option<Uploader>,
    pub categories: Vec<String>,
    pub model_dirs: Vec<String>,
    /// Names of the models, parallel to `model_dirs`.
    pub model_titles: Vec<String>,
    /// Names of the models by language, parallel to `model_dirs`.
    pub model_names: Vec<ByLang>,
    /// Photos in album order.
    pub photos: Vec<Photo>,
}

/// A photo of an album.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Photo {
    /// Stem of its image files.
    pub media_key: String,
    /// Width of the original in pixels.
    pub width: i32,
    /// Height of the original in pixels.
    pub height: i32,
    /// Whether it is the album's cover.
    pub is_cover: bool,
}

/// Returns an album in any state. The caller decides what a visitor may see.
pub async fn find(pool: &PgPool, id: i64) -> Result<Option<AlbumPage>> {
    let query = sqlx::query!(
        r#"select a.dir, a.lang, a.title, a.description, a.gender, a.status_id as "status_id: UploadStatus",
                  a.is_private, a.visible as "visible!", a.post_date, s.viewed, s.likes, s.dislikes, s.comments, s.rating::numeric::float8 as "rating!",
                  u.id as "user_id?", u.username as "username?", u.avatar_key,
                  array(select k.dir from album_categories l join categories k on k.id = l.category_id
                        where l.album_id = a.id order by k.position, k.id) as "categories!",
                  array(select m.dir from album_models l join models m on m.id = l.model_id
                        where l.album_id = a.id order by m.id) as "model_dirs!",
                  array(select m.title from album_models l join models m on m.id = l.model_id
                        where l.album_id = a.id order by m.id) as "model_titles!",
                  array(select model_names_of(l.model_id) from album_models l
                        where l.album_id = a.id order by l.model_id) as "model_names!: Vec<Json<ByLang>>"
           from albums a join album_stats s on s.album_id = a.id left join users u on u.id = a.user_id
           where a.id = $1"#,
        id
    );
    let row = query.fetch_optional(pool).await?;
    let Some(row) = row else { return Ok(None) };
    let photos = sqlx::query_as!(
        Photo,
        r#"select media_key, width, height, row_number() over (order by not is_cover, position) = 1 as "is_cover!"
           from photos where album_id = $1 order by position"#,
        id
    )
    .fetch_all(pool)
    .await?;
    Ok(Some(AlbumPage {
        id,
        dir: row.dir,
        lang: row.lang,
        title: row.title,
        description: row.description,
        gender: row.gender,
        status_id: row.status_id,
        is_private: row.is_private,
        visible: row.visible,
        post_date: row.post_date,
        viewed: row.viewed,
        likes: row.likes,
        dislikes: row.dislikes,
        comments: row.comments,
        rating: row.rating,
        user: row.user_id.zip(row.username).map(|(id, username)| Uploader { id, username, avatar_key: row.avatar_key }),
        categories: row.categories,
        model_dirs: row.model_dirs,
        model_titles: row.model_titles,
        model_names: row.model_names.into_iter().map(|names| names.0).collect(),
        photos,
    }))
}
