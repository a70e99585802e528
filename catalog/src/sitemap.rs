//! Sitemap data: the pages open to guests. They are read by key range, so that no result grows with the catalog.

use sqlx::PgPool;
use time::OffsetDateTime;

use crate::Result;

#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of videos and video_stats, documented in the migrations")]
pub struct SitemapVideo {
    pub id: i64,
    pub dir: String,
    pub title: String,
    pub description: String,
    pub duration: i32,
    pub media_key: Option<String>,
    pub has_film: bool,
    pub ex_tube: Option<String>,
    pub ex_id: Option<String>,
    pub post_date: OffsetDateTime,
    pub viewed: i64,
    pub rating: f32,
    pub models: Vec<String>,
}

/// A model with visible videos.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "the columns of models, documented in the migrations")]
pub struct SitemapModel {
    pub id: i64,
    pub dir: String,
    pub picture_key: Option<String>,
    /// Publication date of the model's newest video.
    pub modified_at: OffsetDateTime,
}

/// Page of an album, a playlist or a member.
#[derive(Debug, Clone)]
pub struct SitemapPage {
    /// Id of the object.
    pub id: i64,
    /// Path segment of an album. For a member, it names one of the member's pages.
    pub dir: String,
    /// Time of the last modification, if it is known.
    pub modified_at: Option<OffsetDateTime>,
    /// Key of an album's first photo.
    pub picture_key: Option<String>,
}

/// Lists the blocks of `size` ids that contain a visible video. Block 0 has the ids 1 to `size`.
pub async fn video_blocks(pool: &PgPool, size: i64) -> Result<Vec<i64>> {
    let query = sqlx::query_scalar!(
        r#"select n as "n!" from generate_series(0::bigint, coalesce((select max(id) from videos), 0) / $1) n
           where exists (select 1 from videos where visible and id > n * $1 and id <= (n + 1) * $1) order by n"#,
        size
    );
    Ok(query.fetch_all(pool).await?)
}

/// Lists up to `limit` visible videos whose ids are above `after` and at most `last`, by id.
pub async fn videos(pool: &PgPool, after: i64, last: i64, limit: i64) -> Result<Vec<SitemapVideo>> {
    let query = sqlx::query_as!(
        SitemapVideo,
        r#"select v.id, v.dir, v.title, v.description, v.duration, shown_pictures(v.media_key, v.picture_key) as media_key,
                  v.media_key is not null as "has_film!", v.ex_tube, v.ex_id, v.post_date, s.viewed, s.rating as "rating!",
                  array(select model_title(m, v.lang) from video_models l join models m on m.id = l.model_id
                        where l.video_id = v.id order by m.id) as "models!"
           from videos v join video_stats s on s.video_id = v.id
           where v.visible and v.id > $1 and v.id <= $2 order by v.id limit $3"#,
        after,
        last,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// Lists the blocks of `size` ids that contain a model with visible videos.
pub async fn model_blocks(pool: &PgPool, size: i64) -> Result<Vec<i64>> {
    let query = sqlx::query_scalar!(
        r#"select n as "n!" from generate_series(0::bigint, coalesce((select max(id) from models), 0) / $1) n
           where exists (select 1 from video_models l join videos v on v.id = l.video_id
                         where v.visible and l.model_id > n * $1 and l.model_id <= (n + 1) * $1) order by n"#,
        size
    );
    Ok(query.fetch_all(pool).await?)
}

/// Lists up to `limit` models that have visible videos and whose ids are above `after` and at most `last`, by id.
pub async fn models(pool: &PgPool, after: i64, last: i64, limit: i64) -> Result<Vec<SitemapModel>> {
    let query = sqlx::query_as!(
        SitemapModel,
        r#"select m.id, m.dir, m.picture_key, n.post_date as "modified_at!"
           from models m join lateral (select max(v.post_date) as post_date from video_models l join videos v on v.id = l.video_id
                                       where l.model_id = m.id and v.visible) n on n.post_date is not null
           where m.id > $1 and m.id <= $2 order by m.id limit $3"#,
        after,
        last,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// Lists the blocks of `size` ids that contain a page of a kind: `albums`, `playlists` or `members`.
pub async fn page_blocks(pool: &PgPool, kind: &str, size: i64) -> Result<Vec<i64>> {
    let query = sqlx::query_scalar!(
        r#"select n as "n!"
           from generate_series(0::bigint, coalesce((select max(id) from sitemap_pages where kind = $1), 0) / $2) n
           where exists (select 1 from sitemap_pages where kind = $1 and id > n * $2 and id <= (n + 1) * $2) order by n"#,
        kind,
        size
    );
    Ok(query.fetch_all(pool).await?)
}

/// Lists up to `limit` pages of a kind whose ids are above `after` and at most `last`, by id.
pub async fn pages(pool: &PgPool, kind: &str, after: i64, last: i64, limit: i64) -> Result<Vec<SitemapPage>> {
    let query = sqlx::query_as!(
        SitemapPage,
        r#"select id as "id!", dir as "dir!", modified_at, picture_key
           from sitemap_pages where kind = $1 and id > $2 and id <= $3 order by id limit $4"#,
        kind,
        after,
        last,
        limit
    );
    Ok(query.fetch_all(pool).await?)
}

/// Lists the combinations of kind (`videos`, `models`, `albums`, `playlists`) and orientation that aren't empty.
pub async fn orientations(pool: &PgPool) -> Result<Vec<(String, String)>> {
    let query = sqlx::query!(
        r#"select t.kind as "kind!", g.gender as "gender!"
           from (values ('str'), ('she'), ('gay')) g(gender) cross join lateral (values
             ('videos', exists (select 1 from videos where visible and gender = g.gender)),
             ('models', exists (select 1 from models where gender = g.gender)),
             ('albums', exists (select 1 from albums where visible and gender = g.gender)),
             ('playlists', exists (select 1 from playlists p join users u on u.id = p.user_id
                                   where p.visibility = 'public' and u.status_id <> banned() and p.orientation = g.gender))
           ) t(kind, there) where t.there"#
    );
    let rows = query.fetch_all(pool).await?;
    Ok(rows.into_iter().map(|row| (row.kind, row.gender)).collect())
}

/// Lists the dirs of the categories that have visible videos of an orientation. The page of such a category lists only
/// those videos.
pub async fn categories(pool: &PgPool, gender: &str) -> Result<Vec<String>> {
    let query = sqlx::query_scalar!(
        "select c.dir from categories c where exists (
             select 1 from video_categories l join videos v on v.id = l.video_id
             where l.category_id = c.id and v.visible and v.gender = $1) order by c.position, c.id",
        gender
    );
    Ok(query.fetch_all(pool).await?)
}
