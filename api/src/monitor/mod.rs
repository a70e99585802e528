//! What operators and their programs read, on an address of its own: no proxy in front of the site passes it on.

pub mod disk;
mod health;
pub mod jobs;
mod metrics;
mod sync;

use axum::{Router, middleware, routing::get};

use crate::{
    http::{ApiError, envelope::envelope},
    search::explain,
    state::AppState,
};

/// `/explain`, `/metrics`, `/health/live` and `/health/ready`, for `server.monitor_listen`.
pub fn monitor(state: &AppState) -> Router {
    Router::new()
        .route("/explain", get(explain::explain))
        .route("/metrics", get(metrics::metrics))
        .route("/health/live", get(health::live))
        .route("/health/ready", get(health::ready))
        .fallback(async || ApiError::NotFound("not_found"))
        .method_not_allowed_fallback(async || ApiError::Method)
        .layer(middleware::from_fn_with_state(state.clone(), envelope))
        .with_state(state.clone())
}
