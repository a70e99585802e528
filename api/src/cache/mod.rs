//! Finished answers in memory, ready to send.
//!
//! A miss is computed once however many ask. An answer is *outdated* as soon as something it shows has changed or gone: it is
//! never sent again. It is *stale* when the index is newer, or after a while: then it is sent once more while it is computed
//! anew. Keys are canonical addresses, so there are no more of them than the contract has; nothing of a member is kept.

mod encoding;
mod entry;
mod metrics;
#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use axum::{
    http::{HeaderMap, HeaderValue, Method, Uri, header},
    response::Response,
};
use lantern_catalog::changes::Object;
use lantern_config::Cache as CacheConfig;
use lantern_indexer::Changes;
use moka::future::Cache;
use serde::Serialize;
use sha2::{Digest, Sha256};

use self::{
    entry::{Before, Entry},
    metrics::{Metrics, count},
};
use crate::error::{ApiError, ApiResult};

/// Where cached calls live.
const PREFIX: &str = "/api/json/";

/// Which objects of the catalog an answer shows; a change of one of them outdates it.
pub trait Shows {
    /// Adds them to `objects`.
    fn shows(&self, objects: &mut Vec<Object>);
}

/// An answer, or why there is none: those who waited together share it.
type Kept = Result<Arc<Entry>, ApiError>;

/// The cache of one process; clones share it.
#[derive(Clone)]
pub struct ResponseCache {
    entries: Cache<String, Kept>,
    changes: Changes,
    fresh_for: Duration,
    metrics: Arc<Metrics>,
}

impl ResponseCache {
    /// An empty cache that follows `changes`.
    #[must_use]
    pub fn new(config: &CacheConfig, changes: Changes) -> Self {
        let weigh = |key: &String, kept: &Kept| {
            let weight = key.len() + kept.as_ref().map_or(0, |entry| entry.weight());
            u32::try_from(weight).unwrap_or(u32::MAX)
        };
        let metrics = Arc::new(Metrics::default());
        let counted = Arc::clone(&metrics);
        let entries = Cache::builder()
            .max_capacity(config.max_bytes)
            .weigher(weigh)
            .time_to_live(Duration::from_secs(config.stale.max(config.fresh)))
            .eviction_listener(move |_, _, cause| {
                if cause.was_evicted() {
                    count(&counted.evictions);
                }
            })
            .build();
        Self { entries, changes, fresh_for: Duration::from_secs(config.fresh), metrics }
    }

    /// Counts every change of the index; the same number means the same index.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.changes.generation()
    }

    /// Answers with what is kept under `key`, the call's address below `/api/json/` without `.json`, its language behind `?`;
    /// or computes it first. `lifetime` is what clients are told, in seconds.
    ///
    /// # Errors
    /// Whatever `compute` fails with; failures are not kept.
    pub async fn respond<T: Serialize + Shows>(
        &self,
        key: &str,
        lifetime: u32,
        asked: &HeaderMap,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) -> ApiResult<Response> {
        let key = key.strip_suffix("?en").unwrap_or(key);
        if let Some(Ok(entry)) = self.entries.get(key).await
            && self.is_valid(&entry)
        {
            if entry.is_fresh(&self.changes, self.fresh_for) {
                count(&self.metrics.hits);
            } else {
                count(&self.metrics.stale);
                self.refresh(key, &entry, lifetime, compute);
            }
            return entry.answer(asked);
        }
        let filled = self.entries.entry_by_ref(key).or_insert_with_if(
            async {
                count(&self.metrics.misses);
                fill(&self.changes, lifetime, compute).await
            },
            |kept| !kept.as_ref().is_ok_and(|entry| self.is_valid(entry)),
        );
        let kept = filled.await.into_value();
        if kept.is_err() {
            self.entries.invalidate(key).await;
        }
        kept?.answer(asked)
    }

    fn is_valid(&self, entry: &Entry) -> bool {
        let valid = entry.is_valid(&self.changes);
        if !valid {
            count(&self.metrics.outdated);
        }
        valid
    }

    /// Computes a stale answer anew, once, beside the requests.
    fn refresh<T: Serialize + Shows>(
        &self,
        key: &str,
        entry: &Arc<Entry>,
        lifetime: u32,
        compute: impl Future<Output = ApiResult<T>> + Send + 'static,
    ) {
        if !entry.begin_refresh() {
            return;
        }
        let (cache, key, entry) = (self.clone(), key.to_owned(), Arc::clone(entry));
        tokio::spawn(async move {
            match fill(&cache.changes, lifetime, compute).await {
                Ok(fresh) => cache.entries.insert(key, Ok(fresh)).await,
                // It is gone or nobody's any more: the next request says so.
                Err(ApiError::NotFound(_) | ApiError::Forbidden(_)) => cache.entries.invalidate(&key).await,
                Err(error) => {
                    tracing::warn!(key, %error, "a stale answer could not be computed anew");
                    entry.end_refresh();
                }
            }
        });
    }

    /// The answer to a request in the form it takes, if it is in memory just so.
    pub(crate) async fn ready(&self, method: &Method, uri: &Uri, asked: &HeaderMap) -> Option<Response> {
        if method != Method::GET {
            return None;
        }
        let path = uri.path().strip_prefix(PREFIX)?.strip_suffix(".json")?;
        let kept = match uri.query().filter(|query| !query.is_empty()) {
            None => self.entries.get(path).await,
            Some(query) => self.entries.get(&format!("{path}?{}", query.strip_prefix("lang=")?)).await,
        };
        let entry = kept?.ok()?;
        if !entry.is_valid(&self.changes) || !entry.is_fresh(&self.changes, self.fresh_for) {
            return None;
        }
        let response = entry.ready(asked)?;
        count(&self.metrics.hits);
        Some(response)
    }

    /// What the cache did, in the text format of Prometheus.
    pub async fn metrics(&self) -> String {
        self.entries.run_pending_tasks().await;
        self.metrics.text(self.entries.entry_count(), self.entries.weighted_size())
    }
}

async fn fill<T: Serialize + Shows>(
    changes: &Changes,
    lifetime: u32,
    compute: impl Future<Output = ApiResult<T>>,
) -> Kept {
    // Read first: what changes meanwhile counts against the answer.
    let before = Before::now(changes);
    let value = compute.await?;
    let mut objects = Vec::new();
    value.shows(&mut objects);
    Ok(Arc::new(Entry::new(serde_json::to_vec(&value)?, objects, lifetime, before)?))
}

fn etag_text(body: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut tag = String::with_capacity(32);
    for byte in &Sha256::digest(body)[..16] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag
}

/// A strong tag of the bytes.
///
/// # Errors
/// Never in practice: hexadecimal digits are a valid header value.
pub fn etag(body: &[u8]) -> ApiResult<HeaderValue> {
    HeaderValue::try_from(format!("\"{}\"", etag_text(body))).map_err(ApiError::internal)
}

/// Whether `If-None-Match` names the tag, compared weakly as the standard asks.
#[must_use]
pub fn matches(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let ours = etag.as_bytes();
    asked
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag).as_bytes() == ours)
}
