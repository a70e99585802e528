//! Authentication, and access by browsers.

use axum::http::header::{ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_ORIGIN};
use meilisearch_sdk::errors::ErrorCode;
use serde_json::{Value, json};

use crate::contract;
use crate::fixture::{Fixture, code};

contract!(requires_a_key, explains_key_errors, allows_browsers);
contract!(SEARCH_KEY_TESTS: search_key_only_searches);

async fn requires_a_key(f: Fixture) {
    let guest = f.client_with(None);
    assert!(guest.is_healthy().await);
    assert_eq!(code(guest.get_version().await), ErrorCode::MissingAuthorizationHeader);
    let search = guest.index(f.uid("films")).search().execute::<Value>().await;
    assert_eq!(code(search), ErrorCode::MissingAuthorizationHeader);
    let stranger = f.client_with(Some("wrong"));
    assert_eq!(code(stranger.get_stats().await), ErrorCode::InvalidApiKey);
    assert_eq!(code(stranger.index(f.uid("films")).delete().await), ErrorCode::InvalidApiKey);
}

async fn explains_key_errors(f: Fixture) {
    let missing = json!({
        "message": "The Authorization header is missing. It must use the bearer authorization method.",
        "code": "missing_authorization_header",
        "type": "auth",
        "link": "https://docs.meilisearch.com/errors#missing_authorization_header",
    });
    for headers in [&[][..], &[("authorization", "Basic abc")][..]] {
        let answer = f.raw("GET", "/stats", headers, "").await;
        assert_eq!((answer.status, &answer.body), (401, &missing));
    }
    let invalid = json!({
        "message": "The provided API key is invalid.",
        "code": "invalid_api_key",
        "type": "auth",
        "link": "https://docs.meilisearch.com/errors#invalid_api_key",
    });
    for key in ["Bearer wrong", "Bearer"] {
        let answer = f.raw("GET", "/stats", &[("authorization", key)], "").await;
        assert_eq!((answer.status, &answer.body), (403, &invalid), "{key}");
    }
}

async fn allows_browsers(f: Fixture) {
    let origin = ("origin", "https://shop.example");
    let asked = [
        origin,
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization,content-type"),
    ];
    let answer = f.raw("OPTIONS", &format!("/indexes/{}/search", f.uid("a")), &asked, "").await;
    assert_eq!((answer.status, answer.headers[ACCESS_CONTROL_ALLOW_ORIGIN].to_str().unwrap()), (200, "*"));
    let allowed = answer.headers[ACCESS_CONTROL_ALLOW_HEADERS].to_str().unwrap().to_lowercase();
    assert!(allowed.contains("authorization") && allowed.contains("content-type"), "{allowed}");
    let answer = f.raw("GET", "/health", &[origin], "").await;
    assert_eq!(answer.headers[ACCESS_CONTROL_ALLOW_ORIGIN].to_str().unwrap(), "*");
    assert_eq!((answer.status, answer.body), (200, json!({ "status": "available" })));
}

async fn search_key_only_searches(f: Fixture) {
    f.films().await;
    let searcher = f.searcher();
    let films = searcher.index(f.uid("films"));
    assert_eq!(films.search().execute::<Value>().await.unwrap().hits.len(), 8);
    assert_eq!(films.facet_search("genres").execute().await.unwrap().facet_hits.len(), 5);
    let search = films.search().with_query("lanterns").build();
    let many = searcher.multi_search().with_search_query(search).execute::<Value>().await.unwrap();
    assert_eq!(many.results[0].hits.len(), 1);
    assert_eq!(code(films.get_documents::<Value>().await), ErrorCode::InvalidApiKey);
    assert_eq!(code(films.delete_all_documents().await), ErrorCode::InvalidApiKey);
    assert_eq!(code(films.get_settings().await), ErrorCode::InvalidApiKey);
    assert_eq!(code(searcher.get_tasks().await), ErrorCode::InvalidApiKey);
}
