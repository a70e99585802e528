//! Fallback routes: Meilisearch routes that are missing here are reported as not implemented.

use axum::http::{Method, Uri};

use super::error::{ApiError, Code};

/// Path prefixes in the protocol that this engine doesn't support.
const UNSUPPORTED: [&str; 15] = [
    "/batches",
    "/chats",
    "/dumps",
    "/experimental-features",
    "/export",
    "/keys",
    "/logs",
    "/metrics",
    "/network",
    "/snapshots",
    "/tasks",
    "/webhooks",
    "/dynamic-search-rules",
    "/configure",
    "/fields",
];

/// Unsupported paths below an index.
const UNSUPPORTED_IN_INDEX: [&str; 12] = [
    "similar",
    "documents/edit",
    "settings/embedders",
    "settings/chat",
    "settings/dictionary",
    "settings/facet-search",
    "settings/non-separator-tokens",
    "settings/prefix-search",
    "settings/proximity-precision",
    "settings/separator-tokens",
    "fields",
    "render-template",
];

/// Handles a path that has no route.
pub async fn unknown_route(method: Method, uri: Uri) -> ApiError {
    let path = uri.path();
    unsupported(&method, path).unwrap_or_else(|| ApiError::new(Code::NotFound, format!("There is no route `{path}`.")))
}

/// Handles a route that doesn't have the requested method.
pub async fn unknown_method(method: Method, uri: Uri) -> ApiError {
    let path = uri.path();
    unsupported(&method, path).unwrap_or_else(|| {
        ApiError::new(Code::MethodNotAllowed, format!("The route `{path}` has no method `{method}`."))
    })
}

fn unsupported(method: &Method, path: &str) -> Option<ApiError> {
    let below = |prefix: &&str| path.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let in_index = path
        .strip_prefix("/indexes/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(_, rest)| UNSUPPORTED_IN_INDEX.iter().any(|known| rest.starts_with(known)));
    (in_index || UNSUPPORTED.iter().any(below))
        .then(|| ApiError::not_implemented(format!("The route `{method} {path}`")))
}
