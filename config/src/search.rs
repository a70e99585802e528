//! The search index, its synchronization and query statistics: `[search]`, `[sync]` and `[search_log]`.

use serde::Deserialize;

/// `[search]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// URL of a Meilisearch server. If it is empty, the embedded engine is used.
    pub url: String,
    /// API key of the Meilisearch server.
    pub key: String,
    /// Loopback address on which the embedded engine serves HTTP. If it is empty, the engine doesn't serve HTTP.
    pub listen: String,
    /// Initial memory-map size in bytes.
    pub map_size: usize,
    /// Memory for decoded facet values per index, in bytes.
    pub facet_memory: usize,
    /// Maximum size of the payload per transaction in bytes.
    pub batch_bytes: usize,
    /// Niceness of the threads that index large writes, 0 to 19.
    pub indexing_niceness: u8,
    /// Time budget of a search in milliseconds.
    pub budget_ms: u64,
    /// Number of queued searches above which further searches are rejected.
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
    /// Number of outbox rows per claim.
    pub batch: i64,
    /// Maximum number of derived changes per claim.
    pub derived_batch: i64,
    /// Seconds for which a claim lasts.
    pub lease: u64,
    /// Pauses in seconds before a rejected object is retried, by number of rejections. The last one repeats.
    pub parked_retry_seconds: Vec<u64>,
    /// Seconds for which a writer may be silent before another one takes over.
    pub writer_lease: u64,
    /// Seconds for which a consumer may be silent before it is dropped.
    pub consumer_expires: u64,
    /// Seconds between counter transfers.
    pub counters_interval: u64,
    /// Seconds between refreshes of charts and suggested queries.
    pub charts_interval: u64,
    /// Maximum seconds between updates of the vocabulary learned from titles, at least 1.
    pub words_interval: u64,
    /// Maximum number of words per language, and of models with names, in the vocabulary, at least 1.
    pub known_words: usize,
    /// Number of videos from which synonyms are learned, at least 1.
    pub aligned_videos: usize,
    /// Maximum number of pairs of synonyms.
    pub known_meanings: usize,
    /// Number of documents per task in a full build.
    pub rebuild_batch: i64,
    /// Maximum number of tasks of a full build that are in the engine's queue at a time.
    pub rebuild_ahead: usize,
    /// Number of entries per country chart.
    pub chart_size: i64,
    /// Number of suggested queries.
    pub suggested_queries: i64,
}

/// `[search_log]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchLog {
    /// Minimum number of distinct visitors who must make a query on a day for that day to count. Only days that count are stored beyond
    /// their end, shown, or used for suggestions.
    pub min_count: i32,
    /// Days for which the counts are stored.
    pub retention_days: i32,
    /// Maximum number of (visitor, query) pairs that a node remembers until midnight UTC. Beyond this number, nothing is counted.
    pub remembered: usize,
    /// Maximum number of queries counted for a visitor each day.
    pub visitor_queries: u32,
    /// Maximum number of ranks by which clicks move a video up on the first page of a search.
    pub click_places: u32,
    /// Maximum number of (query, video) pairs with known clicks.
    pub known_clicks: i64,
}
