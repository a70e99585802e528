//! In-memory response cache. Holds serialized responses for clients and the values they were serialized from for pages.
//!
//! Concurrent misses of the same key share one computation. An answer is *invalidated* as soon as an object it shows has changed or been
//! removed: it is never sent again, not even to requests that wait for a computation that started before the change. An answer is *stale*
//! once the index is newer or `cache.fresh` has passed: it is still sent while one background task recomputes it. Keys are canonical URLs,
//! so the grammar of the API's addresses bounds their number. Data of a single member is never cached.

mod answer;
mod encoding;
mod entry;
mod headers;
mod metrics;
pub mod purge;
mod refreshing;
mod tags;
#[cfg(test)]
mod tests;
mod variant;
mod weight;

use std::{
    pin::{Pin, pin},
    sync::Arc,
    time::Duration,
};

use axum::{
    http::{HeaderMap, Method, Uri},
    response::Response,
};
use lantern_catalog::changes::{Changes, Shows};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use moka::{Entry as Filled, future::Cache};
use prometheus_client::{metrics::gauge::ConstGauge, registry::Registry};
use serde::Serialize;

pub use self::{
    answer::{Answer, CachedAnswer, PrivateAnswer},
    headers::{CACHE_TAG, VARY},
    tags::{etag, etag_text, matches, quoted, requested_tags},
};
use self::{
    entry::{Entry, Snapshot},
    metrics::Metrics,
    refreshing::Refreshing,
};
use crate::{cost, throttled_log};

/// Path prefix of all cached calls.
const PREFIX: &str = "/api/json/";

/// A value that can be cached: serialized as JSON for clients, used directly by pages.
pub trait Cacheable: Serialize + Shows + Send + Sync + 'static {}

impl<T: Serialize + Shows + Send + Sync + 'static> Cacheable for T {}

/// Result of a computation, shared by all requests that waited for it.
type EntryOutcome = Result<Arc<Entry>, Arc<Failure>>;

/// Error of a computation, and the generation of the index when it started.
struct Failure {
    error: ApiError,
    generation: u64,
}

/// Response cache of the process; clones share it.
#[derive(Clone)]
pub struct ResponseCache {
    entries: Cache<String, EntryOutcome>,
    changes: Changes,
    fresh_for: Duration,
    time_limit: Duration,
    metrics: Arc<Metrics>,
}

impl ResponseCache {
    /// Creates an empty cache whose entries are invalidated by `changes`.
    #[must_use]
    pub fn new(config: &Config, changes: Changes) -> Self {
        let weigh = |key: &String, outcome: &EntryOutcome| {
            let entry = outcome.as_ref().map_or(0, |entry| entry.weight());
            u32::try_from(weight::PLACE + weight::allocated(key.len()) + entry).unwrap_or(u32::MAX)
        };
        let metrics = Arc::new(Metrics::default());
        let counted = Arc::clone(&metrics);
        let entries = Cache::builder()
            .max_capacity(config.cache.max_bytes)
            .weigher(weigh)
            .time_to_live(Duration::from_secs(config.cache.stale.max(config.cache.fresh)))
            .eviction_listener(move |_, _, cause| {
                if cause.was_evicted() {
                    counted.evictions.inc();
                }
            })
            .build();
        let fresh_for = Duration::from_secs(config.cache.fresh);
        let time_limit = Duration::from_secs(config.server.request_timeout);
        Self { entries, changes, fresh_for, time_limit, metrics }
    }

    /// Returns the number of index changes so far: an equal number means an unchanged index.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.changes.generation()
    }

    /// Returns the answer of [`Self::get`] as a response in the smallest variant that the request headers accept, or 304.
    pub async fn respond<T: Cacheable>(
        &self,
        key: &str,
        lifetime: u32,
        headers: &HeaderMap,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) -> ApiResult<Response> {
        self.get(key, lifetime, compute).await?.respond(headers)
    }

    /// Returns the answer cached under `key`, computing it on a miss. `key` is the path below `/api/json/` without `.json`, with the
    /// language after `?`. `lifetime` is the `max-age` for clients in seconds.
    ///
    /// # Errors
    /// 429 if the client has used up its computation budget, and any error of `compute`. Errors are not cached.
    pub async fn get<T: Cacheable>(
        &self,
        key: &str,
        lifetime: u32,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) -> ApiResult<CachedAnswer<T>> {
        let entry = self.entry(key.strip_suffix("?en").unwrap_or(key), lifetime, compute).await?;
        CachedAnswer::new(key, entry)
    }

    async fn entry<T: Cacheable>(
        &self,
        key: &str,
        lifetime: u32,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) -> ApiResult<Arc<Entry>> {
        if let Some(Ok(entry)) = self.entries.get(key).await
            && self.is_valid(&entry)
        {
            if entry.is_fresh(&self.changes, self.fresh_for) {
                self.metrics.hits.inc();
            } else {
                self.metrics.stale.inc();
                self.refresh(key, &entry, lifetime, compute);
            }
            return Ok(entry);
        }
        cost::afford()?;
        let arrived = self.changes.generation();
        let mut compute = pin!(cost::metered(compute));
        let mut filled = self.fill(key, lifetime, compute.as_mut()).await;
        if !filled.is_fresh() && self.is_older(filled.value(), arrived) {
            // The computation just awaited started before this request arrived. The next one starts afterwards.
            filled = self.fill(key, lifetime, compute).await;
        }
        let waited = !filled.is_fresh();
        if waited { &self.metrics.waited } else { &self.metrics.misses }.inc();
        match filled.into_value() {
            Ok(entry) => Ok(entry),
            Err(failure) => {
                if !waited {
                    self.entries.invalidate(key).await;
                }
                Err(failure.error.clone())
            }
        }
    }

    /// Computes the answer, or waits for the request that is already computing it. The returned entry is fresh if this call computed it.
    async fn fill<T: Cacheable>(
        &self,
        key: &str,
        lifetime: u32,
        compute: Pin<&mut (impl Future<Output = ApiResult<T>> + Send)>,
    ) -> Filled<String, EntryOutcome> {
        let missing = |outcome: &EntryOutcome| !outcome.as_ref().is_ok_and(|entry| self.is_valid(entry));
        self.entries.entry_by_ref(key).or_insert_with_if(compute_entry(&self.changes, lifetime, compute), missing).await
    }

    /// Returns whether the outcome may be based on an index that was already outdated when the request arrived.
    fn is_older(&self, outcome: &EntryOutcome, arrived: u64) -> bool {
        match outcome {
            Ok(entry) => !self.is_valid(entry),
            Err(failure) => failure.generation < arrived,
        }
    }

    fn is_valid(&self, entry: &Entry) -> bool {
        let valid = entry.is_valid(&self.changes);
        if !valid && entry.begin_drop() {
            self.metrics.outdated.inc();
        }
        valid
    }

    /// Recomputes a stale answer in a background task, unless one is already running.
    fn refresh<T: Cacheable>(
        &self,
        key: &str,
        entry: &Arc<Entry>,
        lifetime: u32,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) {
        let Some(refreshing) = Refreshing::begin(entry) else { return };
        let (cache, key) = (self.clone(), key.to_owned());
        tokio::spawn(async move {
            let computed = compute_entry(&cache.changes, lifetime, compute);
            match tokio::time::timeout(cache.time_limit, computed).await {
                // If something has changed in the meantime, the next request notices.
                Ok(Ok(fresh)) if fresh.is_valid(&cache.changes) => {
                    cache.entries.insert(key, Ok(fresh)).await;
                    refreshing.done();
                }
                Ok(Ok(_)) => {}
                Ok(Err(failure)) => match &failure.error {
                    // The object has been removed or hidden, so the next request gets the error.
                    ApiError::NotFound(_) | ApiError::Forbidden(_) => cache.entries.invalidate(&key).await,
                    error => throttled_log::warn(&error, || {
                        tracing::warn!(key, %error, "failed to recompute a stale answer");
                    }),
                },
                Err(_) => throttled_log::warn(&"recomputing a stale answer timed out", || {
                    tracing::warn!(key, "recomputing a stale answer timed out");
                }),
            }
        });
    }

    /// Returns the response if it can be sent from memory without computation or compression. The caller adds the request id.
    pub async fn ready(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        if method != Method::GET {
            return None;
        }
        let path = uri.path().strip_prefix(PREFIX)?.strip_suffix(".json")?;
        let found = match uri.query().filter(|query| !query.is_empty()) {
            None => self.entries.get(path).await,
            Some(query) => self.entries.get(&format!("{path}?{}", query.strip_prefix("lang=")?)).await,
        };
        let entry = found?.ok()?;
        if !self.is_valid(&entry) || !entry.is_fresh(&self.changes, self.fresh_for) {
            return None;
        }
        let response = entry.ready(headers)?;
        self.metrics.hits.inc();
        Some(response)
    }

    /// Registers the metrics of the cache under the prefix `cache`.
    pub async fn register(&self, registry: &mut Registry) {
        self.entries.run_pending_tasks().await;
        let cache = registry.sub_registry_with_prefix("cache");
        self.metrics.register(cache);
        cache.register("entries", "Answers in memory", ConstGauge::new(self.entries.entry_count()));
        cache.register("bytes", "Maximum memory of the answers", ConstGauge::new(self.entries.weighted_size()));
    }
}

async fn compute_entry<T: Cacheable>(
    changes: &Changes,
    lifetime: u32,
    compute: impl Future<Output = ApiResult<T>>,
) -> EntryOutcome {
    // The snapshot is taken first, so that changes during the computation invalidate the answer.
    let before = Snapshot::now(changes);
    let entry = async {
        let value = compute.await?;
        let mut objects = Vec::new();
        value.shows(&mut objects);
        Entry::new(serde_json::to_vec(&value)?, Arc::new(value), objects, lifetime, before)
    };
    entry.await.map(Arc::new).map_err(|error| Arc::new(Failure { error, generation: before.generation }))
}
