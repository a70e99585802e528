//! How an engine is opened.

use std::path::PathBuf;
use std::time::Duration;

use crate::index::SlotOptions;

/// Folder, sizes and limits of an [`Engine`](crate::Engine). `EngineOptions::new(path)` has defaults fit for production.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Folder of the engine; created when missing, used by one process at a time.
    pub path: PathBuf,
    /// Address space reserved for each index, in bytes; doubled whenever an index fills it. Costs no memory and no disk.
    pub initial_map_size: usize,
    /// Address space reserved for the task queue, in bytes; a hard limit for waiting payloads and history.
    pub queue_map_size: usize,
    /// Memory for facet values decoded of one index, in bytes; fields beyond it are counted from disk. A million videos with sixty
    /// categories and three thousand models take about 30 MiB.
    pub facet_memory: usize,
    /// Concurrent readers of one index.
    pub max_readers: u32,
    /// Threads of the indexer; 0 takes one for each core.
    pub indexing_threads: usize,
    /// Priority of those that index large writes, 0 (niceness 19) to 99 (niceness -20); none leaves them that of the program.
    pub indexing_priority: Option<u8>,
    /// Memory the indexer may use, in bytes. milli needs at least 150 MiB a thread and takes that when less is given.
    pub indexing_memory: usize,
    /// Searches running at once in one index; 0 takes one for each core.
    pub search_concurrency: usize,
    /// Searches that may wait for their turn; one more is refused with 503.
    pub search_queue: usize,
    /// Longest wait for a turn before a search is refused with 503.
    pub search_wait: Duration,
    /// Time a search may take before it answers with what it has; an index's `searchCutoffMs` overrides it.
    pub search_budget: Duration,
    /// Tasks that may wait; one more is refused.
    pub max_waiting_tasks: usize,
    /// Payload bytes that may wait; more are refused.
    pub max_waiting_bytes: usize,
    /// Finished tasks kept as history; the oldest tenth goes when there are more.
    pub max_task_history: usize,
    /// Most tasks written in one transaction.
    pub max_batch_tasks: usize,
    /// Most documents written in one transaction.
    pub max_batch_documents: usize,
    /// Most payload bytes written in one transaction (a single larger payload still is one batch).
    pub max_batch_bytes: usize,
    /// Largest accepted request body, in bytes.
    pub max_body: usize,
    /// Time without writes after which indexes are compacted that consist mostly of free pages.
    pub compact_after: Duration,
    /// Least free space in an index, in bytes, for such a compaction; less is left to grow into.
    pub compact_min_free: u64,
    /// Damaged stores kept aside for a look at them; the oldest go.
    pub quarantine: usize,
    /// How long closing may take to seal stores with checksums. One that isn't sealed in this time is read page by page when it is
    /// opened again.
    pub seal_time: Duration,
    /// Least time between two checks of one index that are made because a request failed.
    pub suspect_pause: Duration,
}

impl EngineOptions {
    /// The defaults, in `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            initial_map_size: 10 << 30,
            queue_map_size: 8 << 30,
            facet_memory: 64 << 20,
            max_readers: 1024,
            indexing_threads: 0,
            indexing_priority: None,
            indexing_memory: 0,
            search_concurrency: 0,
            search_queue: 1000,
            search_wait: Duration::from_secs(2),
            search_budget: Duration::from_millis(1500),
            max_waiting_tasks: 100_000,
            max_waiting_bytes: 2 << 30,
            max_task_history: 50_000,
            max_batch_tasks: 5_000,
            max_batch_documents: 100_000,
            max_batch_bytes: 64 << 20,
            max_body: 100 << 20,
            compact_after: Duration::from_secs(60),
            compact_min_free: 256 << 20,
            quarantine: 3,
            seal_time: Duration::from_secs(3),
            suspect_pause: Duration::from_secs(600),
        }
    }

    pub(crate) fn slots(&self) -> SlotOptions {
        SlotOptions {
            map_size: self.initial_map_size,
            max_readers: self.max_readers,
            facet_memory: self.facet_memory,
            searches: self.searches(),
        }
    }

    /// The number of cores, at least one.
    pub(crate) fn cores() -> usize {
        std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
    }

    pub(crate) fn threads(&self) -> usize {
        match self.indexing_threads {
            0 => Self::cores(),
            n => n,
        }
    }

    pub(crate) fn searches(&self) -> usize {
        match self.search_concurrency {
            0 => Self::cores(),
            n => n,
        }
    }
}
