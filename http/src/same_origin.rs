//! What changes something is requested by our own pages: another site's form must not act for a member.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use lantern_config::Config;
use std::sync::Arc;

use lantern_errors::ApiError;

/// Refuses what another site's page makes a browser send.
pub async fn guard(State(config): State<Arc<Config>>, request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if reads || is_boxed_player(&request) || is_ours(request.headers(), &config.server.public_url) {
        next.run(request).await
    } else {
        ApiError::Forbidden("cross_site").into_response()
    }
}

/// Whether a player asks from a frame that its page has put into a box (`sandbox`), where it has no origin. The call changes nothing, and
/// knows nobody; the player says in its frame why it doesn't play there.
fn is_boxed_player(request: &Request) -> bool {
    request.uri().path().starts_with("/embed/") && is_boxed(request.headers())
}

/// Whether a request comes from a document without an origin.
pub fn is_boxed(headers: &HeaderMap) -> bool {
    headers.get(header::ORIGIN).is_some_and(|origin| origin == "null")
}

/// Whether a request comes from our own pages, as far as the browser says. Programs say nothing, and have no cookies
/// that a stranger could make use of.
fn is_ours(headers: &HeaderMap, public_url: &str) -> bool {
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
        // Typed or from a bookmark, neither of which posts; unless the origin says otherwise.
        Some("none") => by_origin(),
        Some(_) => false,
        None => by_origin() || origin.is_none() && !headers.contains_key(header::COOKIE),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn ours(pairs: &[(&'static str, &'static str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(*name, HeaderValue::from_static(value));
        }
        is_ours(&headers, "https://tube.example/")
    }

    #[test]
    fn our_own_pages_and_programs_without_cookies_may() {
        assert!(ours(&[("sec-fetch-site", "same-origin"), ("cookie", "session=1")]));
        assert!(ours(&[("sec-fetch-site", "none"), ("origin", "https://tube.example")]));
        assert!(ours(&[("origin", "http://localhost:8080"), ("host", "localhost:8080")]));
        assert!(ours(&[("origin", "https://tube.example"), ("host", "behind-a-proxy:8080")]));
        assert!(ours(&[]));
    }

    #[test]
    fn other_sites_may_not() {
        assert!(!ours(&[("sec-fetch-site", "cross-site"), ("origin", "https://tube.example")]));
        assert!(!ours(&[("sec-fetch-site", "same-site"), ("host", "tube.example")]));
        assert!(!ours(&[("sec-fetch-site", "none")]));
        assert!(!ours(&[("origin", "https://evil.example"), ("host", "tube.example")]));
        assert!(!ours(&[("origin", "null"), ("host", "tube.example")]));
        assert!(!ours(&[("origin", "https://tube.example.evil.example"), ("host", "tube.example")]));
        assert!(!ours(&[("cookie", "session=1")]), "a browser of old says nothing, so its cookies count for nothing");
    }
}
