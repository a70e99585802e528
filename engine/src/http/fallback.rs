//! Routes that aren't there: those Meilisearch has are named as not implemented.

use axum::http::{Method, Uri};

use super::error::{ApiError, Code};

/// Parts of the protocol this engine leaves out, by the beginning of their path.
const LEFT_OUT: [&str; 14] = [
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
    "/webhooks",
    "/dynamic-search-rules",
    "/configure",
    "/fields",
];

/// The same below an index.
const LEFT_OUT_OF_INDEX: [&str; 6] =
    ["similar", "documents/edit", "settings/embedders", "settings/chat", "fields", "render-template"];

/// A path without a route.
pub async fn unknown_route(method: Method, uri: Uri) -> ApiError {
    let path = uri.path();
    let below =
        |prefix: &&&str| path.strip_prefix(**prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let in_index = path
        .strip_prefix("/indexes/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(_, rest)| LEFT_OUT_OF_INDEX.iter().any(|known| rest.starts_with(known)));
    if in_index || LEFT_OUT.iter().any(|known| below(&known)) {
        return ApiError::not_implemented(format!("The route `{method} {path}`"));
    }
    ApiError::new(Code::NotFound, format!("There is no route `{path}`."))
}

/// A path whose routes have other methods.
pub async fn unknown_method(method: Method, uri: Uri) -> ApiError {
    ApiError::not_implemented(format!("The route `{method} {}`", uri.path()))
}
