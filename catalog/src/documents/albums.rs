//! Albums with their links, cover and counters.

use std::{collections::HashMap, sync::Arc};

use sqlx::{PgConnection, types::Json};
use time::OffsetDateTime;

use super::{ByLang, CategoryName, ModelName, categories};
use crate::Error;

/// Everything an album document is built from.
#[derive(Debug, Clone)]
pub struct AlbumRow {
    /// The album itself.
    pub columns: AlbumColumns,
    /// Its categories.
    pub categories: Vec<Arc<CategoryName>>,
    /// Its models.
    pub models: Vec<ModelName>,
}

/// Columns read by one query.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of albums and album_stats, documented in the migrations")]
pub struct AlbumColumns {
    pub id: i64,
    pub dir: String,
    pub lang: String,
    pub title: String,
    pub gender: String,
    pub visible: bool,
    pub user_id: Option<i64>,
    pub post_date: OffsetDateTime,
    pub viewed: i64,
    pub comments: i32,
    pub rating: f32,
    pub standing: f32,
    pub photos_amount: i64,
    /// Storage key of the cover photo.
    pub media_key: Option<String>,
}

ids_after!("albums");

/// Counts albums visible to guests.
pub async fn count(conn: &mut PgConnection) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(r#"select count(*) as "n!" from albums where visible"#).fetch_one(conn).await?)
}

/// Returns the rows that exist among `ids`, in no particular order.
pub async fn rows(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<AlbumRow>, Error> {
    let names = categories::names(conn).await?;
    let mut categories: HashMap<i64, Vec<Arc<CategoryName>>> = HashMap::new();
    for link in
        sqlx::query!("select album_id, category_id from album_categories where album_id = any ($1) order by 1, 2", ids)
            .fetch_all(&mut *conn)
            .await?
    {
        categories.entry(link.album_id).or_default().extend(names.get(&link.category_id).cloned());
    }
    let mut models: HashMap<i64, Vec<ModelName>> = HashMap::new();
    for link in sqlx::query!(
        r#"select l.album_id, m.dir, m.title, m.aliases,
                  (select coalesce(jsonb_object_agg(n.lang, n.name), '{}') from model_names n where n.model_id = m.id) as "names!: Json<ByLang>"
           from album_models l join models m on m.id = l.model_id where l.album_id = any ($1) order by l.album_id, m.id"#,
        ids
    )
    .fetch_all(&mut *conn)
    .await?
    {
        models.entry(link.album_id).or_default().push(ModelName {
            dir: link.dir,
            title: link.title,
            aliases: link.aliases,
            names: link.names.0,
        });
    }
    let query = sqlx::query_as!(
        AlbumColumns,
        r#"select a.id, a.dir, a.lang, a.title, a.gender, a.visible as "visible!", a.user_id, a.post_date, s.viewed, s.comments,
                  s.rating as "rating!", s.standing as "standing!", coalesce(p.n, 0) as "photos_amount!", p.media_key as "media_key?"
           from albums a join album_stats s on s.album_id = a.id
           left join (select album_id, count(*) as n, (array_agg(media_key order by not is_cover, position))[1] as media_key
                      from photos where album_id = any ($1) group by 1) p on p.album_id = a.id
           where a.id = any ($1)"#,
        ids
    );
    let rows = query.fetch_all(conn).await?;
    let with_links = |columns: AlbumColumns| AlbumRow {
        categories: categories.remove(&columns.id).unwrap_or_default(),
        models: models.remove(&columns.id).unwrap_or_default(),
        columns,
    };
    Ok(rows.into_iter().map(with_links).collect())
}
