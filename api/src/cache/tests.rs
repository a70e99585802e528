use std::sync::atomic::{AtomicUsize, Ordering};

use axum::http::StatusCode;
use lantern_catalog::{changes::Change, outbox::Entity};
use lantern_config::Config;

use super::*;

struct Fixture {
    changes: Changes,
    cache: ResponseCache,
    runs: Arc<AtomicUsize>,
}

#[derive(Serialize)]
struct Answer {
    run: usize,
    filling: String,
    #[serde(skip)]
    objects: Vec<Object>,
}

impl Shows for Answer {
    fn shows(&self, objects: &mut Vec<Object>) {
        objects.extend(&self.objects);
    }
}

fn video(id: i64) -> Object {
    (Entity::Video, id)
}

impl Fixture {
    fn new() -> Self {
        let changes = Changes::default();
        let cache = ResponseCache::new(&Config::default().cache, changes.clone());
        Self { changes, cache, runs: Arc::default() }
    }

    async fn ask_with(&self, key: &str, objects: &[Object], headers: &HeaderMap) -> Response {
        let (runs, objects) = (Arc::clone(&self.runs), objects.to_vec());
        let compute = async move {
            tokio::task::yield_now().await;
            Ok(Answer { run: runs.fetch_add(1, Ordering::SeqCst), filling: "lantern ".repeat(500), objects })
        };
        self.cache.respond(key, 60, headers, compute).await.expect("answer")
    }

    async fn ask(&self, key: &str, objects: &[Object]) -> Response {
        self.ask_with(key, objects, &HeaderMap::new()).await
    }

    fn runs(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }

    fn change(&self, objects: &[Object]) {
        self.changes.note(&Change::Objects(objects.to_vec()));
    }

    /// Waits until the refreshes under way are done.
    async fn settled(&self, runs: usize) {
        while self.runs() < runs {
            tokio::task::yield_now().await;
        }
        for _ in 0..10 {
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn many_at_once_cost_one_computation() {
    let fixture = Fixture::new();
    let answers = futures_util::future::join_all((0..1000).map(|_| fixture.ask("key", &[]))).await;
    assert_eq!(fixture.runs(), 1);
    assert!(answers.iter().all(|a| a.headers()[header::ETAG] == answers[0].headers()[header::ETAG]));
}

#[tokio::test]
async fn the_second_who_asks_gets_a_smaller_form_and_the_first_keeps_his() {
    let fixture = Fixture::new();
    let asked = |tag: Option<&HeaderValue>| {
        let tag = tag.map(|tag| (header::IF_NONE_MATCH, tag.clone()));
        tag.into_iter().chain([(header::ACCEPT_ENCODING, HeaderValue::from_static("br"))]).collect::<HeaderMap>()
    };
    let first = fixture.ask_with("key", &[], &asked(None)).await;
    let quick = first.headers()[header::ETAG].clone();
    let still = fixture.ask_with("key", &[], &asked(Some(&quick))).await;
    assert_eq!((still.status(), &still.headers()[header::ETAG]), (StatusCode::NOT_MODIFIED, &quick));
    let mut told: Vec<&str> = still.headers().keys().map(header::HeaderName::as_str).collect();
    told.sort_unstable();
    assert_eq!(told, ["cache-control", "etag", "vary"], "RFC 9110, 15.4.5");
    let second = fixture.ask_with("key", &[], &asked(None)).await;
    assert_ne!(second.headers()[header::ETAG], quick, "other bytes, another tag");
    let length = |response: &Response| -> u32 {
        response.headers()[header::CONTENT_LENGTH].to_str().expect("text").parse().expect("a number")
    };
    assert!(length(&second) <= length(&first));
    let third = fixture.ask_with("key", &[], &asked(None)).await;
    assert_eq!(third.headers()[header::ETAG], second.headers()[header::ETAG]);
}

#[tokio::test]
async fn what_changed_is_never_sent_again_and_the_rest_survives() {
    let fixture = Fixture::new();
    fixture.ask("one", &[video(1), video(2)]).await;
    fixture.ask("two", &[video(3)]).await;
    fixture.change(&[video(2)]);
    fixture.ask("one", &[video(1)]).await;
    assert_eq!(fixture.runs(), 3, "computed while the client waits");
    // Stale, because the index is newer, but whole: sent from memory and computed anew beside.
    let before = fixture.runs();
    let stale = fixture.ask("two", &[video(3)]).await;
    assert_eq!((stale.status(), fixture.runs()), (StatusCode::OK, before));
    fixture.settled(before + 1).await;
    fixture.ask("two", &[video(3)]).await;
    assert_eq!(fixture.runs(), before + 1, "fresh again");
}

#[tokio::test]
async fn a_stale_answer_is_computed_anew_once() {
    let fixture = Fixture::new();
    fixture.ask("key", &[]).await;
    fixture.change(&[]);
    futures_util::future::join_all((0..100).map(|_| fixture.ask("key", &[]))).await;
    fixture.settled(2).await;
    assert_eq!(fixture.runs(), 2);
}

#[tokio::test]
async fn an_answer_from_before_a_change_is_not_sent_after_it() {
    let fixture = Fixture::new();
    let changes = fixture.changes.clone();
    let compute = async move {
        changes.note(&Change::Objects(vec![video(7)]));
        Ok(Answer { run: 0, filling: String::new(), objects: vec![video(7)] })
    };
    fixture.cache.respond("key", 60, &HeaderMap::new(), compute).await.expect("answer");
    fixture.ask("key", &[video(7)]).await;
    assert_eq!(fixture.runs(), 1, "computed anew");
}

#[tokio::test]
async fn everything_can_change_at_once() {
    let fixture = Fixture::new();
    fixture.ask("key", &[]).await;
    fixture.changes.note(&Change::Everything);
    fixture.ask("key", &[]).await;
    assert_eq!(fixture.runs(), 2);
}

#[tokio::test]
async fn failures_are_not_kept() {
    let fixture = Fixture::new();
    let fail = async { Err::<Answer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), fail).await.is_err());
    fixture.ask("key", &[]).await;
    assert_eq!(fixture.runs(), 1);
}

#[tokio::test]
async fn what_is_gone_leaves_no_stale_answer() {
    let fixture = Fixture::new();
    fixture.ask("key", &[]).await;
    fixture.change(&[]);
    let gone = async { Err::<Answer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), gone).await.is_ok());
    fixture.settled(1).await;
    let gone = async { Err::<Answer, _>(ApiError::NotFound("x")) };
    assert!(fixture.cache.respond("key", 60, &HeaderMap::new(), gone).await.is_err());
}

#[tokio::test]
async fn a_known_tag_costs_no_body_and_each_form_has_its_own() {
    let fixture = Fixture::new();
    let tag_of = |response: &Response| response.headers()[header::ETAG].to_str().expect("text").to_owned();
    let plain = tag_of(&fixture.ask("key", &[]).await);
    let mut br = HeaderMap::new();
    br.insert(header::ACCEPT_ENCODING, "br".parse().expect("header"));
    let packed = fixture.ask_with("key", &[], &br).await;
    assert_eq!(packed.headers()[header::CONTENT_ENCODING], "br");
    assert_ne!(tag_of(&packed), plain);
    for (asked, status) in [
        (plain.clone(), StatusCode::NOT_MODIFIED),
        (format!("\"x\", W/{plain}"), StatusCode::NOT_MODIFIED),
        ("*".to_owned(), StatusCode::NOT_MODIFIED),
        (tag_of(&packed), StatusCode::OK),
    ] {
        let mut headers = HeaderMap::new();
        headers.insert(header::IF_NONE_MATCH, asked.parse().expect("header"));
        let response = fixture.ask_with("key", &[], &headers).await;
        assert_eq!(response.status(), status, "{asked}");
    }
    assert_eq!(fixture.runs(), 1);
}

#[tokio::test]
async fn memory_is_bounded() {
    let changes = Changes::default();
    let config = CacheConfig { max_bytes: 200_000, ..Config::default().cache };
    let cache = ResponseCache::new(&config, changes.clone());
    let fixture = Fixture { changes, cache, runs: Arc::default() };
    for key in 0..500 {
        fixture.ask(&key.to_string(), &[]).await;
    }
    let text = fixture.cache.metrics().await;
    let value = |name: &str| -> u64 {
        let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).expect("metric");
        line.rsplit(' ').next().and_then(|number| number.parse().ok()).expect("number")
    };
    assert!(value("lantern_cache_bytes") <= 200_000, "{text}");
    assert_eq!(value("lantern_cache_misses_total"), 500);
    assert!(value("lantern_cache_evictions_total") > 400, "{text}");
}
