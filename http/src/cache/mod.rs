//! Finished answers in memory, ready to send: the bytes for clients, and the value they were written from for pages.
//!
//! A miss is computed once however many ask. An answer is *invalidated* as soon as something it shows has changed or gone: it is
//! never sent again, not even to who waits for a computation that began before. It is *stale* when the index is newer, or after
//! a while: then it is sent once more while it is computed anew. Keys are canonical addresses, so there are no more of them than
//! the contract has; nothing of a member is cached.

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
    entry::{Before, Entry},
    metrics::Metrics,
    refreshing::Refreshing,
};
use crate::{cost, repeats};

const PREFIX: &str = "/api/json/";

/// What answers are: written as JSON for clients, read as they are by pages.
pub trait Kept: Serialize + Shows + Send + Sync + 'static {}

impl<T: Serialize + Shows + Send + Sync + 'static> Kept for T {}

/// An answer, or why there is none: those who waited together share it.
type EntryOutcome = Result<Arc<Entry>, Arc<Failure>>;

/// Why there is no answer, and how many changes of the index were known when it was looked for.
struct Failure {
    error: ApiError,
    generation: u64,
}

/// The cache of one process; clones share it.
#[derive(Clone)]
pub struct ResponseCache {
    entries: Cache<String, EntryOutcome>,
    changes: Changes,
    fresh_for: Duration,
    time_limit: Duration,
    metrics: Arc<Metrics>,
}

impl ResponseCache {
    /// An empty cache that follows `changes`.
    #[must_use]
    pub fn new(config: &Config, changes: Changes) -> Self {
        let weigh = |key: &String, kept: &EntryOutcome| {
            let kept = kept.as_ref().map_or(0, |entry| entry.weight());
            u32::try_from(weight::PLACE + weight::allocated(key.len()) + kept).unwrap_or(u32::MAX)
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

    /// Counts every change of the index; the same number means the same index.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.changes.generation()
    }

    /// Responds with [`Self::get`]'s answer in the variant the client takes.
    pub async fn respond<T: Kept>(
        &self,
        key: &str,
        lifetime: u32,
        headers: &HeaderMap,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) -> ApiResult<Response> {
        self.get(key, lifetime, compute).await?.respond(headers)
    }

    /// The answer cached under `key`, the call's address below `/api/json/` without `.json`, its language behind `?`;
    /// computed first where there is none. `lifetime` is what clients get in `Cache-Control`, in seconds. Fails with 429 when the
    /// client had too much computed, and whatever `compute` fails with; failures are not cached.
    pub async fn get<T: Kept>(
        &self,
        key: &str,
        lifetime: u32,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) -> ApiResult<CachedAnswer<T>> {
        let entry = self.entry(key.strip_suffix("?en").unwrap_or(key), lifetime, compute).await?;
        CachedAnswer::new(key, entry)
    }

    async fn entry<T: Kept>(
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
            // It was looked for before this request came. What is waited for now is looked for later.
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

    /// Computes the answer, or waits for the request that does already; a fresh one is this caller's own.
    async fn fill<T: Kept>(
        &self,
        key: &str,
        lifetime: u32,
        compute: Pin<&mut (impl Future<Output = ApiResult<T>> + Send)>,
    ) -> Filled<String, EntryOutcome> {
        let missing = |kept: &EntryOutcome| !kept.as_ref().is_ok_and(|entry| self.is_valid(entry));
        self.entries.entry_by_ref(key).or_insert_with_if(compute_entry(&self.changes, lifetime, compute), missing).await
    }

    /// Whether what was waited for may be of an index that was outdated when the request came.
    fn is_older(&self, kept: &EntryOutcome, arrived: u64) -> bool {
        match kept {
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

    /// Computes a stale answer anew, once, beside the requests.
    fn refresh<T: Kept>(
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
                // Whatever changed meanwhile, the next request says so.
                Ok(Ok(fresh)) if fresh.is_valid(&cache.changes) => {
                    cache.entries.insert(key, Ok(fresh)).await;
                    refreshing.done();
                }
                Ok(Ok(_)) => {}
                Ok(Err(failure)) => match &failure.error {
                    // It is gone or hidden: the next request says so, too.
                    ApiError::NotFound(_) | ApiError::Forbidden(_) => cache.entries.invalidate(&key).await,
                    error => repeats::warn(&error, || {
                        tracing::warn!(key, %error, "a stale answer could not be computed anew");
                    }),
                },
                Err(_) => repeats::warn(&"computing a stale answer anew took too long", || {
                    tracing::warn!(key, "computing a stale answer anew took too long");
                }),
            }
        });
    }

    /// The answer to a request in the variant it takes, if it is in memory just so.
    pub async fn ready(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        if method != Method::GET {
            return None;
        }
        let path = uri.path().strip_prefix(PREFIX)?.strip_suffix(".json")?;
        let kept = match uri.query().filter(|query| !query.is_empty()) {
            None => self.entries.get(path).await,
            Some(query) => self.entries.get(&format!("{path}?{}", query.strip_prefix("lang=")?)).await,
        };
        let entry = kept?.ok()?;
        if !self.is_valid(&entry) || !entry.is_fresh(&self.changes, self.fresh_for) {
            return None;
        }
        let response = entry.ready(headers)?;
        self.metrics.hits.inc();
        Some(response)
    }

    /// What the cache did and holds.
    pub async fn register(&self, registry: &mut Registry) {
        self.entries.run_pending_tasks().await;
        let cache = registry.sub_registry_with_prefix("cache");
        self.metrics.register(cache);
        cache.register("entries", "Answers in memory", ConstGauge::new(self.entries.entry_count()));
        cache.register("bytes", "Memory the answers take at most", ConstGauge::new(self.entries.weighted_size()));
    }
}

async fn compute_entry<T: Kept>(
    changes: &Changes,
    lifetime: u32,
    compute: impl Future<Output = ApiResult<T>>,
) -> EntryOutcome {
    // Read first: what changes meanwhile counts against the answer.
    let before = Before::now(changes);
    let entry = async {
        let value = compute.await?;
        let mut objects = Vec::new();
        value.shows(&mut objects);
        Entry::new(serde_json::to_vec(&value)?, Arc::new(value), objects, lifetime, before)
    };
    entry.await.map(Arc::new).map_err(|error| Arc::new(Failure { error, generation: before.generation }))
}
