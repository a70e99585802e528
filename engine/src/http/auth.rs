//! Authentication. The master key allows everything, the search key allows only searches, and `/health` needs no key.

use std::sync::Arc;

use axum::extract::{MatchedPath, Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use super::error::{ApiError, Code};

/// Keys for an engine's router.
#[derive(Clone)]
pub struct Keys {
    /// Allows every route.
    pub master: String,
    /// Allows search, multi-search and facet search.
    pub search: String,
}

impl Keys {
    /// Creates a pair of keys.
    pub fn new(master: impl Into<String>, search: impl Into<String>) -> Self {
        Self { master: master.into(), search: search.into() }
    }

    /// Derives the search key from the master key, so that only one key has to be stored.
    pub fn from_master(master: impl Into<String>) -> Self {
        let master = master.into();
        let digest = Sha256::new().chain_update(b"search key of ").chain_update(&master).finalize();
        let search = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        Self { master, search }
    }
}

impl std::fmt::Debug for Keys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keys(…)")
    }
}

/// Access control of a router.
#[derive(Clone)]
pub enum Access {
    Trusted,
    Keys(Arc<Keys>),
}

const SEARCH_ROUTES: [&str; 3] = ["/indexes/{uid}/search", "/indexes/{uid}/facet-search", "/multi-search"];

/// Passes on a request if its key allows the route.
pub async fn check(State(access): State<Access>, request: Request, next: Next) -> Response {
    let Access::Keys(keys) = access else { return next.run(request).await };
    let header = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let key = match header.split_once(' ') {
        Some(("Bearer", key)) => key,
        None if header == "Bearer" => "",
        _ => {
            let message = "The Authorization header is missing. It must use the bearer authorization method.";
            return ApiError::new(Code::MissingAuthorizationHeader, message).into_response();
        }
    };
    let searches = request.extensions().get::<MatchedPath>().is_some_and(|path| SEARCH_ROUTES.contains(&path.as_str()));
    if same(key, &keys.master) || (searches && same(key, &keys.search)) {
        return next.run(request).await;
    }
    ApiError::new(Code::InvalidApiKey, "The provided API key is invalid.").into_response()
}

/// Compares two keys in constant time. An empty `key` matches nothing.
fn same(given: &str, key: &str) -> bool {
    let digest = |text: &str| Sha256::digest(text.as_bytes());
    let difference = digest(given).iter().zip(digest(key)).fold(0, |sum, (a, b)| sum | (a ^ b));
    !key.is_empty() && difference == 0
}
