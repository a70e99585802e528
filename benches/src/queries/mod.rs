//! Measures search by queries that no author has chosen. A rule draws the queries from titles and judges the results by their titles. The
//! seed is random, so that the search can't be tuned to the queries.

mod draw;
mod function_words;
mod judge;
mod pool;
mod query;
mod report;
mod score;
mod slips;
mod words;

use anyhow::ensure;
use futures_util::{StreamExt, TryStreamExt, stream};
use lantern_catalog::words::Title;
use lantern_config::Lang;
use serde::Deserialize;

use self::{
    judge::Judge,
    pool::Pool,
    query::DrawnQuery,
    report::{Outcome, report},
};
use crate::{SiteUnderTest, mix::encode};

/// Number of results requested per query. It is several times the number that count, because results without a title in the language of
/// the words are skipped.
const RESULTS: usize = 60;
/// Concurrent requests.
const AT_ONCE: usize = 4;

/// What to search for.
#[derive(Debug, Clone)]
pub struct QueriesOptions {
    /// URL of a running Lantern on this machine.
    pub url: String,
    /// Maximum number of queries per class and language.
    pub per_class: usize,
    /// Seed for drawing queries.
    pub seed: u64,
    /// Number of queries to list, the worst first.
    pub list: usize,
}

/// First page of results, as the visitor sees it.
#[derive(Debug, Deserialize)]
struct Shown {
    videos: Vec<ShownVideo>,
    total_count: u64,
    /// What was dropped from the query, or replaced in it.
    #[serde(default)]
    relaxed: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct ShownVideo {
    video_id: i64,
    title: String,
}

impl Shown {
    /// Whether nothing matches, however the search is relaxed. Then the site shows popular videos.
    fn is_zero_hit(&self) -> bool {
        self.videos.is_empty() || self.relaxed.iter().any(|part| part == "popular")
    }
}

/// Draws queries from the titles, searches for them, and reports the scores by class and language.
///
/// `read` returns the next titles of visible videos whose ids are above a number, ordered by id and complete for each video, and none at
/// the end. It is called twice for each part of the catalog: first to draw queries, and then to judge the results.
///
/// # Errors
/// If the URL is not on loopback, the catalog can't be read or has no titles, or the site doesn't respond with a page of videos.
pub async fn run(
    options: &QueriesOptions,
    read: impl AsyncFn(i64) -> anyhow::Result<Vec<Title>>,
) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let mut pool = Pool::new(options.seed);
    for_each_video(&read, |_, titles| pool.add(titles)).await?;
    let queries = draw::draw(&pool, options.per_class, options.seed);
    ensure!(!queries.is_empty(), "the site has no titles to draw queries from; run `lantern seed` first");
    let shown: Vec<Shown> =
        stream::iter(&queries).map(|query| search(&site, query)).buffered(AT_ONCE).try_collect().await?;
    let ids: Vec<Vec<i64>> =
        shown.iter().map(|shown| shown.videos.iter().map(|video| video.video_id).collect()).collect();
    let mut judge = Judge::new(&queries, &ids);
    for_each_video(&read, |id, titles| judge.see(id, titles)).await?;
    let verdicts = judge.finish();
    let outcomes: Vec<Outcome> = queries
        .into_iter()
        .zip(shown)
        .zip(verdicts)
        .filter_map(|((query, shown), verdict)| Outcome::new(query, shown, verdict))
        .collect();
    let report = report(&outcomes, options.list, options.seed)?;
    Ok(format!("seed {}: {} queries from {} titles\n\n{report}", options.seed, outcomes.len(), pool.seen()))
}

/// Calls `act` with the id and the titles of each video.
async fn for_each_video(
    read: impl AsyncFn(i64) -> anyhow::Result<Vec<Title>>,
    mut act: impl FnMut(i64, &[(Lang, &str)]),
) -> anyhow::Result<()> {
    let mut last = 0;
    loop {
        let titles = read(last).await?;
        let Some(end) = titles.last() else { return Ok(()) };
        last = end.id;
        for video in titles.chunk_by(|a, b| a.id == b.id) {
            let of_video: Vec<(Lang, &str)> = video.iter().filter_map(in_known_language).collect();
            act(video[0].id, &of_video);
        }
    }
}

fn in_known_language(title: &Title) -> Option<(Lang, &str)> {
    Some((title.lang.parse().ok()?, title.title.as_str()))
}

async fn search(site: &SiteUnderTest, query: &DrawnQuery) -> anyhow::Result<Shown> {
    let DrawnQuery { text, visitor, .. } = query;
    let path = format!(
        "/api/videos2.php?params=86400/str/relevance/{RESULTS}/search..1.all.all.all&s={}&lang={visitor}",
        encode(text)
    );
    Ok(serde_json::from_value(site.json(&path).await?)?)
}
