//! Models: the performers.

use sqlx::PgPool;
use time::{Date, OffsetDateTime};

use crate::Result;

/// Everything the page of one model shows. Codes are those of the wire contract.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Id.
    pub id: i64,
    /// Path segment.
    pub dir: String,
    /// Name.
    pub title: String,
    /// Other names and scripts.
    pub aliases: Vec<String>,
    /// Wire code of the orientation.
    pub gender: String,
    /// Never shown; the age is.
    pub birth_date: Date,
    /// ISO 3166-1 alpha-2.
    pub country: Option<String>,
    /// Code.
    pub race: Option<String>,
    /// Code.
    pub hair_color: Option<String>,
    /// Code.
    pub tits_size: Option<String>,
    /// Centimetres.
    pub height: Option<i16>,
    /// Kilograms.
    pub weight: Option<i16>,
    /// `yes` or `no`.
    pub tattoo: Option<String>,
    /// `yes` or `no`.
    pub piercing: Option<String>,
    /// In their own words.
    pub about: Option<String>,
    /// Picture.
    pub picture_key: Option<String>,
    /// When the record was made.
    pub created_at: OffsetDateTime,
    /// Visible videos.
    pub total_videos: i64,
    /// Views of the page.
    pub viewed: i64,
    /// Subscribed members.
    pub subscribers: i32,
    /// 0 to 5.
    pub rating: f32,
}

/// The model of that path segment.
///
/// # Errors
/// When the query fails.
pub async fn by_dir(pool: &PgPool, dir: &str) -> Result<Option<Model>> {
    Ok(sqlx::query_as!(
        Model,
        r#"select m.id, m.dir, m.title, m.aliases, m.gender, m.birth_date, m.country, m.race, m.hair_color, m.tits_size,
                  m.height, m.weight, m.tattoo, m.piercing, m.about, m.picture_key, m.created_at,
                  (select count(*) from video_models l join videos v on v.id = l.video_id
                   where l.model_id = m.id and v.visible) as "total_videos!",
                  s.viewed, s.subscribers, s.rating as "rating!"
           from models m join model_stats s on s.model_id = m.id
           where m.dir = $1"#,
        dir
    )
    .fetch_optional(pool)
    .await?)
}
