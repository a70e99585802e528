//! Searches are counted behind the answer: a bounded queue and one writing task. When the
//! catalog can't keep up, entries are dropped and counted; a search never waits for its log.
//!
//! What is counted are visitors ([`Today`]) who may be people ([`Searcher`]), and plain words only.

mod today;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use futures_util::future::BoxFuture;
use lantern_catalog::search_log::{self, Entry};
use lantern_config::{Lang, SearchLog as Settings};
use lantern_index::text::{self, TermList};
use lantern_ratelimit::ClientKey;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use self::today::Today;
use crate::http::error::{ApiError, ApiResult};

/// Searches waiting to be written; some seconds of the fastest a node can answer.
const QUEUE: usize = 4096;
/// Entries written at once.
const BATCH: usize = 500;
/// Between two writes, so that many searches share a transaction.
const PAUSE: Duration = Duration::from_millis(250);

/// A search and what came of it.
#[derive(Debug, Clone, Copy)]
pub struct Searched<'a> {
    /// As typed.
    pub query: &'a str,
    /// Language it was typed in.
    pub lang: Lang,
    /// Videos that match the whole search.
    pub hits: usize,
    /// What was given up to find something instead; empty where nothing was.
    pub rescued_by: &'a [&'static str],
}

enum LogMessage {
    Entry(Entry),
    /// Answered once everything before it is written.
    Flush(oneshot::Sender<()>),
}

/// The way into the log.
pub struct SearchLog {
    pool: PgPool,
    settings: Settings,
    queue: mpsc::Sender<LogMessage>,
    dropped: Arc<AtomicU64>,
    prohibited: TermList,
    today: Today,
}

impl SearchLog {
    /// The log and its writing task, which ends when the log is dropped.
    pub fn new(
        pool: PgPool,
        settings: &Settings,
        prohibited: TermList,
        now: fn() -> i64,
    ) -> anyhow::Result<(Self, BoxFuture<'static, ()>)> {
        let (queue, messages) = mpsc::channel(QUEUE);
        let dropped = Arc::new(AtomicU64::new(0));
        let (settings, today) = (settings.clone(), Today::new(settings, now)?);
        let task = write(LogWriter { pool: pool.clone(), dropped: Arc::clone(&dropped) }, messages);
        Ok((Self { pool, settings, queue, dropped, prohibited, today }, Box::pin(task)))
    }

    /// Counts a search: the visitor's first of this today, of plain words without a prohibited term.
    pub fn record(&self, visitor: &ClientKey, searched: Searched<'_>) {
        let Some(query) = search_log::normal(searched.query).filter(|query| is_plain(query)) else { return };
        if self.prohibited.found_in(searched.query) {
            return;
        }
        match self.today.is_first(visitor, &query) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::error!(%error, "a search was not counted");
                return;
            }
        }
        let entry = Entry {
            query,
            lang: searched.lang,
            hits: i32::try_from(searched.hits).unwrap_or(i32::MAX),
            rescued_by: (!searched.rescued_by.is_empty()).then(|| searched.rescued_by.join(",")),
        };
        if self.queue.try_send(LogMessage::Entry(entry)).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Removes counts of rare searches and old days.
    pub async fn forget(&self) -> ApiResult<()> {
        let Settings { min_count, retention_days, .. } = self.settings;
        search_log::forget(&self.pool, min_count, retention_days).await?;
        Ok(())
    }

    /// Forgets who searched on a day that has ended.
    pub fn forget_visitors(&self) -> ApiResult<()> {
        self.today.forget().map_err(ApiError::internal)
    }

    /// Waits until everything recorded so far is written.
    pub async fn flush(&self) {
        let (done, written) = oneshot::channel();
        // The task only ends with this value, so both arrive.
        if self.queue.send(LogMessage::Flush(done)).await.is_ok() && written.await.is_err() {
            tracing::error!("the search log ended before its queue");
        }
    }
}

/// Whether words are all there is: neither quotes nor exclusions.
fn is_plain(query: &str) -> bool {
    !query.contains('"') && text::wanted(query) == query
}

struct LogWriter {
    pool: PgPool,
    dropped: Arc<AtomicU64>,
}

async fn write(writer: LogWriter, mut messages: mpsc::Receiver<LogMessage>) {
    let mut batch = Vec::with_capacity(BATCH);
    while messages.recv_many(&mut batch, BATCH).await > 0 {
        if !writer.write(&mut batch).await {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

impl LogWriter {
    /// Writes a batch. Answers whether somebody waits for more to be written.
    async fn write(&self, batch: &mut Vec<LogMessage>) -> bool {
        let (mut entries, mut waiting) = (Vec::with_capacity(batch.len()), Vec::new());
        for message in batch.drain(..) {
            match message {
                LogMessage::Entry(entry) => entries.push(entry),
                LogMessage::Flush(done) => waiting.push(done),
            }
        }
        if !entries.is_empty()
            && let Err(error) = search_log::record(&self.pool, &entries).await
        {
            tracing::warn!(%error, entries = entries.len(), "searches were not recorded");
        }
        let lost = self.dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(entries = lost, "searches came faster than they could be recorded");
        }
        let urgent = !waiting.is_empty();
        for done in waiting {
            // Who no longer waits needs no answer.
            let _ = done.send(());
        }
        urgent
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn plain_words_have_no_signs_with_a_meaning() {
        for query in ["night market", "sci-fi", "a - b", "温泉 旅行", "don't", "rock & roll"] {
            assert!(is_plain(query), "{query}");
        }
        for query in ["tea -green", "tea −green", "-green", "\"night market\"", "night \"market", "tea -\"a b\" cup"]
        {
            assert!(!is_plain(query), "{query}");
        }
    }
}
