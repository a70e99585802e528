//! Models with their counters and number of visible videos.

use sqlx::{PgConnection, types::Json};
use time::{Date, OffsetDateTime};

use super::ByLang;
use crate::Error;

/// Everything a model document is built from.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of models and model_stats, documented in the migrations")]
pub struct ModelRow {
    pub id: i64,
    pub dir: String,
    pub title: String,
    pub aliases: Vec<String>,
    /// Names by language.
    pub names: Json<ByLang>,
    pub gender: String,
    pub birth_date: Date,
    pub country: Option<String>,
    pub race: Option<String>,
    pub hair_color: Option<String>,
    pub tits_size: Option<String>,
    pub height: Option<i16>,
    pub weight: Option<i16>,
    pub tattoo: Option<String>,
    pub piercing: Option<String>,
    pub about: Option<String>,
    pub picture_key: Option<String>,
    pub created_at: OffsetDateTime,
    pub viewed: i64,
    pub subscribers: i32,
    pub standing: f32,
    /// Number of visible videos of any gender.
    pub total_videos: i64,
}

ids_after!("models");

/// Counts models.
pub async fn count(conn: &mut PgConnection) -> Result<i64, Error> {
    Ok(sqlx::query_scalar!(r#"select count(*) as "n!" from models"#).fetch_one(conn).await?)
}

/// Counts models that have a visible video.
pub async fn count_with_videos(conn: &mut PgConnection) -> Result<i64, Error> {
    let query = sqlx::query_scalar!(
        r#"select count(*) as "n!" from models m
           where exists (select 1 from video_models l join videos v on v.id = l.video_id
                         where l.model_id = m.id and v.visible)"#
    );
    Ok(query.fetch_one(conn).await?)
}

/// Returns the rows that exist among `ids`, in no particular order.
pub async fn rows(conn: &mut PgConnection, ids: &[i64]) -> Result<Vec<ModelRow>, Error> {
    let query = sqlx::query_as!(
        ModelRow,
        r#"select m.id, m.dir, m.title, m.aliases,
                  (select coalesce(jsonb_object_agg(n.lang, n.name), '{}') from model_names n where n.model_id = m.id) as "names!: Json<ByLang>",
                  m.gender, m.birth_date, m.country, m.race, m.hair_color, m.tits_size, m.height, m.weight, m.tattoo, m.piercing, m.about, m.picture_key, m.created_at, s.viewed, s.subscribers,
                  s.standing as "standing!", coalesce(t.n, 0) as "total_videos!"
           from models m join model_stats s on s.model_id = m.id
           left join (select l.model_id, count(*) as n from video_models l join videos v on v.id = l.video_id
                      where l.model_id = any ($1) and v.visible group by 1) t on t.model_id = m.id
           where m.id = any ($1)"#,
        ids
    );
    Ok(query.fetch_all(conn).await?)
}
