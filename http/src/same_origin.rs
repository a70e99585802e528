//! CSRF protection: other sites must not change anything on behalf of a member.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use lantern_config::Config;
use std::sync::Arc;

use lantern_errors::ApiError;

/// Middleware that rejects unsafe cross-site requests with 403 `cross_site`.
pub async fn guard(State(config): State<Arc<Config>>, request: Request, next: Next) -> Response {
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_safe || is_sandboxed_player(&request) || is_same_origin(request.headers(), &config.server.public_url) {
        next.run(request).await
    } else {
        ApiError::Forbidden("cross_site").into_response()
    }
}

/// Returns whether the request was posted to the embedded player by a document with an opaque origin, such as the player itself in a
/// sandboxed frame. Such a request is let through, because it changes nothing and needs no session. The response links to the video's page,
/// because the player cannot play in that frame.
fn is_sandboxed_player(request: &Request) -> bool {
    request.uri().path().starts_with("/embed/") && has_opaque_origin(request.headers())
}

/// Returns whether a request comes from a document with an opaque origin (`Origin: null`).
pub fn has_opaque_origin(headers: &HeaderMap) -> bool {
    headers.get(header::ORIGIN).is_some_and(|origin| origin == "null")
}

/// Returns whether a request comes from our own pages according to the headers that browsers set. Requests without these headers are
/// allowed if they have no cookies, because they come from programs and there is no session to abuse.
fn is_same_origin(headers: &HeaderMap, public_url: &str) -> bool {
    let value = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let origin = value("origin");
    let by_origin = || {
        let host = value("host");
        origin.is_some_and(|origin| {
            let named = origin.split_once("://").map(|(_, host)| host);
            named.is_some() && named == host || !public_url.is_empty() && origin == public_url.trim_end_matches('/')
        })
    };
    match value("sec-fetch-site") {
        Some("same-origin") => true,
        // The address was typed or comes from a bookmark, neither of which sends a POST, so trust only the origin.
        Some("none") => by_origin(),
        Some(_) => false,
        None => by_origin() || origin.is_none() && !headers.contains_key(header::COOKIE),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn allowed(pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        is_same_origin(&headers, "https://tube.example/")
    }

    #[test]
    fn own_pages_and_programs_without_cookies_are_allowed() {
        assert!(allowed(&[("sec-fetch-site", "same-origin"), ("cookie", "session=1")]));
        assert!(allowed(&[("sec-fetch-site", "none"), ("origin", "https://tube.example")]));
        assert!(allowed(&[("origin", "http://localhost:8080"), ("host", "localhost:8080")]));
        assert!(allowed(&[("origin", "https://tube.example"), ("host", "behind-a-proxy:8080")]));
        assert!(allowed(&[]));
    }

    #[test]
    fn other_sites_are_rejected() {
        assert!(!allowed(&[("sec-fetch-site", "cross-site"), ("origin", "https://tube.example")]));
        assert!(!allowed(&[("sec-fetch-site", "same-site"), ("host", "tube.example")]));
        assert!(!allowed(&[("sec-fetch-site", "none")]));
        assert!(!allowed(&[("origin", "https://evil.example"), ("host", "tube.example")]));
        assert!(!allowed(&[("origin", "null"), ("host", "tube.example")]));
        assert!(!allowed(&[("origin", "https://tube.example.evil.example"), ("host", "tube.example")]));
        assert!(
            !allowed(&[("cookie", "session=1")]),
            "old browsers send neither header, so requests with cookies are rejected"
        );
    }
}
