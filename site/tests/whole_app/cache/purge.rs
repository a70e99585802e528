//! Purging of an external cache. It happens after the commit, is retried, and is done by one node.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex},
    time::Instant,
};

use axum::{
    Router,
    body::to_bytes,
    extract::{Request, State},
    http::{HeaderMap, Method, StatusCode},
};
use lantern_config::Config;
use serde_json::Value;

use crate::support::{App, PATIENCE, listing};

/// A purge call that was received.
#[derive(Debug, Clone)]
struct Call {
    method: Method,
    headers: HeaderMap,
    body: String,
}

impl Call {
    fn tags(&self) -> Vec<String> {
        let body: Value = serde_json::from_str(&self.body).unwrap();
        assert_eq!(self.headers["content-type"], "application/json");
        body["tags"].as_array().unwrap().iter().map(|tag| tag.as_str().unwrap().to_owned()).collect()
    }
}

/// Mock of an external cache's purge API.
#[derive(Clone, Default)]
struct Cdn {
    url: String,
    calls: Arc<Mutex<Vec<Call>>>,
    /// Statuses of the next responses. Once it is empty, the status is 200. 0 means no response.
    statuses: Arc<Mutex<VecDeque<u16>>>,
}

impl Cdn {
    async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/purge?zone=1", listener.local_addr().unwrap());
        let cdn = Self { url, ..Self::default() };
        let router = Router::new().fallback(receive).with_state(cdn.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        cdn
    }

    fn configure(&self) -> impl FnOnce(&mut Config) + use<> {
        let url = self.url.clone();
        move |config| {
            config.purge.url = url;
            "x-purge-key".clone_into(&mut config.purge.header);
            "a key of the tests".clone_into(&mut config.purge.key);
            config.purge.timeout_ms = 500;
            // Tests flush explicitly.
            config.purge.poll_ms = 600_000;
        }
    }

    fn take(&self) -> Vec<Call> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }

    /// Takes the tags received since the last call, in sorted order.
    fn purged(&self) -> Vec<String> {
        let mut tags: Vec<String> = self.take().iter().flat_map(Call::tags).collect();
        tags.sort();
        tags
    }
}

async fn receive(State(cdn): State<Cdn>, request: Request) -> StatusCode {
    let (parts, body) = request.into_parts();
    assert_eq!(parts.uri, "/purge?zone=1");
    let body = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
    cdn.calls.lock().unwrap().push(Call { method: parts.method, headers: parts.headers, body });
    let answer = cdn.statuses.lock().unwrap().pop_front().unwrap_or(200);
    if answer == 0 {
        std::future::pending::<()>().await;
    }
    StatusCode::from_u16(answer).unwrap()
}

async fn waiting(app: &App) -> i64 {
    app.numbers("select count(*) from jobs where kind = 'purge'").await[0]
}

/// Starts a site whose initial purges have already been sent.
async fn start(cdn: &Cdn, change: impl FnOnce(&mut Config)) -> App {
    let configure = cdn.configure();
    let app = App::configured(|config| {
        configure(config);
        change(config);
    })
    .await;
    app.flush().await;
    assert_eq!(waiting(&app).await, 0);
    cdn.take();
    app
}

#[tokio::test]
async fn removals_are_purged_at_commit_and_again_after_indexing() {
    let cdn = Cdn::start().await;
    let app = start(&cdn, |_| {}).await;
    app.sql("begin; update videos set is_private = true where id = 1; rollback").await;
    app.flush().await;
    assert_eq!(cdn.purged(), [""; 0], "rolled back");

    // The outbox is not applied, as if the index were down.
    app.sql("update videos set is_private = true where id = 1").await;
    app.flush().await;
    let calls = cdn.take();
    assert_eq!(calls.len(), 1);
    assert_eq!((calls[0].tags(), &calls[0].method), (vec!["video-1".to_owned()], &Method::POST));
    assert_eq!(calls[0].headers["x-purge-key"], "a key of the tests");

    app.drain().await;
    app.flush().await;
    let purged = cdn.purged();
    for tag in ["video-1", "user-2", "category-2"] {
        assert!(purged.iter().any(|known| known == tag), "{tag}: {purged:?}");
    }
    // Other changes are purged after indexing.
    app.sql("update videos set title = 'Another' where id = 3").await;
    app.flush().await;
    assert_eq!(cdn.purged(), [""; 0]);
    app.drain().await;
    app.flush().await;
    assert_eq!(cdn.purged(), ["video-3"]);
    app.change("delete from models where id = 1").await;
    app.flush().await;
    let purged = cdn.purged();
    assert!(purged.iter().any(|tag| tag == "model-1") && purged.iter().any(|tag| tag == "answers"), "{purged:?}");
    assert_eq!(waiting(&app).await, 0);
    app.finish().await;
}

#[tokio::test]
async fn purges_are_sent_by_polling() {
    let cdn = Cdn::start().await;
    let app = start(&cdn, |config: &mut Config| config.purge.poll_ms = 10).await;
    app.sql("update videos set status_id = deleted() where id = 1").await;
    let changed = Instant::now();
    while cdn.calls.lock().unwrap().is_empty() {
        assert!(changed.elapsed() < PATIENCE, "nothing was purged");
        tokio::task::yield_now().await;
    }
    assert_eq!(cdn.purged(), ["video-1"]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn responses_carry_the_purged_tags() {
    let app = App::start().await;
    let list = app.get(&listing("longest", 10, "all..1.all.all.all")).await;
    let tags: Vec<&str> = list.header("cache-tag").split(',').collect();
    let shown = list.json()["videos"][0]["video_id"].as_i64().unwrap();
    assert!(tags.contains(&"answers") && tags.contains(&format!("video-{shown}").as_str()), "{tags:?}");
    app.finish().await;
}

#[tokio::test]
async fn failed_purge_is_retried_with_growing_pauses() {
    let cdn = Cdn::start().await;
    let app = start(&cdn, |config: &mut Config| config.purge.retry_seconds = vec![30, 300]).await;
    let due = "select extract(epoch from run_at - clock_timestamp())::bigint from jobs where kind = 'purge'";
    cdn.statuses.lock().unwrap().extend([503, 0, 302]);
    app.sql("update albums set status_id = rejected() where id = 1").await;
    for (tries, pause, why) in [(1, 30, "503"), (2, 300, "operation timed out"), (3, 300, "302")] {
        app.flush().await;
        assert_eq!(cdn.purged(), ["album-1"], "try {tries}");
        let wait = app.numbers(due).await[0];
        assert!((pause - 10..=pause).contains(&wait), "try {tries}: {wait} s");
        let tried = format!(
            "select count(*) from jobs where kind = 'purge' and attempts = {tries} and last_error like '%{why}%'"
        );
        assert_eq!(app.numbers(&tried).await, [1], "try {tries}");
        // The purge is not retried before it is due.
        app.flush().await;
        assert_eq!(cdn.purged(), [""; 0]);
        app.sql("update jobs set run_at = clock_timestamp()").await;
    }
    let figures = app.watch("/metrics").await.text();
    for line in [
        "lantern_purge_failed_total 3",
        "lantern_purge_waiting 1",
        "lantern_queue_waiting{kind=\"purge\"} 1",
        "lantern_queue_failed{kind=\"mail\"} 0",
    ] {
        assert!(figures.lines().any(|known| known == line), "{line}: {figures}");
    }
    app.flush().await;
    assert_eq!((cdn.purged(), waiting(&app).await), (vec!["album-1".to_owned()], 0));
    assert!(app.watch("/metrics").await.text().contains("\nlantern_purge_waiting 0\n"));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn no_purge_is_lost_while_the_cache_is_unreachable() {
    let cdn = Cdn::start().await;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let unreachable = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);
    let app = start(&cdn, |_| {}).await;
    app.sql("update videos set status_id = deleted() where id in (1, 2, 3)").await;
    // This node uses the same catalog but cannot reach the cache.
    let failing_node = app
        .node_with(|config| {
            config.purge.url = unreachable;
            config.purge.retry_seconds = vec![0];
        })
        .unwrap();
    failing_node.flush().await.unwrap();
    assert_eq!(waiting(&app).await, 3);
    app.flush().await;
    assert_eq!(cdn.purged(), ["video-1", "video-2", "video-3"]);
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn each_tag_is_purged_by_one_node_in_bounded_calls() {
    let cdn = Cdn::start().await;
    let app = start(&cdn, |_| {}).await;
    let other = app.another_node().await;
    other.flush().await;
    app.sql("update videos set status_id = deleted() where id <= 200 and visible").await;
    let expected =
        app.numbers("select count(*) from videos where id <= 200 and status_id = deleted() and id % 50 > 0").await[0];
    tokio::join!(app.flush(), other.flush());
    let calls = cdn.take();
    assert!(calls.iter().all(|call| call.tags().len() <= 30), "at most purge.tags");
    let mut tags: Vec<String> = calls.iter().flat_map(Call::tags).collect();
    assert_eq!(tags.len() as i64, expected);
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len() as i64, expected, "none is purged twice");
    assert_eq!(waiting(&app).await, 0);
    app.drain().await;
    other.finish().await;
    app.finish().await;
}

#[tokio::test]
async fn expired_claims_are_taken_over() {
    let cdn = Cdn::start().await;
    let app = start(&cdn, |_| {}).await;
    app.sql(
        "insert into jobs (kind, state, payload, attempts, claimed_until) values
             ('purge', 'running', '{\"tag\": \"video-1\"}', 1, clock_timestamp() - interval '1 second'),
             ('purge', 'running', '{\"tag\": \"video-2\"}', 1, clock_timestamp() + interval '1 hour')",
    )
    .await;
    app.flush().await;
    assert_eq!(cdn.purged(), ["video-1"]);
    assert_eq!(waiting(&app).await, 1, "its claim is still valid");
    app.finish().await;
}

#[tokio::test]
async fn tags_can_be_sent_in_a_header() {
    let cdn = Cdn::start().await;
    let app = start(&cdn, |config| {
        "PURGE".clone_into(&mut config.purge.method);
        "xkey".clone_into(&mut config.purge.tags_header);
        config.purge.key.clear();
    })
    .await;
    app.sql("update videos set status_id = deleted() where id in (7, 8)").await;
    app.flush().await;
    let calls = cdn.take();
    let call = &calls[0];
    assert_eq!((calls.len(), call.method.as_str(), &*call.body), (1, "PURGE", ""));
    assert_eq!((call.headers["xkey"].to_str().unwrap(), call.headers.get("x-purge-key")), ("video-7 video-8", None));
    app.drain().await;
    app.finish().await;
}

#[tokio::test]
async fn nothing_is_queued_without_a_cache() {
    let app = App::start().await;
    app.change("update videos set status_id = deleted() where id = 1").await;
    assert_eq!(waiting(&app).await, 0);
    assert!(!app.watch("/metrics").await.text().contains("lantern_purge"));
    // Purging was enabled earlier.
    app.sql("update purge_switch set is_on = true; insert into jobs (kind, payload) values ('purge', '{\"tag\": \"video-1\"}')").await;
    app.sweep().await;
    assert_eq!(waiting(&app).await, 0);
    app.change("update videos set status_id = deleted() where id = 2").await;
    assert_eq!(waiting(&app).await, 0);
    app.finish().await;
}

#[tokio::test]
async fn purges_older_than_the_cache_lifetime_are_dropped() {
    let cdn = Cdn::start().await;
    let app = start(&cdn, |config: &mut Config| config.purge.keep_seconds = 3600).await;
    app.sql(
        "insert into jobs (kind, payload, created_at, run_at) values
             ('purge', '{\"tag\": \"video-1\"}', clock_timestamp() - interval '2 hours', clock_timestamp() + interval '1 hour'),
             ('purge', '{\"tag\": \"video-2\"}', clock_timestamp() - interval '30 minutes', clock_timestamp() + interval '1 hour')",
    )
    .await;
    app.sweep().await;
    assert_eq!(
        app.numbers("select count(*) from jobs where kind = 'purge' and payload->>'tag' = 'video-2'").await,
        [1]
    );
    assert_eq!(waiting(&app).await, 1);
    app.finish().await;
}

#[tokio::test]
async fn invalid_purge_settings_fail_at_startup() {
    let app = App::empty(|_| {}).await;
    for (key, change) in [
        ("purge.method", (|config: &mut Config| config.purge.method = "NO METHOD".to_owned()) as fn(&mut Config)),
        ("purge.url", |config: &mut Config| config.purge.url = "http://".to_owned()),
        ("purge.key", |config: &mut Config| config.purge.key = "a\nb".to_owned()),
        ("purge.tags_header", |config: &mut Config| config.purge.tags_header = "two words".to_owned()),
    ] {
        let node = app.node_with(|config| {
            config.purge.url = "http://127.0.0.1:1/".to_owned();
            change(config);
        });
        let error = node.err().expect(key).to_string();
        assert!(error.contains(key), "{error}");
    }
    app.finish().await;
}
