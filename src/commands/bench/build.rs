//! Full index build by the indexer, compared with the bare engine and a Meilisearch server on the same documents.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use anyhow::ensure;
use lantern_benches::{
    anonymous,
    build::{Column, Documents, table},
};
use lantern_config::{Config, DataDir};
use lantern_index::{IndexName, SearchClient};
use lantern_indexer::{Indexer, Step};

use crate::stack::{Data, Database, Search};

/// Interval at which the memory use is sampled.
const SAMPLE_EVERY: Duration = Duration::from_millis(200);
const MIB: f64 = (1 << 20) as f64;

/// Rebuilds the indexes of the data folder, then builds the same ones in a temporary folder and finally in `server`,
/// which must be empty.
pub async fn run(config: Config, server: Option<&SearchClient>) -> anyhow::Result<String> {
    ensure!(config.search.url.is_empty(), "a Meilisearch server is configured instead of the embedded engine");
    let config = Arc::new(config);
    let data = Data::open(&config.data_dir)?;
    let folder = tempfile::tempdir_in(&config.data_dir)?;
    let (own, documents, memory) = by_indexer(&config, &data, folder.path()).await?;
    let mut columns = vec![Column { name: "Lantern", times: own }];
    let bare = Search::open(&config, &DataDir::new(folder.path())).await?;
    let times = documents.fill(&bare.client, &config).await;
    bare.close().await;
    columns.push(Column { name: "bare engine", times: times? });
    if let Some(server) = server {
        columns.push(Column { name: "Meilisearch", times: documents.fill(server, &config).await? });
    }
    let disk = folder_bytes(&data.dir.index())? as f64 / MIB;
    Ok(format!("{}{disk:.0} MiB on disk; {memory}\n", table(&documents.counts(), &columns)?))
}

/// Returns the build time of each index, the documents, and a line about the memory used.
async fn by_indexer(
    config: &Arc<Config>,
    data: &Data,
    folder: &Path,
) -> anyhow::Result<(Vec<Duration>, Documents, String)> {
    let database = Database::open(config, &data.dir).await?;
    let search = Search::open(config, &data.dir).await?;
    let built = async {
        let indexer = Indexer::new(database.pool.clone(), search.client.clone(), config.clone(), &data.dir.sled())?;
        // A resumed build would not be measured completely.
        indexer.checkpoints().forget()?;
        let before = anonymous()?;
        let (times, most) = with_peak_memory(timed(&indexer)).await?;
        let after = anonymous()?;
        indexer.drain().await?;
        indexer.resign().await?;
        let [before, most, after] = [before, most, after].map(|bytes| bytes as f64 / MIB);
        let memory = format!("{before:.0} MiB of memory before, {most:.0} at most, {after:.0} after");
        Ok((times, Documents::read(&search.client, config, folder).await?, memory))
    }
    .await;
    search.close().await;
    database.close().await?;
    built
}

/// Measures the build time of each index. The time for the swap is included in the last one.
async fn timed(indexer: &Indexer) -> anyhow::Result<Vec<Duration>> {
    let starts: Mutex<Vec<(IndexName, Instant)>> = Mutex::default();
    let report = |Step { index, .. }: Step| {
        if let Ok(mut starts) = starts.lock()
            && starts.last().is_none_or(|(last, _)| *last != index)
        {
            starts.push((index, Instant::now()));
        }
    };
    indexer.rebuild(&IndexName::ALL, &report).await?;
    let starts = starts.into_inner().unwrap_or_default();
    let ends = starts.iter().skip(1).map(|(_, next)| *next).chain([Instant::now()]);
    Ok(starts.iter().zip(ends).map(|((_, start), end)| end - *start).collect())
}

/// Returns the result of `work` and its peak memory in bytes.
async fn with_peak_memory<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<(T, u64)> {
    let (mut work, mut most) = (std::pin::pin!(work), 0);
    loop {
        most = anonymous()?.max(most);
        tokio::select! {
            done = &mut work => return Ok((done?, most)),
            () = tokio::time::sleep(SAMPLE_EVERY) => {}
        }
    }
}

/// Returns the total size of all files below a folder in bytes.
fn folder_bytes(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let meta = entry.metadata()?;
        bytes += if meta.is_dir() { folder_bytes(&entry.path())? } else { meta.len() };
    }
    Ok(bytes)
}
