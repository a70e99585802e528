//! Categories.

use sqlx::PgPool;

use crate::Result;

/// A category in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// Id.
    pub id: i64,
    /// Path segment.
    pub dir: String,
    /// Title in the asked language, else in English, else the dir.
    pub title: String,
    /// Folder of the picture.
    pub media_key: Option<String>,
    /// Which screenshot of it, 0 to 9.
    pub shot: i16,
}

/// All categories in their order, titled in `lang`.
///
/// # Errors
/// When the query fails.
pub async fn all(pool: &PgPool, lang: &str) -> Result<Vec<Category>> {
    Ok(sqlx::query_as!(
        Category,
        r#"select c.id, c.dir, coalesce(t.title, e.title, c.dir) as "title!", c.media_key, c.shot
           from categories c
                left join category_titles t on t.category_id = c.id and t.lang = $1
                left join category_titles e on e.category_id = c.id and e.lang = 'en'
           order by c.position, c.id"#,
        lang
    )
    .fetch_all(pool)
    .await?)
}
