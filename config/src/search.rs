//! The index and what follows it: `[search]`, `[sync]` and `[search_log]`.

use serde::Deserialize;

/// `[search]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// URL of a Meilisearch server; empty means the embedded engine.
    pub url: String,
    /// Key of that server.
    pub key: String,
    /// Loopback address of the embedded engine's HTTP protocol; empty means none.
    pub listen: String,
    /// First memory-map size in bytes.
    pub map_size: usize,
    /// Bytes for decoded facet values per index.
    pub facet_memory: usize,
    /// Payload bytes written in one transaction.
    pub batch_bytes: usize,
    /// Niceness of the threads that index large writes, 0 to 19.
    pub indexing_niceness: u8,
    /// Milliseconds per search.
    pub budget_ms: u64,
    /// Waiting searches before refusal.
    pub queue: usize,
    /// Damaged indexes kept aside.
    pub quarantine: usize,
    /// Seconds a stop may take to seal indexes with checksums.
    pub seal_seconds: u64,
    /// Highest number of hits a search counts and pages through.
    pub max_total_hits: usize,
}

/// `[sync]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sync {
    /// Milliseconds between polls of the outbox.
    pub poll_ms: u64,
    /// Outbox rows per claim.
    pub batch: i64,
    /// Seconds a claim lasts.
    pub lease: u64,
    /// Seconds before the tries of a refused object, by the number of its refusals; the last one repeats.
    pub parked_retry_seconds: Vec<u64>,
    /// Seconds a writer may be silent before another one takes over.
    pub writer_lease: u64,
    /// Seconds a consumer may be silent before it is dropped.
    pub consumer_expires: u64,
    /// Seconds between counter transfers.
    pub counters_interval: u64,
    /// Seconds between refreshes of charts and suggested queries.
    pub charts_interval: u64,
    /// Seconds between two times the words of titles are learned, at least 1.
    pub words_interval: u64,
    /// Words of a language that are known, at least 1.
    pub known_words: usize,
    /// Videos that teach which words mean the same, at least 1.
    pub aligned_videos: usize,
    /// Pairs of words that are learned at most.
    pub known_meanings: usize,
    /// Documents per task in a full build.
    pub rebuild_batch: i64,
    /// Tasks of a full build that the engine is given before the first of them has to be written.
    pub rebuild_ahead: usize,
    /// Entries per country chart.
    pub chart_size: i64,
    /// Number of suggested queries.
    pub suggested_queries: i64,
}

/// `[search_log]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLog {
    /// Fewest different visitors of a day who must have searched a query for that day to count: to be kept once it has ended, shown
    /// or suggested.
    pub min_count: i32,
    /// Days the counts are stored.
    pub retention_days: i32,
    /// Pairs of a visitor and a query a node remembers until midnight UTC; beyond it nothing is counted.
    pub remembered: usize,
    /// Queries of one visitor that count on one day.
    pub visitor_queries: u32,
    /// Places at most that a video moves up on the first page of a search after which visitors opened it.
    pub click_places: u32,
    /// Videos of searches that are known for it.
    pub known_clicks: i64,
}
