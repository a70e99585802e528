//! Tests responses that are specific to this engine: those for unsupported parts of the protocol and for its limits.

#![expect(clippy::unwrap_used, reason = "tests panic if their setup fails")]

use axum::body::Body;
use axum::http::{Request, Response, header};
use http_body_util::BodyExt;
use lantern_engine::{Engine, EngineOptions, Keys, PROTOCOL_VERSION};
use lantern_index::{Filter, Transport};
use serde_json::{Value, json};
use tower::ServiceExt;

const MASTER: &str = "a master key of a test";

struct OpenEngine {
    engine: Engine,
    _folder: tempfile::TempDir,
}

fn open(change: impl FnOnce(&mut EngineOptions)) -> OpenEngine {
    let folder = tempfile::tempdir().unwrap();
    let mut options = EngineOptions::new(folder.path());
    (options.initial_map_size, options.queue_map_size) = (16 << 20, 64 << 20);
    change(&mut options);
    OpenEngine { engine: Engine::open(options).unwrap(), _folder: folder }
}

impl OpenEngine {
    async fn send_as(&self, kind: &str, method: &str, path: &str, body: &str) -> Response<Body> {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {MASTER}"))
            .header(header::CONTENT_TYPE, kind)
            .body(Body::from(body.to_owned()))
            .unwrap();
        self.engine.router(Keys::from_master(MASTER)).oneshot(request).await.unwrap()
    }

    async fn answer(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let response = self.send_as("application/json", method, path, body).await;
        (response.status().as_u16(), json_of(response).await)
    }

    /// Creates an index `films` with a filterable facet and one document.
    async fn films(&self) {
        let client = Transport::in_process(self.engine.trusted_router(), None);
        let wait = async |task: meilisearch_sdk::task_info::TaskInfo| {
            task.wait_for_completion(&client, None, None).await.unwrap()
        };
        let films = client.index("films");
        assert!(wait(films.set_filterable_attributes(["facet"]).await.unwrap()).await.is_success());
        let documents = [json!({ "id": 1, "facet": "x" })];
        assert!(wait(films.add_documents(&documents, Some("id")).await.unwrap()).await.is_success());
    }
}

async fn json_of(response: Response<Body>) -> Value {
    serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn unsupported_features_return_not_implemented() {
    let opened = open(|_| {});
    opened.films().await;
    let cases = [
        ("GET", "/keys", ""),
        ("POST", "/keys", "{}"),
        ("GET", "/batches", ""),
        ("GET", "/batches/1", ""),
        ("POST", "/dumps", ""),
        ("POST", "/snapshots", ""),
        ("GET", "/experimental-features", ""),
        ("GET", "/network", ""),
        ("GET", "/metrics", ""),
        ("POST", "/export", "{}"),
        ("POST", "/multi-search", r#"{"queries": [], "federation": {}}"#),
        ("POST", "/indexes/films/similar", "{}"),
        ("POST", "/indexes/films/documents/edit", "{}"),
        ("POST", "/indexes/films/search", r#"{"vector": [0.5]}"#),
        ("POST", "/indexes/films/search", r#"{"hybrid": {"embedder": "a"}}"#),
        ("POST", "/indexes/films/search", r#"{"retrieveVectors": true}"#),
        ("POST", "/indexes/films/search", r#"{"showMatchesPosition": true}"#),
        ("POST", "/indexes/films/search", r#"{"rankingScoreThreshold": 0.5}"#),
        ("POST", "/indexes/films/search", r#"{"locales": ["de"]}"#),
        ("POST", "/indexes/films/facet-search", r#"{"facetName": "facet", "locales": ["de"]}"#),
        ("GET", "/indexes/films/documents?retrieveVectors=true", ""),
        ("GET", "/indexes/films/documents?sort=id:asc", ""),
        ("POST", "/indexes/films/documents/fetch", r#"{"sort": ["id:asc"]}"#),
        ("POST", "/indexes/films/documents?csvDelimiter=;", "[]"),
        ("GET", "/indexes/films/settings/embedders", ""),
        ("PUT", "/indexes/films/settings/dictionary", "[]"),
        ("PATCH", "/indexes/films/settings", r#"{"prefixSearch": "disabled"}"#),
        ("PATCH", "/indexes/films/settings", r#"{"embedders": {"a": {"source": "rest"}}}"#),
        ("POST", "/tasks/cancel?statuses=enqueued", ""),
        ("DELETE", "/tasks?statuses=failed", ""),
        ("GET", "/tasks?canceledBy=1", ""),
        ("GET", "/tasks?afterEnqueuedAt=2020-01-01", ""),
        ("POST", "/swap-indexes", r#"[{"indexes": ["films", "b"], "rename": true}]"#),
    ];
    for (method, path, body) in cases {
        let (status, error) = opened.answer(method, path, body).await;
        assert_eq!((status, &error["code"]), (501, &json!("not_implemented")), "{method} {path} {body}: {error}");
        assert_eq!(error["link"], "https://docs.meilisearch.com/errors#not_implemented");
        assert!(error["message"].as_str().unwrap().contains("isn't implemented"), "{error}");
    }
    let csv = opened.send_as("text/csv", "POST", "/indexes/films/documents", "id\n1").await;
    assert_eq!((csv.status().as_u16(), &json_of(csv).await["code"]), (501, &json!("not_implemented")));
    for filter in ["facet CONTAINS x", "facet STARTS WITH x"] {
        let (status, error) =
            opened.answer("POST", "/indexes/films/search", &json!({ "filter": filter }).to_string()).await;
        assert_eq!((status, &error["code"]), (400, &json!("invalid_search_filter")), "{error}");
    }
    // Parameters without an effect are accepted.
    let off = r#"{"retrieveVectors": false, "hybrid": null}"#;
    assert_eq!(opened.answer("POST", "/indexes/films/search", off).await.0, 200);
    assert_eq!(opened.answer("PATCH", "/indexes/films/settings", r#"{"embedders": {}}"#).await.0, 202);
}

#[tokio::test(flavor = "multi_thread")]
async fn routing_errors_have_the_protocol_format() {
    let opened = open(|_| {});
    let cases = [
        ("GET", "/nowhere", 404, "not_found"),
        ("PUT", "/indexes/films/search", 405, "method_not_allowed"),
        ("GET", "/indexes/films/search?q=x", 405, "method_not_allowed"),
        ("PATCH", "/indexes/films", 405, "method_not_allowed"),
        ("GET", "/indexes/%FF/stats", 400, "bad_request"),
    ];
    for (method, path, status, code) in cases {
        let (found, error) = opened.answer(method, path, "").await;
        assert_eq!((found, error["code"].as_str()), (status, Some(code)), "{method} {path}: {error}");
    }
    assert_eq!(opened.answer("GET", "/version", "").await.1["pkgVersion"], PROTOCOL_VERSION);
}

#[tokio::test(flavor = "multi_thread")]
async fn uid_length_is_limited() {
    let opened = open(|_| {});
    let create = async |length: usize| {
        opened.answer("POST", "/indexes", &json!({ "uid": "x".repeat(length) }).to_string()).await
    };
    assert_eq!(create(400).await.0, 202);
    let (status, error) = create(401).await;
    assert_eq!((status, &error["code"]), (400, &json!("invalid_index_uid")), "{error}");
    assert_eq!(create(0).await.0, 400);
}

#[tokio::test(flavor = "multi_thread")]
async fn overlong_filter_values_are_refused() {
    let opened = open(|_| {});
    opened.films().await;
    let search = async |filter: Value| {
        opened.answer("POST", "/indexes/films/search", &json!({ "filter": filter }).to_string()).await
    };
    // The last text grows elevenfold when it is normalized.
    let long = ["x".repeat(469), "🦀".repeat(118), "\\".repeat(469), "y".repeat(5000), "\u{fdfa}".repeat(20)];
    for text in long {
        let filters = [
            Filter::eq("facet", &text),
            !Filter::ne("facet", &text),
            Filter::in_("facet", ["x", text.as_str()]).or(Filter::exists("facet")),
            Filter::gt("facet", &text),
            Filter::between("facet", "a", &text),
        ];
        for filter in filters {
            for filter in [json!(filter.to_string()), json!([["facet = x", filter.to_string()]])] {
                let (status, error) = search(filter).await;
                assert_eq!((status, &error["code"]), (400, &json!("invalid_search_filter")), "{error}");
                let message = error["message"].as_str().unwrap();
                assert!(message.contains("of the attribute `facet` is longer than 468 bytes"), "{message}");
                assert!(message.len() < 300, "{message}");
            }
        }
    }
    assert_eq!(search(json!(Filter::eq("facet", "x".repeat(468)).to_string())).await.0, 200);
    let many = Filter::in_("facet", (0..500).map(|i| format!("value {i}")));
    assert_eq!(search(json!(many.to_string())).await.0, 200);
    let (status, error) = opened
        .answer(
            "POST",
            "/indexes/films/documents/delete",
            &json!({ "filter": format!("facet = {}", "x".repeat(469)) }).to_string(),
        )
        .await;
    assert_eq!((status, &error["code"]), (400, &json!("invalid_document_filter")), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn large_bodies_and_excess_searches_are_refused() {
    let opened = open(|options| {
        (options.max_body, options.search_concurrency, options.search_queue) = (20_000, 1, 0);
    });
    let large = format!(r#"[{{"id": 1, "text": "{}"}}]"#, "x".repeat(20_000));
    for path in ["/indexes/a/documents", "/indexes/a/search"] {
        let (status, error) = opened.answer("POST", path, &large).await;
        assert_eq!((status, &error["code"]), (413, &json!("payload_too_large")));
        let message = "The provided payload reached the size limit. The maximum accepted payload size is 19.53 KiB.";
        assert_eq!(error["message"], message);
    }
    opened.films().await;
    // This request takes long enough for the others to arrive while it holds the permit, however busy the machine is.
    let many = json!({ "queries": vec![json!({ "indexUid": "films", "q": "a" }); 500] }).to_string();
    let long = opened.send_as("application/json", "POST", "/multi-search", &many);
    let short = (0..50).map(|_| opened.send_as("application/json", "POST", "/indexes/films/search", "{}"));
    let (long, answers) = futures_util::join!(long, futures_util::future::join_all(short));
    assert_eq!(long.status().as_u16(), 200);
    let refused: Vec<_> = answers.into_iter().filter(|answer| answer.status().as_u16() == 503).collect();
    assert!(!refused.is_empty());
    for answer in refused {
        assert_eq!(answer.headers()[header::RETRY_AFTER], "10");
        assert_eq!(json_of(answer).await["code"], "too_many_search_requests");
    }
}
