//! Finished answers in memory: body, strong ETag and header values ready to send.
//!
//! A miss is computed once however many ask (single flight). Keys hold the canonical address and
//! the index generation: an answer computed before a change is never found after it, whatever the
//! order in which the two finish.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use moka::{Expiry, future::Cache};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tokio::sync::watch;

use crate::error::{ApiError, ApiResult};

/// Changes evict at once, so this bounds only what time alone changes (date windows, ages).
const LONGEST_IN_MEMORY: Duration = Duration::from_secs(600);
/// Memory an entry takes besides key and body.
const OVERHEAD: usize = 512;

struct Entry {
    body: Bytes,
    etag: HeaderValue,
    cache_control: HeaderValue,
    keep: Duration,
}

struct ByLifetime;

impl Expiry<String, Arc<Entry>> for ByLifetime {
    fn expire_after_create(&self, _: &String, entry: &Arc<Entry>, _: Instant) -> Option<Duration> {
        Some(entry.keep)
    }
}

/// The cache of one process.
pub struct ResponseCache {
    entries: Cache<String, Arc<Entry>>,
    changes: watch::Receiver<u64>,
    seen: AtomicU64,
}

impl ResponseCache {
    /// A cache of `max_bytes` that forgets everything when `changes` moves.
    #[must_use]
    pub fn new(max_bytes: u64, changes: watch::Receiver<u64>) -> Self {
        let weigh = |key: &String, entry: &Arc<Entry>| {
            u32::try_from(key.len() + entry.body.len() + OVERHEAD).unwrap_or(u32::MAX)
        };
        let entries = Cache::builder().max_capacity(max_bytes).weigher(weigh).expire_after(ByLifetime).build();
        let seen = AtomicU64::new(*changes.borrow());
        Self { entries, changes, seen }
    }

    /// The number of changes the index has seen; the same number means the same index.
    #[must_use]
    pub fn generation(&self) -> u64 {
        *self.changes.borrow()
    }

    /// Answers with what is kept under `key`, or computes it first. `lifetime` is what clients are
    /// told, in seconds.
    ///
    /// # Errors
    /// Whatever `compute` fails with; failures are not kept.
    pub async fn respond<T: Serialize>(
        &self,
        key: &str,
        lifetime: u32,
        asked: &HeaderMap,
        compute: impl Future<Output = ApiResult<T>>,
    ) -> ApiResult<Response> {
        let generation = self.generation();
        if self.seen.swap(generation, Ordering::Relaxed) != generation {
            // Older entries can't be found any more; this gives their memory back.
            self.entries.invalidate_all();
        }
        let fill = async { Entry::new(&compute.await?, lifetime) };
        let entry = self.entries.try_get_with(format!("{generation}/{key}"), fill).await?;
        Ok(entry.answer(asked))
    }
}

impl Entry {
    fn new(value: &impl Serialize, lifetime: u32) -> ApiResult<Arc<Self>> {
        let body = Bytes::from(serde_json::to_vec(value)?);
        // A tenth more may be shown while a fresh answer is fetched.
        let cache_control = format!("public, max-age={lifetime}, stale-while-revalidate={}", lifetime / 10);
        Ok(Arc::new(Self {
            etag: etag(&body)?,
            cache_control: HeaderValue::try_from(cache_control).map_err(ApiError::internal)?,
            keep: Duration::from_secs(lifetime.into()).min(LONGEST_IN_MEMORY),
            body,
        }))
    }

    fn answer(&self, asked: &HeaderMap) -> Response {
        let headers = [(header::ETAG, self.etag.clone()), (header::CACHE_CONTROL, self.cache_control.clone())];
        if matches(asked, &self.etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let json = HeaderValue::from_static("application/json");
        let mut response = (headers, Body::from(self.body.clone())).into_response();
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        response
    }
}

/// A strong tag of the bytes.
///
/// # Errors
/// Never in practice: hexadecimal digits are a valid header value.
pub fn etag(body: &[u8]) -> ApiResult<HeaderValue> {
    use std::fmt::Write as _;
    let mut tag = String::with_capacity(34);
    tag.push('"');
    for byte in &Sha256::digest(body)[..16] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    HeaderValue::try_from(tag).map_err(ApiError::internal)
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

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    fn cache() -> (watch::Sender<u64>, ResponseCache) {
        let (changes, receiver) = watch::channel(0);
        (changes, ResponseCache::new(1 << 20, receiver))
    }

    async fn ask(cache: &ResponseCache, runs: &AtomicUsize) -> Response {
        let compute = async {
            tokio::task::yield_now().await;
            Ok(runs.fetch_add(1, Ordering::SeqCst))
        };
        cache.respond("key", 60, &HeaderMap::new(), compute).await.expect("answer")
    }

    #[tokio::test]
    async fn many_at_once_cost_one_computation() {
        let (_changes, cache) = cache();
        let runs = AtomicUsize::new(0);
        let asks = (0..50).map(|_| ask(&cache, &runs));
        let answers = futures_util::future::join_all(asks).await;
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        assert!(answers.iter().all(|a| a.headers()[header::ETAG] == answers[0].headers()[header::ETAG]));
    }

    #[tokio::test]
    async fn a_change_is_seen_by_the_next_request() {
        let (changes, cache) = cache();
        let runs = AtomicUsize::new(0);
        ask(&cache, &runs).await;
        ask(&cache, &runs).await;
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        changes.send_modify(|generation| *generation += 1);
        ask(&cache, &runs).await;
        assert_eq!(runs.load(Ordering::SeqCst), 2);
    }

    #[tokio::test]
    async fn an_answer_from_before_a_change_is_not_kept_past_it() {
        let (changes, cache) = cache();
        let runs = AtomicUsize::new(0);
        let compute = async {
            changes.send_modify(|generation| *generation += 1);
            Ok("old")
        };
        cache.respond("key", 60, &HeaderMap::new(), compute).await.expect("answer");
        ask(&cache, &runs).await;
        assert_eq!(runs.load(Ordering::SeqCst), 1, "computed anew");
    }

    #[tokio::test]
    async fn failures_are_not_kept() {
        let (_changes, cache) = cache();
        let fail = async { Err::<(), _>(ApiError::NotFound("x")) };
        assert!(cache.respond("key", 60, &HeaderMap::new(), fail).await.is_err());
        assert!(cache.respond("key", 60, &HeaderMap::new(), async { Ok(1) }).await.is_ok());
    }

    #[tokio::test]
    async fn a_known_tag_costs_no_body() {
        let (_changes, cache) = cache();
        let first = ask(&cache, &AtomicUsize::new(0)).await;
        let tag = first.headers()[header::ETAG].to_str().expect("text").to_owned();
        for (asked, status) in [
            (tag.clone(), StatusCode::NOT_MODIFIED),
            (format!("\"x\", W/{tag}"), StatusCode::NOT_MODIFIED),
            ("*".to_owned(), StatusCode::NOT_MODIFIED),
            ("\"x\"".to_owned(), StatusCode::OK),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::IF_NONE_MATCH, asked.parse().expect("header"));
            let response = cache.respond("key", 60, &headers, async { Ok(7) }).await.expect("answer");
            assert_eq!(response.status(), status, "{asked}");
        }
    }
}
