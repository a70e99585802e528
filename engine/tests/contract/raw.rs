//! What the SDK doesn't show: statuses, headers, bodies as they are sent.

use axum::body::Body;
use axum::http::{Request, Response, header};
use http_body_util::BodyExt;
use lantern_engine::{Engine, EngineOptions};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::support::{self, Fixture, MASTER};

async fn send(engine: &Engine, method: &str, path: &str, body: &str) -> Response<Body> {
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::AUTHORIZATION, format!("Bearer {MASTER}"))
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body.to_owned()))
        .unwrap();
    engine.router(support::keys()).oneshot(request).await.unwrap()
}

async fn json_of(response: Response<Body>) -> Value {
    serde_json::from_slice(&response.into_body().collect().await.unwrap().to_bytes()).unwrap()
}

async fn answer(f: &Fixture, method: &str, path: &str, body: &str) -> (u16, Value) {
    let response = send(&f.engine, method, path, body).await;
    (response.status().as_u16(), json_of(response).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_answers_in_the_protocols_order() {
    let f = support::in_process();
    f.films().await;
    let path =
        "/indexes/films/search?q=light&limit=1&attributesToRetrieve=title&facets=country&filter=year%20%3E%202005";
    let (status, body) = answer(&f, "GET", path, "").await;
    assert_eq!((status, &body["hits"]), (200, &json!([{ "title": "Harbour Lights" }])));
    let keys: Vec<&str> = body.as_object().unwrap().keys().map(String::as_str).collect();
    let order = ["hits", "query", "processingTimeMs", "limit", "offset", "estimatedTotalHits"];
    assert_eq!(keys[..6], order);
    assert_eq!(keys[6..], ["facetDistribution", "facetStats"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_have_one_shape() {
    let f = support::in_process();
    f.films().await;
    let (status, body) = answer(&f, "POST", "/indexes/films/search", r#"{"limit": "x"}"#).await;
    assert_eq!(
        (status, &body["code"], &body["type"]),
        (400, &json!("invalid_search_limit"), &json!("invalid_request"))
    );
    assert_eq!(body["link"], "https://docs.meilisearch.com/errors#invalid_search_limit");
    let cases = [
        ("POST", "/indexes/films/search", r#"{"nonsense": 1}"#, 400, "bad_request"),
        ("POST", "/indexes/films/search", "{", 400, "malformed_payload"),
        ("POST", "/multi-search", r#"{"queries": [], "federation": {}}"#, 501, "not_implemented"),
        ("POST", "/multi-search", r#"{"queries": [{"q": "x"}]}"#, 400, "missing_index_uid"),
        ("POST", "/indexes/films/similar", "{}", 501, "not_implemented"),
        ("GET", "/keys", "", 501, "not_implemented"),
        ("GET", "/nowhere", "", 404, "not_found"),
        ("GET", "/tasks/x", "", 400, "invalid_task_uids"),
        ("GET", "/tasks/4000000", "", 404, "task_not_found"),
        ("POST", "/indexes/films/facet-search", "{}", 400, "missing_facet_search_facet_name"),
        ("POST", "/indexes/films/documents/delete", r#"{"filter": ""}"#, 400, "invalid_document_filter"),
        ("PATCH", "/indexes/films/settings", r#"{"embedders": {"a": {}}}"#, 501, "not_implemented"),
        ("GET", "/indexes/%FF/search", "", 400, "bad_request"),
    ];
    for (method, path, body, status, code) in cases {
        let (found, error) = answer(&f, method, path, body).await;
        assert_eq!((found, error["code"].as_str()), (status, Some(code)), "{method} {path} {body}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_tells_its_details() {
    let f = support::in_process();
    f.films().await;
    let (status, task) = answer(&f, "GET", "/tasks/2", "").await;
    assert_eq!(
        (status, &task["type"], &task["status"]),
        (200, &json!("documentAdditionOrUpdate"), &json!("succeeded"))
    );
    assert_eq!(task["details"], json!({ "receivedDocuments": 8, "indexedDocuments": 8 }));
    assert!(task["duration"].as_str().unwrap().starts_with("PT0."), "{task}");
    let (status, accepted) = answer(&f, "DELETE", "/indexes/films/documents/1", "").await;
    assert_eq!((status, &accepted["taskUid"], &accepted["indexUid"]), (202, &json!(3), &json!("films")));
}

#[tokio::test(flavor = "multi_thread")]
async fn too_much_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = EngineOptions::new(folder.path());
    (options.max_body, options.search_concurrency, options.search_queue) = (1000, 1, 0);
    let engine = Engine::open(options).unwrap();
    let large = format!(r#"[{{"id": 1, "text": "{}"}}]"#, "x".repeat(2000));
    let response = send(&engine, "POST", "/indexes/a/documents", &large).await;
    assert_eq!(response.status().as_u16(), 413);
    assert_eq!(json_of(response).await["code"], "payload_too_large");

    let searches = (0..200).map(|_| send(&engine, "POST", "/indexes/a/search", "{}"));
    let answers = futures_util::future::join_all(searches).await;
    let refused: Vec<_> = answers.into_iter().filter(|answer| answer.status().as_u16() == 503).collect();
    assert!(!refused.is_empty());
    for answer in refused {
        assert_eq!(answer.headers()[header::RETRY_AFTER], "10");
        assert_eq!(json_of(answer).await["code"], "too_many_search_requests");
    }
}
