//! `GET /metrics`: figures for operators, in the text format of Prometheus.

use std::net::SocketAddr;

use axum::{
    extract::{ConnectInfo, FromRequestParts, State},
    http::{header, request::Parts},
    response::{IntoResponse, Response},
};

use crate::{
    error::{ApiError, ApiResult},
    state::AppState,
};

/// A request from this machine that no proxy passed on.
pub struct Local;

impl<S: Sync> FromRequestParts<S> for Local {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        // A call inside the process has no peer.
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let local = peer.is_none_or(|ConnectInfo(peer)| peer.ip().to_canonical().is_loopback());
        let passed_on = ["x-forwarded-for", "forwarded", "via"].iter().any(|name| parts.headers.contains_key(*name));
        if local && !passed_on { Ok(Self) } else { Err(ApiError::NotFound("not_found")) }
    }
}

/// The handler.
///
/// # Errors
/// 404 for everybody who is not on this machine.
pub async fn metrics(_: Local, State(state): State<AppState>) -> ApiResult<Response> {
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, state.cache.metrics().await).into_response())
}
