//! Routes that aren't there: those Meilisearch has are named as not implemented.

use axum::http::{Method, Uri};

use super::error::{ApiError, Code};

/// Parts of the protocol this engine leaves out, by the beginning of their path.
const LEFT_OUT: [&str; 15] = [
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

/// The same below an index.
const LEFT_OUT_OF_INDEX: [&str; 12] = [
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

/// A path without a route.
pub async fn unknown_route(method: Method, uri: Uri) -> ApiError {
    let path = uri.path();
    left_out(&method, path).unwrap_or_else(|| ApiError::new(Code::NotFound, format!("There is no route `{path}`.")))
}

/// A path whose routes have other methods.
pub async fn unknown_method(method: Method, uri: Uri) -> ApiError {
    let path = uri.path();
    left_out(&method, path).unwrap_or_else(|| {
        ApiError::new(Code::MethodNotAllowed, format!("The route `{path}` has no method `{method}`."))
    })
}

fn left_out(method: &Method, path: &str) -> Option<ApiError> {
    let below = |prefix: &&str| path.strip_prefix(*prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let in_index = path
        .strip_prefix("/indexes/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(_, rest)| LEFT_OUT_OF_INDEX.iter().any(|known| rest.starts_with(known)));
    (in_index || LEFT_OUT.iter().any(below)).then(|| ApiError::not_implemented(format!("The route `{method} {path}`")))
}
