//! `lantern verify`: compares the indexes with the catalog.

use std::{sync::Arc, time::Duration};

use anyhow::bail;
use clap::Args;
use lantern_catalog::queue;
use lantern_config::Config;
use lantern_index::IndexName;
use lantern_indexer::{
    Findings,
    requests::{Comparison, Work},
};

use crate::{
    commands::reindex,
    progress::say,
    stack::{self, Data, running_database},
};

/// Interval at which the progress of a comparison in another process is checked.
const POLL_EVERY: Duration = Duration::from_millis(300);

/// Check the index files, and compare every document with the catalog.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  lantern verify\n  lantern verify --repair")]
pub struct VerifyArgs {
    /// Fix missing, different and surplus documents, and rebuild damaged indexes.
    #[arg(long)]
    repair: bool,
}

/// Prints one line per index. Fails if something differs and was not repaired. If a Lantern is running, it does the
/// comparison on request.
pub async fn run(config: Config, args: VerifyArgs) -> anyhow::Result<()> {
    let config = Arc::new(config);
    let wrong = match Data::open_if_free(&config.data_dir)? {
        Some(data) => run_here(&config, &data, args.repair).await?,
        None => request(&config, &stack::running_consumer(&config)?, args.repair).await?,
    };
    if wrong > 0 && !args.repair {
        bail!("{wrong} documents or indexes differ; run `lantern verify --repair`");
    }
    Ok(())
}

async fn run_here(config: &Arc<Config>, data: &Data, repair: bool) -> anyhow::Result<u64> {
    stack::with_indexer(config, data, async |indexer| {
        if let Some(consumer) = stack::written_elsewhere(indexer).await? {
            return request(config, &consumer, repair).await;
        }
        indexer.drain().await?;
        let damaged = indexer.damaged().await?;
        let mut wrong = print_damaged(&damaged);
        let is_damaged = |index: &IndexName| damaged.iter().any(|(uid, _)| uid == index.uid());
        if repair {
            let lost: Vec<IndexName> = IndexName::ALL.into_iter().filter(is_damaged).collect();
            if !lost.is_empty() {
                reindex::with_progress(indexer, &lost).await?;
            }
        }
        for index in IndexName::ALL.into_iter().filter(|index| repair || !is_damaged(index)) {
            wrong += print(index.uid(), &indexer.verify(index, repair).await?);
        }
        indexer.resign().await?;
        Ok(wrong)
    })
    .await
}

/// Requests a comparison from the Lantern that writes the consumer's indexes.
async fn request(config: &Config, consumer: &str, repair: bool) -> anyhow::Result<u64> {
    let pool = lantern_catalog::connect(&running_database(config)?, 1).await?;
    let mut conn = pool.acquire().await?;
    let request = Comparison { repair, ..Comparison::default() };
    let id = queue::enqueue(&mut conn, &Work::Verify.kind(consumer), &serde_json::to_value(request)?).await?;
    let (mut printed, mut wrong, mut damaged) = (0, 0, 0);
    loop {
        tokio::time::sleep(POLL_EVERY).await;
        let Some(job) = queue::get(&mut conn, id).await? else { bail!("the request is missing from the jobs table") };
        let comparison: Comparison = serde_json::from_value(job.payload)?;
        if !comparison.damaged.is_empty() && damaged == 0 {
            damaged = print_damaged(&comparison.damaged);
            wrong += damaged;
        }
        for (uid, found) in comparison.found.iter().skip(printed) {
            wrong += print(uid, found);
            printed += 1;
        }
        match job.state.as_str() {
            "done" => return Ok(wrong),
            "failed" => bail!("{}", job.last_error.unwrap_or_default()),
            _ => {}
        }
    }
}

/// Prints the damaged indexes. Returns their number.
fn print_damaged(damaged: &[(String, String)]) -> u64 {
    for (uid, reason) in damaged {
        say(&format!("{uid:<12} damaged: {reason}; a running Lantern quarantines and rebuilds it"));
    }
    damaged.len() as u64
}

/// Prints the findings. Returns the number of wrong documents.
fn print(uid: &str, found: &Findings) -> u64 {
    say(&format!(
        "{uid:<12} {:>9} documents, {} missing, {} different, {} surplus",
        found.checked, found.missing, found.different, found.surplus
    ));
    found.missing + found.different + found.surplus
}
