//! Tests of the response cache.

mod age;
mod memory;
mod variants;

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::{
    body::to_bytes,
    http::{HeaderValue, StatusCode, header},
};
use lantern_catalog::{
    changes::{Change, Object},
    outbox::Entity,
};
use tokio::sync::Notify;

use super::*;

struct Fixture {
    changes: Changes,
    cache: ResponseCache,
    runs: Arc<AtomicUsize>,
}

#[derive(Serialize)]
struct TestAnswer {
    run: usize,
    filling: String,
    #[serde(skip)]
    objects: Vec<Object>,
}

impl Shows for TestAnswer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.extend(&self.objects);
    }
}

fn video(id: i64) -> Object {
    (Entity::Video, id)
}

/// Returns request headers that accept this encoding.
fn accepting(encoding: &'static str) -> HeaderMap {
    [(header::ACCEPT_ENCODING, HeaderValue::from_static(encoding))].into_iter().collect()
}

/// Returns request headers that accept this encoding and name a known ETag.
fn knowing(encoding: &'static str, tag: &HeaderValue) -> HeaderMap {
    let mut request = accepting(encoding);
    request.insert(header::IF_NONE_MATCH, tag.clone());
    request
}

async fn read(response: Response) -> Vec<u8> {
    to_bytes(response.into_body(), usize::MAX).await.expect("body").to_vec()
}

/// Returns the number of the computation that an answer comes from.
async fn run_of(answer: Response) -> u64 {
    let body = read(answer).await;
    serde_json::from_slice::<serde_json::Value>(&body).expect("JSON")["run"].as_u64().expect("a number")
}

impl Fixture {
    fn new() -> Self {
        Self::configured(|_| {})
    }

    fn configured(change: impl FnOnce(&mut Config)) -> Self {
        let changes = Changes::default();
        let mut config = Config::default();
        change(&mut config);
        let cache = ResponseCache::new(&config, changes.clone());
        Self { changes, cache, runs: Arc::default() }
    }

    async fn get_with(&self, key: &str, objects: &[Object], headers: &HeaderMap) -> Response {
        let (runs, objects) = (Arc::clone(&self.runs), objects.to_vec());
        let compute = async move {
            tokio::task::yield_now().await;
            Ok(TestAnswer { run: runs.fetch_add(1, Ordering::SeqCst), filling: "lantern ".repeat(500), objects })
        };
        self.cache.respond(key, 60, headers, compute).await.expect("answer")
    }

    async fn get(&self, key: &str, objects: &[Object]) -> Response {
        self.get_with(key, objects, &HeaderMap::new()).await
    }

    /// Requests an answer and returns the number of the computation it comes from.
    async fn run(&self, key: &str, objects: &[Object]) -> u64 {
        run_of(self.get(key, objects).await).await
    }

    fn runs(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }

    fn change(&self, objects: &[Object]) {
        self.changes.note(&Change::Objects(objects.to_vec()));
    }

    async fn metric(&self, name: &str) -> u64 {
        let (mut registry, mut text) = (Registry::with_prefix("lantern"), String::new());
        self.cache.register(&mut registry).await;
        prometheus_client::encoding::text::encode(&mut text, &registry).expect("text");
        let line = text.lines().find(|line| line.starts_with(&format!("lantern_cache_{name} "))).expect("metric");
        line.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("number")
    }

    /// Returns the counts of hits, stale answers, misses and waits.
    async fn answered(&self) -> [u64; 4] {
        [
            self.metric("hits_total").await,
            self.metric("stale_total").await,
            self.metric("misses_total").await,
            self.metric("waited_total").await,
        ]
    }

    /// Waits for this number of computations and until refreshes have stored their results.
    async fn settled(&self, runs: usize) {
        while self.runs() < runs {
            tokio::task::yield_now().await;
        }
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
    }

    /// Starts a request whose computation ends with `outcome` once the returned [`Notify`] is notified.
    async fn begin(
        &self,
        key: &'static str,
        outcome: ApiResult<TestAnswer>,
    ) -> (tokio::task::JoinHandle<ApiResult<Response>>, Arc<Notify>) {
        let (cache, begun, end) = (self.cache.clone(), Arc::new(Notify::new()), Arc::new(Notify::new()));
        let compute = {
            let (begun, end) = (Arc::clone(&begun), Arc::clone(&end));
            async move {
                begun.notify_one();
                end.notified().await;
                outcome
            }
        };
        let request = tokio::spawn(async move { cache.respond(key, 60, &HeaderMap::new(), compute).await });
        begun.notified().await;
        (request, end)
    }
}
