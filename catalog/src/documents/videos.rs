//! Videos, with their translations, categories, models and counters.

use std::{collections::HashMap, sync::Arc};

use sqlx::{PgConnection, types::Json};
use time::OffsetDateTime;

use super::{ByLang, CategoryName, ModelName, categories};
use crate::Error;

/// Everything a video document is built from.
#[derive(Debug, Clone)]
pub struct VideoRow {
    /// The video itself.
    pub columns: VideoColumns,
    /// Translated titles by language.
    pub titles: ByLang,
    /// Translated descriptions by language.
    pub descriptions: ByLang,
    /// Its categories.
    pub categories: Vec<Arc<CategoryName>>,
    /// Its models.
    pub models: Vec<ModelName>,
}

/// Columns read by one query.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos and video_stats, documented in the migrations")]
pub struct VideoColumns {
    pub id: i64,
    pub dir: String,
    pub lang: String,
    pub title: String,
    pub description: String,
    /// Chapters as stored ([`crate::chapters`]).
    pub chapters: String,
    pub gender: String,
    pub duration: i32,
    pub visible: bool,
    pub is_hd: bool,
    pub is_uncensored: bool,
    pub media_key: Option<String>,
    pub shot: i16,
    pub user_id: Option<i64>,
    pub channel_id: Option<i64>,
    pub post_date: OffsetDateTime,
    pub viewed: i64,
    pub viewed_day: i32,
    pub viewed_week: i32,
    pub viewed_month: i32,
    pub comments: i32,
    pub rating: f32,
    pub standing: f32,
    pub spoken: Option<String>,
}

/// Counters of a video, for partial updates.
#[derive(Debug, Clone, Copy)]
#[expect(missing_docs, reason = "the columns of video_stats, documented in the migration")]
pub struct VideoCounters {
    pub id: i64,
    pub viewed: i64,
    pub viewed_day: i32,
    pub viewed_week: i32,
    pub viewed_month: i32,
    pub comments: i32,
    pub rating: f32,
    pub standing: f32,
}

ids_after!("videos");

/// Counts videos visible to guests.
pub async fn count(conn: &mut PgConnection) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(r#"select count(*) as "n!" from videos where visible"#).fetch_one(conn).await?)
}

/// Returns the rows that exist among `ids`, in no particular order.
pub async fn rows(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<VideoRow>, Error> {
    let names = categories::names(conn).await?;
    let mut translations = translations(conn, ids).await?;
    let mut links = category_links(conn, ids).await?;
    let mut models = model_links(conn, ids).await?;
    let query = sqlx::query_as!(
        VideoColumns,
        r#"select v.id, v.dir, v.lang, v.title, v.description, v.chapters, v.gender, v.duration, v.visible as "visible!", v.is_hd,
                  v.is_uncensored, shown_pictures(v.media_key, v.picture_key) as media_key, v.shot, v.user_id, v.channel_id, v.post_date,
                  s.viewed, s.viewed_day, s.viewed_week, s.viewed_month, s.comments,
                  s.rating as "rating!", s.standing as "standing!", v.spoken
           from videos v join video_stats s on s.video_id = v.id
           where v.id = any ($1)"#,
        ids
    );
    let rows = query.fetch_all(conn).await?;
    let with_links = |columns: VideoColumns| {
        let (titles, descriptions) = translations.remove(&columns.id).unwrap_or_default();
        let categories = links.remove(&columns.id).unwrap_or_default();
        VideoRow {
            titles,
            descriptions,
            categories: categories.iter().filter_map(|id| names.get(id).cloned()).collect(),
            models: models.remove(&columns.id).unwrap_or_default(),
            columns,
        }
    };
    Ok(rows.into_iter().map(with_links).collect())
}

async fn translations(conn: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, (ByLang, ByLang)>, Error> {
    let query = sqlx::query!(
        "select video_id, lang, title, description from video_translations where video_id = any ($1)",
        ids
    );
    let rows = query.fetch_all(conn).await?;
    let mut out: HashMap<i64, (ByLang, ByLang)> = HashMap::new();
    for row in rows {
        let (titles, descriptions) = out.entry(row.video_id).or_default();
        if !row.description.is_empty() {
            descriptions.insert(row.lang.clone(), row.description);
        }
        titles.insert(row.lang, row.title);
    }
    Ok(out)
}

async fn category_links(conn: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<i64>>, Error> {
    let query = sqlx::query!(
        "select video_id, category_id from video_categories where video_id = any ($1) order by video_id, category_id",
        ids
    );
    let rows = query.fetch_all(conn).await?;
    let mut out: HashMap<i64, Vec<i64>> = HashMap::new();
    for row in rows {
        out.entry(row.video_id).or_default().push(row.category_id);
    }
    Ok(out)
}

async fn model_links(conn: &mut PgConnection, ids: &[i64]) -> Result<HashMap<i64, Vec<ModelName>>, Error> {
    let query = sqlx::query!(
        r#"select l.video_id, m.dir, m.title, m.aliases,
                  (select coalesce(jsonb_object_agg(n.lang, n.name), '{}') from model_names n where n.model_id = m.id) as "names!: Json<ByLang>"
           from video_models l join models m on m.id = l.model_id where l.video_id = any ($1) order by l.video_id, m.id"#,
        ids
    );
    let rows = query.fetch_all(conn).await?;
    let mut out: HashMap<i64, Vec<ModelName>> = HashMap::new();
    for row in rows {
        let name = ModelName { dir: row.dir, title: row.title, aliases: row.aliases, names: row.names.0 };
        out.entry(row.video_id).or_default().push(name);
    }
    Ok(out)
}

/// Returns the counters of the visible videos among `ids`.
pub async fn counters(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<VideoCounters>, Error> {
    let query = sqlx::query_as!(
        VideoCounters,
        r#"select s.video_id as id, s.viewed, s.viewed_day, s.viewed_week, s.viewed_month, s.comments,
                  s.rating as "rating!", s.standing as "standing!"
           from video_stats s join videos v on v.id = s.video_id where v.visible and s.video_id = any ($1)"#,
        ids
    );
    Ok(query.fetch_all(conn).await?)
}

/// Returns those of `ids` whose videos are now hidden or gone.
pub async fn hidden(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<i64>, Error> {
    let query = sqlx::query_scalar!(
        r#"select t.id as "id!" from unnest($1::bigint[]) t(id) left join videos v on v.id = t.id
           where coalesce(not v.visible, true)"#,
        ids
    );
    Ok(query.fetch_all(conn).await?)
}
