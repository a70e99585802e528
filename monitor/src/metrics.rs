//! `GET /metrics`: metrics in the OpenMetrics text format.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_api::AppState;
use lantern_catalog::queue;
use lantern_errors::{ApiError, ApiResult};
use lantern_ratelimit::Limits;
use prometheus_client::{
    encoding::text,
    metrics::{
        counter::{ConstCounter, Counter},
        family::Family,
        gauge::{ConstGauge, Gauge},
    },
    registry::Registry,
};

use crate::{queues, reports, sync};

/// Media type of the text format (OpenMetrics 1.0, section 4).
const TEXT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

pub async fn metrics(State(state): State<AppState>) -> ApiResult<Response> {
    let mut registry = Registry::default();
    let lantern = registry.sub_registry_with_prefix("lantern");
    state.cache.register(lantern).await;
    state.connections.register(lantern);
    state.media_access.register(lantern);
    let purges = queues::register(&state.pool, queue::PURGE, lantern).await;
    state.purger.register(purges.as_ref(), lantern);
    state.health.register(lantern);
    state.mailer.register(lantern);
    sync::register(&state.config, &state.pool, lantern).await;
    reports::register(&state.pool, (state.now)(), lantern).await;
    register_limits(&state.limits, lantern);
    let hashes = ConstCounter::new(state.passwords.hashes());
    lantern.register("password_hashes", "Password hashes created and verified, including dummy ones", hashes);
    for (field, name, help) in MEMORY {
        if let Some(bytes) = memory(field) {
            registry.register(name, help, ConstGauge::new(bytes));
        }
    }
    let mut body = String::new();
    text::encode(&mut body, &registry).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, TEXT), (header::CACHE_CONTROL, "no-store")], body).into_response())
}

/// Registers the number of accepted and refused attempts for each action.
fn register_limits(limits: &Limits, registry: &mut Registry) {
    let (accepted, refused) = (Family::<[(&str, &str); 1], Counter>::default(), Family::<_, Counter>::default());
    let tracked = Family::<_, Gauge>::default();
    for figures in limits.figures() {
        let action = [("action", figures.action.as_str())];
        accepted.get_or_create(&action).inc_by(figures.accepted);
        refused.get_or_create(&action).inc_by(figures.refused);
        tracked.get_or_create(&action).set(figures.tracked as i64);
    }
    let limit = registry.sub_registry_with_prefix("limit");
    limit.register("accepted", "Accepted attempts; for compute, milliseconds", accepted);
    limit.register("refused", "Refused attempts: too many, or failed to count", refused);
    limit.register("tracked_keys", "Tracked addresses, members and accounts", tracked);
}

/// Fields of `/proc/self/status` (proc(5)), with the names and help texts of their metrics.
const MEMORY: [(&str, &str, &str); 2] = [
    ("VmRSS:", "process_resident_memory_bytes", "Resident memory of the process, including cached index pages"),
    ("RssAnon:", "lantern_memory_bytes", "Memory of the process without mapped files, as limited by the configuration"),
];

/// Reads a memory field in bytes. Returns `None` if the kernel doesn't provide it.
fn memory(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
