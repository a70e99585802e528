//! Categories, with their titles and their number of visible videos per gender.

use std::{collections::HashMap, sync::Arc};

use sqlx::PgConnection;

use super::{ByLang, CategoryName};
use crate::Error;

/// Everything a category document is built from.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of categories, documented in the migrations")]
pub struct CategoryRow {
    pub id: i64,
    pub dir: String,
    pub position: i32,
    pub media_key: Option<String>,
    pub shot: i16,
    pub titles: ByLang,
    /// Number of visible videos by gender code. Genders without visible videos are absent.
    pub totals: HashMap<String, i64>,
}

/// Returns every category with its titles, by id, for all documents that refer to it. The table is small.
pub async fn names(conn: &mut PgConnection) -> Result<HashMap<i64, Arc<CategoryName>>, Error> {
    let query = sqlx::query!(
        "select c.id, c.dir, t.lang, t.title from categories c join category_titles t on t.category_id = c.id"
    );
    let rows = query.fetch_all(conn).await?;
    let mut out: HashMap<i64, CategoryName> = HashMap::new();
    for row in rows {
        let name = out.entry(row.id).or_insert_with(|| CategoryName { dir: row.dir, titles: ByLang::new() });
        name.titles.insert(row.lang, row.title);
    }
    Ok(out.into_iter().map(|(id, name)| (id, Arc::new(name))).collect())
}

ids_after!("categories");

/// Counts categories.
pub async fn count(conn: &mut PgConnection) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(r#"select count(*) as "n!" from categories"#).fetch_one(conn).await?)
}

/// Counts categories that have a visible video.
pub async fn count_with_videos(conn: &mut PgConnection) -> Result<i64, Error> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from categories c
           where exists (select 1 from video_categories l join videos v on v.id = l.video_id
                         where l.category_id = c.id and v.visible)"#
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns the rows that exist among `ids`, in no particular order.
pub async fn rows(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<CategoryRow>, Error> {
    let mut names = names(conn).await?;
    let query = sqlx::query!(
        r#"select l.category_id, v.gender, count(*) as "n!" from video_categories l join videos v on v.id = l.video_id
           where l.category_id = any ($1) and v.visible group by 1, 2"#,
        ids
    );
    let counts = query.fetch_all(&mut *conn).await?;
    let mut totals: HashMap<i64, HashMap<String, i64>> = HashMap::new();
    for count in counts {
        totals.entry(count.category_id).or_default().insert(count.gender, count.n);
    }
    let rows = sqlx::query!("select id, dir, position, media_key, shot from categories where id = any ($1)", ids)
        .fetch_all(conn)
        .await?;
    Ok(rows
        .into_iter()
        .map(|row| CategoryRow {
            id: row.id,
            titles: names.remove(&row.id).map(|name| Arc::unwrap_or_clone(name).titles).unwrap_or_default(),
            totals: totals.remove(&row.id).unwrap_or_default(),
            dir: row.dir,
            position: row.position,
            media_key: row.media_key,
            shot: row.shot,
        })
        .collect())
}
