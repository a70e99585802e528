//! What a full build takes of the bare engine and of a Meilisearch server: the documents of the live indexes, read beforehand, given
//! in the parts and with the settings that the indexer gives.

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

/// Between two looks at a task.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Until a task is given up: the largest writes a part of an index for minutes.
const PATIENCE: Duration = Duration::from_secs(3600);
const JSON: &str = "application/json";

/// Where a part of the documents is in the file.
struct Part {
    at: u64,
    bytes: usize,
    documents: usize,
}

/// The documents of all indexes, in parts of [`Sync::rebuild_batch`](lantern_config::Sync::rebuild_batch).
pub struct Documents {
    file: File,
    parts: Vec<(IndexName, Vec<Part>)>,
}

impl Documents {
    /// How many each index has.
    #[must_use]
    pub fn counts(&self) -> Vec<usize> {
        self.parts.iter().map(|(_, parts)| parts.iter().map(|part| part.documents).sum()).collect()
    }

    /// Reads them into a file of `folder`.
    ///
    /// # Errors
    /// The engine doesn't answer, the disk is full.
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

    /// Fills new indexes with them, each into full pages at its end, and answers how long each took.
    ///
    /// # Errors
    /// The engine has one of the indexes, refuses a write, or doesn't answer.
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

/// What filled indexes, and how long each took.
pub struct Column {
    /// Its head.
    pub name: &'static str,
    /// Times of the indexes, in their order.
    pub times: Vec<Duration>,
}

/// A line for each index and one for all, seconds; the first column's share of each of the others.
///
/// # Errors
/// A column has no time for an index.
pub fn table(documents: &[usize], columns: &[Column]) -> anyhow::Result<String> {
    let mut lines = vec![format!("{:<14} {:>10}", "seconds", "documents")];
    for column in columns {
        lines[0].push_str(&format!(" {:>14}", column.name));
    }
    let all = |times: &[Duration]| times.iter().map(Duration::as_secs_f64).sum::<f64>();
    for (at, (name, documents)) in IndexName::ALL.iter().zip(documents).enumerate() {
        let mut line = format!("{:<14} {documents:>10}", name.uid());
        for column in columns {
            let time = column.times.get(at).context("an index that wasn't filled")?;
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
            lines.push(format!("{} takes {share:.2} of the time of {}", other.name, first.name));
        }
    }
    lines.push(String::new());
    Ok(lines.join("\n"))
}
