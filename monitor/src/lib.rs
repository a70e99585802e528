//! Monitoring endpoints for operators, on a separate address that must not be exposed by the site's proxy.

mod metrics;
mod queues;
mod ready;
mod reports;
mod sync;

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use axum::{
    Router,
    extract::{Request, State},
    http::Method,
    middleware,
    response::Response,
    routing::get,
};
use lantern_api::{AppState, explain};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    envelope::{Bounds, Settings, envelope},
    health::Health,
    host,
};
use tower::ServiceExt;

/// The monitoring service, which responds even before the site has started. A clone is another handle.
#[derive(Clone)]
pub struct Monitor {
    config: Arc<Config>,
    health: Arc<Health>,
    site: Arc<OnceLock<AppState>>,
}

impl Monitor {
    /// Creates the service for a process that is starting.
    #[must_use]
    pub fn new(config: Arc<Config>, health: Arc<Health>) -> Self {
        Self { config, health, site: Arc::default() }
    }

    /// Adds the site once it has started.
    pub fn open(&self, site: AppState) {
        // A process has only one site, so setting it twice is harmless.
        let _ = self.site.set(site);
    }

    /// Returns the routes `/explain`, `/metrics`, `/health/live` and `/health/ready` for `server.monitor_listen`.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/health/live", get(ready::live))
            .route("/health/ready", get(async |State(monitor): State<Self>| monitor.ready().await))
            .method_not_allowed_fallback(async || ApiError::Method)
            .fallback(async |State(monitor): State<Self>, request: Request| monitor.of_site(request).await)
            .layer(middleware::from_fn_with_state(Arc::clone(&self.config), host::guard_monitor))
            .layer(middleware::from_fn_with_state(self.settings(), envelope))
            .with_state(self.clone())
    }

    fn settings(&self) -> Settings {
        let server = &self.config.server;
        let (time, bytes) = (Duration::from_secs(server.request_timeout), server.body_limit);
        let bounds = Arc::new(move |_: &Method, _: &str| Bounds { time, bytes, is_resumable: false });
        Settings { body_timeout: Duration::from_secs(server.body_timeout), bounds }
    }

    async fn ready(&self) -> ApiResult<Response> {
        let site = self.site.get().map(|site| (&site.pool, &*site.reader));
        ready::ready(&self.health, &self.config.supervision, site).await
    }

    async fn of_site(&self, request: Request) -> ApiResult<Response> {
        let site = self.site.get().ok_or_else(|| ApiError::unavailable("the site is starting"))?;
        let router = Router::new()
            .route("/explain", get(explain))
            .route("/metrics", get(metrics::metrics))
            .method_not_allowed_fallback(async || ApiError::Method)
            .fallback(async || ApiError::NotFound("not_found"))
            .with_state(site.clone());
        let Ok(response) = router.oneshot(request).await;
        Ok(response)
    }
}
