//! Benchmarks that change the catalog of a running Lantern and measure the latency. They change only demo data.

use std::sync::Mutex;

use anyhow::ensure;
use lantern_benches::{changes, queries, sites, takedown};
use lantern_catalog::{
    moderation::{Actor, uploads},
    seed::{self, marks},
    words,
};
use lantern_config::{Config, Gender};
use lantern_index::Transport;

use crate::{
    progress::{Progress, say},
    stack,
};

/// Number of videos whose titles are read at a time.
const TITLE_BATCH: i64 = 5_000;

/// Takes a video down and measures how long each page still shows it.
pub async fn take_down(config: &Config, options: &takedown::TakedownOptions) -> anyhow::Result<()> {
    stack::with_catalog(config, async |pool| {
        ensure!(seed::is_demo(pool).await?, "this catalog has no demo data; the benchmark doesn't remove real videos");
        let act = async || {
            let id = options.video_id;
            ensure!(uploads::take_down(pool, &Actor::OPERATOR, "video", id, "").await?, "no video {id}");
            Ok(())
        };
        say(takedown::run(options, act).await?.trim_end());
        Ok(())
    })
    .await
}

/// Compares two sites that share a catalog, and prints the progress.
pub async fn compare_sites(options: &sites::SitesOptions) -> anyhow::Result<()> {
    let current: Mutex<Option<(String, Progress)>> = Mutex::new(None);
    let report = |call: &str, done: u64, wanted: u64| {
        let Ok(mut current) = current.lock() else { return };
        if current.as_ref().is_none_or(|(name, _)| name != call) {
            *current = Some((call.to_owned(), Progress::new(call)));
        }
        if let Some((_, step)) = current.as_ref() {
            step.at(done, wanted);
        }
        if done == wanted
            && let Some((_, step)) = current.take()
        {
            step.done(&format!("{wanted} requests to each site"));
        }
    };
    say(sites::run(options, &report).await?.trim_end());
    Ok(())
}

/// Scores queries drawn from the titles of straight videos, which the benchmark searches.
pub async fn score_queries(config: &Config, options: &queries::QueriesOptions) -> anyhow::Result<()> {
    stack::with_catalog(config, async |pool| {
        let read =
            async |after| Ok(words::titles(&mut *pool.acquire().await?, Some(Gender::Str), after, TITLE_BATCH).await?);
        say(queries::run(options, read).await?.trim_end());
        Ok(())
    })
    .await
}

/// Adds a random word to titles, measures how soon it is found, and then removes it.
pub async fn change_titles(config: &Config, rate: u32, changes: u32) -> anyhow::Result<()> {
    let (url, key) = crate::commands::index::running_server(config)?;
    let client = Transport::http(&url, Some(&key))?;
    stack::with_catalog(config, async |pool| {
        ensure!(seed::is_demo(pool).await?, "this catalog has no demo data; the benchmark doesn't change real videos");
        let word = rand::random::<[u8; 16]>().map(|byte| char::from(b'a' + byte % 26)).iter().collect();
        let options = changes::ChangesOptions { rate, word, videos: marks::markable(pool, changes.into()).await? };
        let mark = async |id| Ok(marks::mark(pool, id, &options.word).await?);
        let report = changes::run(&client, &options, mark).await;
        marks::unmark(pool, &options.word).await?;
        say(report?.trim_end());
        changes::wait_for_none(&client, &options.word).await
    })
    .await
}
