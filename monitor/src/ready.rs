//! `/health/live` (the process responds) and `/health/ready` (the process, its roles and its dependencies work).

use std::time::Instant;

use axum::{
    Json,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use lantern_config::Supervision;
use lantern_errors::ApiResult;
use lantern_http::health::Health;
use lantern_index::IndexName;
use lantern_search::index::Reader;
use serde::Serialize;
use sqlx::{Connection, PgPool};

#[derive(Debug, Serialize)]
struct Live {
    /// Always `ok`.
    status: &'static str,
}

/// The process and its dependencies work.
#[derive(Debug, Serialize)]
struct Ready {
    /// Always `ok`.
    status: &'static str,
    videos: usize,
}

/// Why the process should receive no requests.
#[derive(Debug, Serialize)]
struct NotReady {
    /// `starting`, `draining` or `failing`.
    status: &'static str,
    /// Failing roles.
    roles: Vec<&'static str>,
}

pub async fn live() -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(Live { status: "ok" })).into_response()
}

/// Checks that no role fails, Postgres and the search engine respond, and the index exists. `site` is `None` while the process starts.
pub async fn ready(health: &Health, bounds: &Supervision, site: Option<(&PgPool, &Reader)>) -> ApiResult<Response> {
    if health.draining().is_cancelled() {
        return Ok(not_ready("draining", Vec::new()));
    }
    let failing = health.failing(bounds, Instant::now());
    if !failing.is_empty() {
        return Ok(not_ready("failing", failing));
    }
    let Some((pool, reader)) = site.filter(|_| !health.is_starting()) else {
        return Ok(not_ready("starting", Vec::new()));
    };
    pool.acquire().await?.ping().await?;
    let stats = reader.search.index(IndexName::Videos.uid()).get_stats().await?;
    let body = Ready { status: "ok", videos: stats.number_of_documents };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response())
}

fn not_ready(status: &'static str, roles: Vec<&'static str>) -> Response {
    let body = Json(NotReady { status, roles });
    (StatusCode::SERVICE_UNAVAILABLE, [(header::CACHE_CONTROL, "no-store")], body).into_response()
}
