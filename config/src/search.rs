//! The search index, its synchronisation and query statistics: `[search]`, `[sync]` and `[search_log]`.

use serde::Deserialize;

/// `[search]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// URL of a Meilisearch server; empty means the embedded engine.
    pub url: String,
    /// API key of that server.
    pub key: String,
    /// Loopback address on which the embedded engine serves HTTP; empty means none.
    pub listen: String,
    /// Initial memory-map size in bytes.
    pub map_size: usize,
    /// Memory for decoded facet values per index, in bytes.
    pub facet_memory: usize,
    /// Maximum payload per transaction in bytes.
    pub batch_bytes: usize,
    /// Niceness of the threads that index large writes, 0 to 19.
    pub indexing_niceness: u8,
    /// Time budget of a search in milliseconds.
    pub budget_ms: u64,
    /// Queued searches above which further ones are rejected.
    pub queue: usize,
    /// Number of damaged indexes retained for inspection.
    pub quarantine: usize,
    /// Seconds that sealing indexes with checksums may take at shutdown.
    pub seal_seconds: u64,
    /// Maximum number of hits that a search counts and paginates.
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
    /// Pauses in seconds before retries of a rejected object, by number of rejections; the last one repeats.
    pub parked_retry_seconds: Vec<u64>,
    /// Seconds a writer may be silent before another one takes over.
    pub writer_lease: u64,
    /// Seconds a consumer may be silent before it is dropped.
    pub consumer_expires: u64,
    /// Seconds between counter transfers.
    pub counters_interval: u64,
    /// Seconds between refreshes of charts and suggested queries.
    pub charts_interval: u64,
    /// Seconds between updates of the vocabulary learned from titles, at least 1.
    pub words_interval: u64,
    /// Maximum words per language in the vocabulary, at least 1.
    pub known_words: usize,
    /// Videos from which synonyms are learned, at least 1.
    pub aligned_videos: usize,
    /// Maximum pairs of synonyms.
    pub known_meanings: usize,
    /// Documents per task in a full build.
    pub rebuild_batch: i64,
    /// Tasks of a full build enqueued at the engine at a time.
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
    /// Minimum distinct visitors who searched a query on a day for that day to count, that is, to be stored beyond its end, shown or
    /// suggested.
    pub min_count: i32,
    /// Days the counts are stored.
    pub retention_days: i32,
    /// Maximum (visitor, query) pairs a node remembers until midnight UTC; beyond it nothing is counted.
    pub remembered: usize,
    /// Maximum counted queries per visitor and day.
    pub visitor_queries: u32,
    /// Maximum ranks by which clicks move a video up on the first page of a search.
    pub click_places: u32,
    /// Maximum (query, video) pairs with known clicks.
    pub known_clicks: i64,
}
