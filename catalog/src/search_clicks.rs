//! What was opened after a search, as sums by day: words, language and video, nothing about who or when.
//!
//! The sums count visitors: the recorder passes what each of them opened after a search once a day.

use lantern_config::Lang;
use sqlx::PgPool;

use crate::{Result, run};

/// A video that was opened after a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// [Normal](crate::search_log::normal).
    pub query: String,
    /// Language it was typed in.
    pub lang: Lang,
    /// What was opened.
    pub video_id: i64,
    /// Where it stood, from 1.
    pub place: i32,
}

/// Adds clicks to the sums of today (UTC) in one statement; videos that aren't there are left out.
pub async fn record(pool: &PgPool, clicks: &[Click]) -> Result<()> {
    let (mut queries, mut langs, mut videos, mut places) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for click in clicks {
        queries.push(click.query.clone());
        langs.push(click.lang.as_str().to_owned());
        videos.push(click.video_id);
        places.push(click.place.max(1));
    }
    // Ordered, so that two nodes writing the same queries queue instead of deadlocking.
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

/// Removes what may not stay: of days that have ended what fewer than `min_count` visitors opened, and everything older than
/// `retention_days`.
pub async fn forget(pool: &PgPool, min_count: i32, retention_days: i32) -> Result<u64> {
    let query = sqlx::query!(
        "delete from search_clicks where day < (now() at time zone 'UTC')::date - $2::integer
            or day < (now() at time zone 'UTC')::date and visitors < $1",
        min_count,
        retention_days
    );
    Ok(query.execute(pool).await?.rows_affected())
}

/// What a search led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedVideo {
    /// Language it was typed in.
    pub lang: String,
    /// Normalised.
    pub query: String,
    /// What was opened.
    pub video_id: i64,
    /// Its title.
    pub title: String,
    /// Visitors who did, each once a day.
    pub visitors: i64,
    /// The sum of the places it stood at.
    pub places: i64,
}

/// Which are wanted.
#[derive(Debug, Clone, Copy)]
pub struct WantedClicks {
    /// Days back, today included; from 1.
    pub days: i32,
    /// Only this language.
    pub lang: Option<Lang>,
    /// Fewest visitors of a day that counts.
    pub min_count: i64,
    /// Rows at most.
    pub limit: i64,
}

/// What most visitors opened, by search, the most first. Days on which fewer than `min_count` did don't count.
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
