//! Clicks after searches: daily totals by query, language and video. No data about visitors or times is stored.
//!
//! The totals count visitors, because the recorder counts each visitor's click on a video after a search once a day.

use lantern_config::Lang;
use sqlx::PgPool;

use crate::{Result, run};

/// A video opened after a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// [Normalized](crate::search_log::normal) query.
    pub query: String,
    /// Language of the search.
    pub lang: Lang,
    /// The opened video.
    pub video_id: i64,
    /// Position of the video in the results, counted from 1.
    pub place: i32,
}

/// Adds clicks to today's (UTC) totals in one statement. Videos that don't exist are skipped.
pub async fn record(pool: &PgPool, clicks: &[Click]) -> Result<()> {
    let (mut queries, mut langs, mut videos, mut places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for click in clicks {
        queries.push(click.query.clone());
        langs.push(click.lang.as_str().to_owned());
        videos.push(click.video_id);
        places.push(click.place.max(1));
    }
    // The rows are sorted, so that two nodes that write the same rows wait for each other instead of deadlocking.
    let query = sqlx::query!(
        "insert into search_clicks (lang, query, video_id, day, visitors, places)
         select c.lang, c.query, v.id, (now() at time zone 'UTC')::date, count(*), sum(place)
         from unnest($1::text[], $2::text[], $3::bigint[], $4::integer[]) c(query, lang, video_id, place)
         join videos v on v.id = c.video_id and v.visible
         group by c.lang, c.query, v.id order by c.lang, c.query, v.id
         on conflict (lang, query, video_id, day) do update set
            visitors = search_clicks.visitors + excluded.visitors, places = search_clicks.places + excluded.places",
        &queries,
        &langs,
        &videos,
        &places
    );
    run(query, pool).await
}

/// Deletes all totals older than `retention_days`, and the totals of past days with fewer than `min_count` visitors.
pub async fn forget(pool: &PgPool, min_count: i32, retention_days: i32) -> Result<u64> {
    let query = sqlx::query!(
        "delete from search_clicks where day < (now() at time zone 'UTC')::date - $2::integer
            or day < (now() at time zone 'UTC')::date and visitors < $1",
        min_count,
        retention_days
    );
    Ok(query.execute(pool).await?.rows_affected())
}

/// A row of the click report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedVideo {
    /// Language of the search.
    pub lang: String,
    /// The normalized query.
    pub query: String,
    /// The opened video.
    pub video_id: i64,
    /// Title of the video.
    pub title: String,
    /// Number of visitors, each counted once a day.
    pub visitors: i64,
    /// Sum of the video's positions in the results.
    pub places: i64,
}

/// Filter for [`report`].
#[derive(Debug, Clone, Copy)]
pub struct WantedClicks {
    /// Number of days including today, at least 1.
    pub days: i32,
    /// Only searches in this language, if set.
    pub lang: Option<Lang>,
    /// Minimum number of visitors for a day to count.
    pub min_count: i64,
    /// Maximum number of rows.
    pub limit: i64,
}

/// Lists the videos opened by the most visitors after a search, by search. Days with fewer than `min_count` visitors
/// don't count.
pub async fn report(pool: &PgPool, wanted: WantedClicks) -> Result<Vec<OpenedVideo>> {
    let query = sqlx::query_as!(
        OpenedVideo,
        r#"select c.lang, c.query, c.video_id, v.title, sum(c.visitors)::bigint as "visitors!", sum(c.places)::bigint as "places!"
           from search_clicks c join videos v on v.id = c.video_id
           where c.day > (now() at time zone 'UTC')::date - $1::integer and ($2::text is null or c.lang = $2) and c.visitors >= $3::bigint
           group by c.lang, c.query, c.video_id, v.title
           order by sum(c.visitors) desc, c.lang, c.query, c.video_id limit $4"#,
        wanted.days,
        wanted.lang.map(Lang::as_str),
        wanted.min_count,
        wanted.limit
    );
    Ok(query.fetch_all(pool).await?)
}
