//! `lantern reindex`: rebuilds search indexes.

use std::{
    str::FromStr,
    sync::{Arc, Mutex},
    time::Duration,
};

use anyhow::bail;
use clap::Args;
use lantern_catalog::queue;
use lantern_config::Config;
use lantern_index::IndexName;
use lantern_indexer::{
    Indexer, Step,
    requests::{Request, Work},
};

use crate::{
    progress::{Progress, say},
    stack::{self, Data, running_database},
};

/// Interval at which the progress of a rebuild in another process is checked.
const POLL_EVERY: Duration = Duration::from_millis(300);

/// Rebuild indexes as shadow indexes and swap them in.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern reindex\n  lantern reindex --index videos")]
pub struct ReindexArgs {
    /// Only this index: videos, albums, models, categories, playlists, members, suggestions or charts.
    #[arg(long, value_parser = IndexName::from_str)]
    index: Option<IndexName>,
}

/// Rebuilds indexes or resumes an interrupted rebuild. If a Lantern is running, it does so on request.
pub async fn run(config: Config, args: ReindexArgs) -> anyhow::Result<()> {
    match Data::open_if_free(&config.data_dir)? {
        Some(data) => run_here(config, &data, args.index).await,
        None => request(&config, &stack::running_consumer(&config)?, args.index).await,
    }
}

async fn run_here(config: Config, data: &Data, index: Option<IndexName>) -> anyhow::Result<()> {
    let config = Arc::new(config);
    stack::with_indexer(&config, data, async |indexer| {
        if let Some(consumer) = stack::written_elsewhere(indexer).await? {
            return request(&config, &consumer, index).await;
        }
        let wanted = index.map_or_else(|| IndexName::ALL.to_vec(), |index| vec![index]);
        if index.is_some() && indexer.needs_rebuild().await? {
            bail!("the indexes are incomplete or their settings changed; run `lantern reindex` without --index");
        }
        with_progress(indexer, &wanted).await?;
        indexer.drain().await?;
        Ok(indexer.resign().await?)
    })
    .await
}

/// Requests a rebuild from the Lantern that writes the consumer's indexes, and shows the progress.
async fn request(config: &Config, consumer: &str, index: Option<IndexName>) -> anyhow::Result<()> {
    let pool = lantern_catalog::connect(&running_database(config)?, 1).await?;
    let mut conn = pool.acquire().await?;
    let request = Request { index: index.map(|index| index.uid().to_owned()), ..Request::default() };
    let id = queue::enqueue(&mut conn, &Work::Rebuild.kind(consumer), &serde_json::to_value(request)?).await?;
    let mut shown: Option<(String, Progress, u64)> = None;
    loop {
        tokio::time::sleep(POLL_EVERY).await;
        let Some(job) = queue::get(&mut conn, id).await? else { bail!("the request is missing from the jobs table") };
        let at: Request = serde_json::from_value(job.payload)?;
        if let Some(filling) = at.filling {
            if shown.as_ref().is_none_or(|(uid, ..)| *uid != filling) {
                if let Some((_, progress, done)) = shown.take() {
                    progress.done(&format!("{done} documents"));
                }
                shown = Some((filling.clone(), Progress::new(&format!("Index {filling}")), 0));
            }
            if let Some((_, progress, done)) = &mut shown {
                progress.at(at.done, at.total);
                // Polling may miss the report about the last batch.
                *done = at.total;
            }
        }
        match job.state.as_str() {
            "done" => break,
            "failed" => bail!("{}", job.last_error.unwrap_or_default()),
            _ => {}
        }
    }
    if let Some((_, progress, done)) = shown {
        progress.done(&format!("{done} documents"));
    }
    say("The new indexes are live.");
    Ok(())
}

/// Rebuilds the indexes, with one progress step for each.
pub async fn with_progress(indexer: &Indexer, indexes: &[IndexName]) -> anyhow::Result<()> {
    let current: Mutex<Option<(IndexName, Progress, u64)>> = Mutex::new(None);
    let end = |step: Option<(IndexName, Progress, u64)>| {
        if let Some((_, progress, done)) = step {
            progress.done(&format!("{done} documents"));
        }
    };
    let report = |step: Step| {
        let Ok(mut current) = current.lock() else { return };
        if current.as_ref().is_none_or(|(index, ..)| *index != step.index) {
            end(current.take());
            *current = Some((step.index, Progress::new(&format!("Index {}", step.index.uid())), 0));
        }
        if let Some((_, progress, done)) = current.as_mut() {
            progress.at(step.done, step.total);
            *done = step.done;
        }
    };
    indexer.rebuild(indexes, &report).await?;
    if let Ok(mut current) = current.lock() {
        end(current.take());
    }
    Ok(())
}
