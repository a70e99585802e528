//! Options for opening an engine.

use std::path::PathBuf;
use std::time::Duration;

use crate::index::SlotOptions;

/// Folder, sizes and limits of an [`Engine`](crate::Engine). The defaults from `EngineOptions::new(path)` are suitable for production.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// The engine's folder. It is created if it is missing, and only one process at a time can use it.
    pub path: PathBuf,
    /// Address space reserved for each index, in bytes. It is doubled when an index fills it. The reservation uses neither memory nor disk
    /// space.
    pub initial_map_size: usize,
    /// Address space reserved for the task queue, in bytes. This is a hard limit for waiting payloads and history.
    pub queue_map_size: usize,
    /// Memory for decoded facet values per index, in bytes. Fields that don't fit are counted from disk. A million videos with sixty
    /// categories and three thousand models take about 30 MiB.
    pub facet_memory: usize,
    /// Maximum concurrent readers per index.
    pub max_readers: u32,
    /// Number of indexer threads. 0 means one per core.
    pub indexing_threads: usize,
    /// Priority of the threads that index large writes, from 0 (niceness 19) to 99 (niceness -20). `None` means the process's default.
    pub indexing_priority: Option<u8>,
    /// Memory that the indexer may use, in bytes. milli needs at least 150 MiB per thread and uses that much if the limit is lower.
    pub indexing_memory: usize,
    /// Maximum number of concurrent searches per index. 0 means one per core.
    pub search_concurrency: usize,
    /// Maximum number of queued searches. Further searches are refused with status 503.
    pub search_queue: usize,
    /// Maximum time a search waits in the queue before it is refused with status 503.
    pub search_wait: Duration,
    /// Time budget of a search, after which it returns the hits found so far. An index's `searchCutoffMs` overrides it.
    pub search_budget: Duration,
    /// Maximum number of waiting tasks. Further tasks are refused.
    pub max_waiting_tasks: usize,
    /// Maximum total size of waiting payloads, in bytes. Further payloads are refused.
    pub max_waiting_bytes: usize,
    /// Number of finished tasks retained as history. Once it is exceeded by a tenth, the oldest are removed.
    pub max_task_history: usize,
    /// Maximum number of tasks per transaction.
    pub max_batch_tasks: usize,
    /// Maximum number of documents per transaction.
    pub max_batch_documents: usize,
    /// Maximum payload size per transaction, in bytes. A single larger payload still forms a batch by itself.
    pub max_batch_bytes: usize,
    /// Maximum size of a request body, in bytes.
    pub max_body: usize,
    /// Time without writes after which indexes that are mostly free pages are compacted.
    pub compact_after: Duration,
    /// Minimum free space in an index for such a compaction, in bytes. Less free space is left for growth.
    pub compact_min_free: u64,
    /// Number of damaged stores retained for inspection. Older ones are removed.
    pub quarantine: usize,
    /// Time limit for sealing stores with checksums on shutdown. A store left unsealed is read page by page when it
    /// is next opened.
    pub seal_time: Duration,
    /// Minimum time between two checks of one index that are triggered by failed requests.
    pub suspect_pause: Duration,
}

impl EngineOptions {
    /// Returns the defaults for `path`.
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

    /// Returns the number of cores, at least one.
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
