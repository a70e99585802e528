//! Searches are recorded behind the answer: a bounded queue and one writing task. When the
//! catalog can't keep up, entries are dropped and counted; a search never waits for its log.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use lantern_catalog::search_log::{self, Entry};
use lantern_config::Lang;
use sqlx::PgPool;
use tokio::sync::mpsc;

/// Searches waiting to be written; some seconds of the fastest a node can answer.
const QUEUE: usize = 4096;
/// Entries written at once.
const BATCH: usize = 500;
/// Between two writes, so that many searches share a transaction.
const PAUSE: Duration = Duration::from_millis(250);

/// The way into the log.
pub struct SearchLog {
    queue: mpsc::Sender<Entry>,
    dropped: Arc<AtomicU64>,
}

impl SearchLog {
    /// Starts the writing task; it ends, with everything written, when this value is dropped.
    #[must_use]
    pub fn start(pool: PgPool) -> Self {
        let (queue, entries) = mpsc::channel(QUEUE);
        let dropped = Arc::new(AtomicU64::new(0));
        tokio::spawn(write(pool, entries, Arc::clone(&dropped)));
        Self { queue, dropped }
    }

    /// Records a search and how many videos it found.
    pub fn record(&self, query: &str, lang: Lang, hits: usize) {
        let entry = Entry { query: query.to_owned(), lang, hits: i32::try_from(hits).unwrap_or(i32::MAX) };
        if self.queue.try_send(entry).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn write(pool: PgPool, mut entries: mpsc::Receiver<Entry>, dropped: Arc<AtomicU64>) {
    let mut batch = Vec::with_capacity(BATCH);
    while entries.recv_many(&mut batch, BATCH).await > 0 {
        if let Err(error) = search_log::record(&pool, &batch).await {
            tracing::warn!(%error, entries = batch.len(), "searches were not recorded");
        }
        let lost = dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            tracing::warn!(entries = lost, "searches came faster than they could be recorded");
        }
        batch.clear();
        tokio::time::sleep(PAUSE).await;
    }
}
