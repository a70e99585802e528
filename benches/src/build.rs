//! Measures the duration of a full build in the bare engine and in a Meilisearch server. The documents of the live indexes are read
//! beforehand, and sent in the same batches and with the same settings as by the indexer.

use std::{
    collections::VecDeque,
    fs::File,
    io::Write,
    os::unix::fs::FileExt,
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use futures_util::io::Cursor;
use lantern_config::Config;
use lantern_index::{IndexName, SearchClient, settings};
use meilisearch_sdk::{documents::DocumentsQuery, task_info::TaskInfo, tasks::Task};
use serde_json::value::RawValue;

/// Interval between polls of a task.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Timeout of a task. The largest index takes minutes per batch.
const PATIENCE: Duration = Duration::from_secs(3600);
const JSON: &str = "application/json";

/// Position of a batch of documents in the file.
struct Part {
    at: u64,
    bytes: usize,
    documents: usize,
}

/// Documents of all indexes, in batches of [`Sync::rebuild_batch`](lantern_config::Sync::rebuild_batch).
pub struct Documents {
    file: File,
    parts: Vec<(IndexName, Vec<Part>)>,
}

impl Documents {
    /// Returns the number of documents per index.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        self.parts.iter().map(|(_, parts)| parts.iter().map(|part| part.documents).sum()).collect()
    }

    /// Reads all documents into a file in `folder`.
    ///
    /// # Errors
    /// If the engine doesn't respond or the disk is full.
    pub async fn read(client: &SearchClient, config: &Config, folder: &Path) -> anyhow::Result<Self> {
        let mut file = tempfile::tempfile_in(folder)?;
        let (mut parts, mut at) = (Vec::new(), 0);
        for name in IndexName::ALL {
            let (index, mut of_index) = (client.index(name.uid()), Vec::new());
            let batch = usize::try_from(config.sync.rebuild_batch)?;
            loop {
                let mut query = DocumentsQuery::new(&index);
                query.with_offset(of_index.len() * batch).with_limit(batch);
                let documents = index.get_documents_with::<Box<RawValue>>(&query).await?.results;
                if documents.is_empty() {
                    break;
                }
                let json = serde_json::to_vec(&documents)?;
                file.write_all(&json)?;
                of_index.push(Part { at, bytes: json.len(), documents: documents.len() });
                at += json.len() as u64;
            }
            parts.push((name, of_index));
        }
        Ok(Self { file, parts })
    }

    /// Fills new indexes, compacts each, and returns how long each index took.
    ///
    /// # Errors
    /// If the engine already has one of the indexes, fails a write, or doesn't respond.
    pub async fn fill(&self, client: &SearchClient, config: &Config) -> anyhow::Result<Vec<Duration>> {
        let mut times = Vec::new();
        for (name, parts) in &self.parts {
            let (index, began) = (client.index(name.uid()), Instant::now());
            finished(client, client.create_index(name.uid(), Some("id")).await?).await?;
            finished(client, index.set_settings(&settings::settings(*name, config)).await?).await?;
            let mut ahead = VecDeque::new();
            for part in parts {
                if ahead.len() >= config.sync.rebuild_ahead
                    && let Some(task) = ahead.pop_front()
                {
                    finished(client, task).await?;
                }
                let body = Cursor::new(self.bytes(part)?);
                ahead.push_back(index.add_or_replace_unchecked_payload(body, JSON, Some("id")).await?);
            }
            for task in ahead {
                finished(client, task).await?;
            }
            finished(client, index.compact().await?).await?;
            times.push(began.elapsed());
        }
        Ok(times)
    }

    fn bytes(&self, part: &Part) -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; part.bytes];
        self.file.read_exact_at(&mut bytes, part.at)?;
        Ok(bytes)
    }
}

async fn finished(client: &SearchClient, task: TaskInfo) -> anyhow::Result<()> {
    let task = client.wait_for_task(task, Some(POLL_INTERVAL), Some(PATIENCE)).await?;
    ensure!(matches!(task, Task::Succeeded { .. }), "a write failed: {task:?}");
    Ok(())
}

/// Build times of one engine.
pub struct Column {
    /// Column header.
    pub name: &'static str,
    /// Time per index, in index order.
    pub times: Vec<Duration>,
}

/// Formats the times in seconds, with one line for each index and one for the total, and the ratio of each column to the first.
///
/// # Errors
/// If a column lacks the time of an index.
pub fn table(documents: &[usize], columns: &[Column]) -> anyhow::Result<String> {
    let mut lines = vec![format!("{:<14} {:>10}", "seconds", "documents")];
    for column in columns {
        lines[0].push_str(&format!(" {:>14}", column.name));
    }
    let all = |times: &[Duration]| times.iter().map(Duration::as_secs_f64).sum::<f64>();
    for (at, (name, documents)) in IndexName::ALL.iter().zip(documents).enumerate() {
        let mut line = format!("{:<14} {documents:>10}", name.uid());
        for column in columns {
            let time = column.times.get(at).context("an index was not filled")?;
            line.push_str(&format!(" {:>14.1}", time.as_secs_f64()));
        }
        lines.push(line);
    }
    let mut line = format!("{:<14} {:>10}", "all", documents.iter().sum::<usize>());
    for column in columns {
        line.push_str(&format!(" {:>14.1}", all(&column.times)));
    }
    lines.push(line);
    if let Some((first, others)) = columns.split_first() {
        for other in others {
            let share = all(&other.times) / all(&first.times);
            lines.push(format!("{} takes {share:.2}x the time of {}", other.name, first.name));
        }
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}
