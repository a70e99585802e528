//! Tests admission control: few searches run at a time, and a search whose client has disconnected makes room for others.

#![expect(clippy::unwrap_used, reason = "tests panic if their setup fails")]

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use lantern_engine::{Engine, EngineOptions, Keys};
use lantern_index::Transport;
use serde_json::{Value, json};
use tower::ServiceExt;

const MASTER: &str = "a master key of a test";

struct Site {
    engine: Engine,
    router: Router,
    _folder: tempfile::TempDir,
}

impl Site {
    /// Opens an engine that runs one search at a time, with enough documents to keep it busy.
    async fn open(change: impl FnOnce(&mut EngineOptions)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = EngineOptions::new(folder.path());
        options.initial_map_size = 256 << 20;
        options.search_concurrency = 1;
        change(&mut options);
        let engine = Engine::open(options).unwrap();
        let client = Transport::in_process(engine.trusted_router(), None);
        let documents: Vec<Value> = (0..5000_u32)
            .map(|id| json!({ "id": id, "title": format!("evening walk {}", id % 97), "tags": [id % 89, id % 83] }))
            .collect();
        for (uid, documents) in [("walks", &documents[..]), ("few", &documents[..1])] {
            let index = client.index(uid);
            index.set_filterable_attributes(["tags"]).await.unwrap();
            let task = index.add_documents(documents, Some("id")).await.unwrap();
            assert!(task.wait_for_completion(&client, None, None).await.unwrap().is_success());
        }
        let router = engine.router(Keys::from_master(MASTER));
        Self { engine, router, _folder: folder }
    }

    /// Sends `count` searches in one request.
    async fn search(&self, count: usize) -> (StatusCode, Option<String>, Value) {
        self.search_in("walks", count).await
    }

    async fn search_in(&self, uid: &str, count: usize) -> (StatusCode, Option<String>, Value) {
        let query = json!({ "indexUid": uid, "q": "evening walk", "facets": ["tags"], "limit": 100 });
        let request = Request::post("/multi-search")
            .header(header::AUTHORIZATION, format!("Bearer {MASTER}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(json!({ "queries": vec![query; count] }).to_string()))
            .unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let retry = response.headers().get(header::RETRY_AFTER).map(|value| value.to_str().unwrap().to_owned());
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, retry, serde_json::from_slice(&body).unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn next_search_waits_for_a_permit() {
    let site = Site::open(|_| {}).await;
    let (long, short) = tokio::join!(site.search(50), site.search(1));
    assert_eq!((long.0, short.0), (StatusCode::OK, StatusCode::OK));
    assert_eq!(long.2["results"].as_array().unwrap().len(), 50);
    site.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn small_index_does_not_wait_for_large_one() {
    let site = Site::open(|_| {}).await;
    tokio::select! {
        biased;
        _ = site.search(200) => panic!("the search in the small index waited for those in the large one"),
        (status, ..) = site.search_in("few", 1) => assert_eq!(status, StatusCode::OK),
    }
    site.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn excess_search_is_refused_with_retry_after() {
    for narrow in [
        |options: &mut EngineOptions| options.search_queue = 0,
        |options: &mut EngineOptions| options.search_wait = Duration::from_millis(1),
    ] {
        let site = Site::open(narrow).await;
        let (long, refused) = tokio::join!(site.search(200), site.search(1));
        assert_eq!(long.0, StatusCode::OK);
        assert_eq!(refused.0, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(refused.1.unwrap(), "10");
        assert_eq!(refused.2["code"], "too_many_search_requests");
        assert_eq!(refused.2["type"], "system");
        site.engine.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn abandoned_search_stops() {
    const MANY: usize = 400;
    let site = Site::open(|options| options.search_wait = Duration::from_secs(60)).await;
    let started = Instant::now();
    site.search(MANY).await;
    let whole = started.elapsed();

    // The request is admitted and then dropped. Work stops after the search that is running.
    let abandoned = tokio::time::timeout(whole / 20, site.search(MANY)).await;
    assert!(abandoned.is_err(), "the whole request took {whole:?}");
    let started = Instant::now();
    assert_eq!(site.search(1).await.0, StatusCode::OK);
    let waited = started.elapsed();
    assert!(waited < whole / 4, "the next search waited {waited:?} for {whole:?} of abandoned work");
    site.engine.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn search_over_budget_returns_partial_results() {
    let site = Site::open(|options| options.search_budget = Duration::ZERO).await;
    let (status, _, answer) = site.search(1).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(answer["results"][0]["hits"].as_array().unwrap().len(), 100);
    site.engine.shutdown().await;
}
