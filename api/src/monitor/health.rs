//! `/health/live` (the process answers) and `/health/ready` (and its dependencies do).

use axum::{
    Json,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_index::IndexName;
use serde::Serialize;
use sqlx::Connection;

use crate::{http::ApiResult, state::AppState};

#[derive(Debug, Serialize)]
struct Live {
    /// Always `ok`.
    status: &'static str,
}

/// The process and what it depends on answer.
#[derive(Debug, Serialize)]
struct Ready {
    /// Always `ok`.
    status: &'static str,
    videos: usize,
}

pub async fn live() -> Response {
    ([(header::CACHE_CONTROL, "no-store")], Json(Live { status: "ok" })).into_response()
}

/// Postgres answers, the engine answers and the index exists.
pub async fn ready(State(state): State<AppState>) -> ApiResult<Response> {
    state.pool.acquire().await?.ping().await?;
    let stats = state.reader.search.index(IndexName::Videos.uid()).get_stats().await?;
    let body = Ready { status: "ok", videos: stats.number_of_documents };
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(body)).into_response())
}
