//! Measures the delay from commit to search. Titles get a word that is unique to this run and searched for continuously.

use std::{
    collections::HashMap,
    sync::Mutex,
    time::{Duration, Instant},
};

use anyhow::ensure;
use lantern_index::SearchClient;
use meilisearch_sdk::search::Selectors;
use serde_json::Value;

use crate::load::{histogram, micros, quantile};

/// Interval between searches.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// If no change is newly found for this long, the missing changes count as lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// What to measure.
#[derive(Debug)]
pub struct ChangesOptions {
    /// Changes per second.
    pub rate: u32,
    /// Search word that occurs nowhere else.
    pub word: String,
    /// Videos to change, one after another.
    pub videos: Vec<i64>,
}

/// Measures the time from each commit to the search that finds the change. `change` adds the word to a video's title and commits.
///
/// # Errors
/// If a change fails or isn't found within a minute, or the engine doesn't respond.
pub async fn run(
    client: &SearchClient,
    options: &ChangesOptions,
    change: impl AsyncFn(i64) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let committed = Mutex::new(HashMap::new());
    let began = Instant::now();
    let (took, times) =
        tokio::try_join!(changes(options, &committed, began, change), search_all(client, options, &committed))?;
    Ok(format!(
        "{} changes, {:.0}/s, found after: p50 {:.0} ms, p90 {:.0}, p99 {:.0}, worst {:.0}\n",
        options.videos.len(),
        options.videos.len() as f64 / took.as_secs_f64(),
        quantile(&times, 0.5),
        quantile(&times, 0.9),
        quantile(&times, 0.99),
        quantile(&times, 1.0),
    ))
}

/// Waits until no title contains the word, so that restored titles are indexed and the next run finds the engine idle.
///
/// # Errors
/// If that takes more than a minute or the engine doesn't respond.
pub async fn wait_for_none(client: &SearchClient, word: &str) -> anyhow::Result<()> {
    let began = Instant::now();
    let index = client.index("videos");
    while !index.search().with_query(word).with_limit(1).execute::<Value>().await?.hits.is_empty() {
        ensure!(began.elapsed() < PATIENCE, "restored titles are not indexed after a minute");
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

type CommitTimes = Mutex<HashMap<i64, Instant>>;

/// Makes the changes and returns how long that took.
async fn changes(
    options: &ChangesOptions,
    committed: &CommitTimes,
    began: Instant,
    change: impl AsyncFn(i64) -> anyhow::Result<()>,
) -> anyhow::Result<Duration> {
    let mut due = tokio::time::interval(Duration::from_secs(1) / options.rate);
    for video in &options.videos {
        due.tick().await;
        change(*video).await?;
        lock(committed).insert(*video, Instant::now());
    }
    Ok(began.elapsed())
}

/// Searches until all changes are found.
async fn search_all(
    client: &SearchClient,
    options: &ChangesOptions,
    committed: &CommitTimes,
) -> anyhow::Result<hdrhistogram::Histogram<u64>> {
    let (mut times, mut found) = (histogram()?, 0);
    let mut moved = Instant::now();
    while found < options.videos.len() {
        let new = search_new(client, options, committed).await?;
        if !new.is_empty() {
            moved = Instant::now();
        }
        found += new.len();
        new.into_iter().for_each(|time| times.saturating_record(time));
        ensure!(moved.elapsed() < PATIENCE, "only {found} of {} changes were found", options.videos.len());
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(times)
}

/// Returns the microseconds since commit of newly found changes. Searches only for those not found yet, so that the search itself
/// stays fast.
async fn search_new(
    client: &SearchClient,
    options: &ChangesOptions,
    committed: &CommitTimes,
) -> anyhow::Result<Vec<u64>> {
    let ids = lock(committed).keys().map(i64::to_string).collect::<Vec<_>>();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let (index, filter) = (client.index("videos"), format!("id IN [{}]", ids.join(",")));
    let mut query = index.search();
    query
        .with_query(&options.word)
        .with_filter(&filter)
        .with_limit(ids.len())
        .with_attributes_to_retrieve(Selectors::Some(&["id"]));
    let hits = query.execute::<Value>().await?.hits;
    let mut committed = lock(committed);
    let ids = hits.iter().filter_map(|hit| hit.result["id"].as_i64());
    Ok(ids.filter_map(|id| committed.remove(&id)).map(micros).collect())
}

/// Locks the map. A poisoned lock is ignored, because no holder can panic.
fn lock(committed: &CommitTimes) -> std::sync::MutexGuard<'_, HashMap<i64, Instant>> {
    committed.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
