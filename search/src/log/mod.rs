//! Counts searches and clicks in the background, through a bounded queue and one writing task.
//!
//! If the catalog can't keep up, entries are dropped and the dropped entries are counted. A search never waits for its
//! log.
//!
//! A query counts once per day for each visitor ([`Today`]) who may be a person (`Searcher` in `api`). Only queries that
//! consist of plain words are counted.

mod today;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::Context;
use lantern_catalog::{
    search_clicks::{self, Click},
    search_log::{self, LoggedSearch},
    tasks::Task,
};
use lantern_config::{Lang, SearchLog as Settings};
use lantern_errors::{ApiError, ApiResult};
use lantern_index::text::{self, TermList};
use lantern_ratelimit::ClientKey;
use sqlx::PgPool;
use tokio::sync::{mpsc, oneshot};

use self::today::Today;

/// Capacity of the queue. It holds several seconds of searches at the highest rate that a node can answer.
const QUEUE: usize = 4096;
/// Maximum number of entries per write.
const BATCH: usize = 500;
/// Pause between two writes, so that many searches share a transaction.
const PAUSE: Duration = Duration::from_millis(250);

/// A search and its result.
#[derive(Debug, Clone, Copy)]
pub struct SearchEntry<'a> {
    /// Query as typed.
    pub query: &'a str,
    /// Language it was typed in.
    pub lang: Lang,
    /// Number of videos that match the whole search.
    pub hits: usize,
    /// Relaxations that found something instead, or empty if none was needed.
    pub rescued_by: &'a [&'static str],
}

/// A video opened from the results of a search.
#[derive(Debug, Clone, Copy)]
pub struct ClickEntry<'a> {
    /// Query as typed.
    pub query: &'a str,
    /// Language it was typed in.
    pub lang: Lang,
    /// The video.
    pub video_id: i64,
    /// Position in the results, starting at 1.
    pub place: u32,
}

enum LogMessage {
    Entry(LoggedSearch),
    Click(Click),
    /// Is notified once all earlier messages have been written.
    Flush(oneshot::Sender<()>),
}

/// Queue of searches and clicks to be counted.
pub struct SearchLog {
    pool: PgPool,
    settings: Settings,
    queue: mpsc::Sender<LogMessage>,
    dropped: Arc<AtomicU64>,
    prohibited: TermList,
    today: Today,
    clicked: Today,
}

impl SearchLog {
    /// Returns the log and its writing task, which ends when the log is dropped.
    pub fn new(
        pool: PgPool,
        settings: &Settings,
        prohibited: TermList,
        now: fn() -> i64,
    ) -> anyhow::Result<(Self, Task)> {
        let (queue, messages) = mpsc::channel(QUEUE);
        let dropped = Arc::new(AtomicU64::new(0));
        let (today, clicked) = (Today::new(settings, now)?, Today::new(settings, now)?);
        let settings = settings.clone();
        let writer = LogWriter { pool: pool.clone(), dropped: Arc::clone(&dropped) };
        let task = Task::new("search log", writer, messages, |writer, messages| Box::pin(writer.run(messages)));
        Ok((Self { pool, settings, queue, dropped, prohibited, today, clicked }, task))
    }

    /// Counts a search if it is the visitor's first search for this query today and consists of plain words without a
    /// prohibited term.
    pub fn record(&self, visitor: &ClientKey, searched: SearchEntry<'_>) {
        let Some(query) = search_log::normal(searched.query).filter(|query| is_plain(query)) else { return };
        if self.prohibited.found_in(searched.query) {
            return;
        }
        if !first_or_log(self.today.is_first(visitor, &query)) {
            return;
        }
        let entry = LoggedSearch {
            query,
            lang: searched.lang,
            hits: i32::try_from(searched.hits).unwrap_or(i32::MAX),
            rescued_by: (!searched.rescued_by.is_empty()).then(|| searched.rescued_by.join(",")),
        };
        self.send(LogMessage::Entry(entry));
    }

    /// Counts a click if it is today's first click from the visitor's network on this video after this search. A
    /// network counts as one visitor, however many addresses it has, because clicks change the order that others see.
    pub fn record_click(&self, visitor: &ClientKey, clicked: ClickEntry<'_>) {
        let ClickEntry { query, lang, video_id, place } = clicked;
        let Some(query) = search_log::normal(query).filter(|query| is_plain(query)) else { return };
        let pair = format!("{lang} {video_id} {query}");
        if self.prohibited.found_in(&query) || !first_or_log(self.clicked.is_first(&visitor.network(), &pair)) {
            return;
        }
        let place = i32::try_from(place).unwrap_or(i32::MAX);
        self.send(LogMessage::Click(Click { query, lang, video_id, place }));
    }

    fn send(&self, message: LogMessage) {
        if self.queue.try_send(message).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Deletes the counts of rare searches and of expired days.
    pub async fn forget(&self) -> ApiResult<()> {
        let Settings { min_count, retention_days, .. } = self.settings;
        search_log::forget(&self.pool, min_count, retention_days).await?;
        search_clicks::forget(&self.pool, min_count, retention_days).await?;
        Ok(())
    }

    /// Forgets the visitors of a day that has ended.
    pub fn forget_visitors(&self) -> ApiResult<()> {
        self.today.forget().and_then(|()| self.clicked.forget()).map_err(ApiError::internal)
    }

    /// Waits until everything recorded so far has been written.
    ///
    /// # Errors
    /// Fails if the writing task has panicked.
    pub async fn flush(&self) -> anyhow::Result<()> {
        let (done, written) = oneshot::channel();
        self.queue.send(LogMessage::Flush(done)).await.context("the writing task of the search log has ended")?;
        written.await.context("the writing task of the search log has ended")
    }
}

/// Returns whether it was the first one. On an error, logs it and returns `false`.
fn first_or_log(first: Result<bool, impl std::fmt::Display>) -> bool {
    first.unwrap_or_else(|error| {
        tracing::error!(%error, "failed to count a search");
        false
    })
}

/// Whether the query contains neither quotes nor exclusions.
fn is_plain(query: &str) -> bool {
    !query.contains('"') && text::wanted(query) == query
}

struct LogWriter {
    pool: PgPool,
    dropped: Arc<AtomicU64>,
}

impl LogWriter {
    async fn run(&self, messages: &mut mpsc::Receiver<LogMessage>) {
        let mut batch = Vec::with_capacity(BATCH);
        while messages.recv_many(&mut batch, BATCH).await > 0 {
            if !self.write(&mut batch).await {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Writes a batch. Returns whether a caller of `flush` was waiting for it.
    async fn write(&self, batch: &mut Vec<LogMessage>) -> bool {
        let (mut entries, mut clicks, mut waiting) = (Vec::with_capacity(batch.len()), Vec::new(), Vec::new());
        for message in batch.drain(..) {
            match message {
                LogMessage::Entry(entry) => entries.push(entry),
                LogMessage::Click(click) => clicks.push(click),
                LogMessage::Flush(done) => waiting.push(done),
            }
        }
        if !entries.is_empty()
            && let Err(error) = search_log::record(&self.pool, &entries).await
        {
            tracing::warn!(%error, entries = entries.len(), "failed to record searches");
        }
        if !clicks.is_empty()
            && let Err(error) = search_clicks::record(&self.pool, &clicks).await
        {
            tracing::warn!(%error, clicks = clicks.len(), "failed to record search clicks");
        }
        let lost = self.dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(entries = lost, "search log queue was full, entries dropped");
        }
        let urgent = !waiting.is_empty();
        for done in waiting {
            // The caller may have stopped waiting.
            let _ = done.send(());
        }
        urgent
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn plain_queries_have_no_operators() {
        for query in ["night market", "sci-fi", "a - b", "温泉 旅行", "don't", "rock & roll"] {
            assert!(is_plain(query), "{query}");
        }
        for query in ["tea -green", "tea −green", "-green", "\"night market\"", "night \"market", "tea -\"a b\" cup"]
        {
            assert!(!is_plain(query), "{query}");
        }
    }
}
