//! `GET /metrics`: figures for operators, in the text format of Prometheus.

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use lantern_ratelimit::Figures;

use crate::{monitor::sync, state::AppState};

pub async fn metrics(State(state): State<AppState>) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/plain; version=0.0.4"), (header::CACHE_CONTROL, "no-store")];
    let mut text = state.cache.metrics().await;
    text.push_str(&state.connections.metrics());
    text.push_str(&state.media_access.metrics());
    text.push_str(&state.purger.metrics());
    for (field, name, help) in MEMORY {
        if let Some(bytes) = memory(field) {
            text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} gauge\n{name} {bytes}\n"));
        }
    }
    text.push_str(&sync::text(&state.config, &state.pool).await);
    limits(&state.limits.figures().collect::<Vec<_>>(), &mut text);
    (headers, text).into_response()
}

/// What the limits let through and refused, by action.
fn limits(figures: &[Figures], text: &mut String) {
    type Metric = (&'static str, &'static str, &'static str, fn(&Figures) -> u64);
    const METRICS: [Metric; 3] = [
        ("lantern_limit_accepted_total", "counter", "Attempts let through; milliseconds of compute.", |row| {
            row.accepted
        }),
        ("lantern_limit_refused_total", "counter", "Attempts refused: too often, or not countable.", |row| row.refused),
        ("lantern_limit_tracked_keys", "gauge", "Addresses, members and accounts remembered.", |row| {
            row.tracked as u64
        }),
    ];
    for (name, kind, help, value) in METRICS {
        text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
        for row in figures {
            text.push_str(&format!("{name}{{action=\"{}\"}} {}\n", row.action.as_str(), value(row)));
        }
    }
}

/// Lines of `/proc/self/status` (proc(5)), their metrics and what they mean.
const MEMORY: [(&str, &str, &str); 2] = [
    (
        "VmRSS:",
        "process_resident_memory_bytes",
        "Memory of the process, pages of the index that the kernel keeps included.",
    ),
    ("RssAnon:", "lantern_memory_bytes", "Memory of the process without mapped files: what configuration bounds."),
];

/// Bytes the kernel counts; `None` where it doesn't say.
fn memory(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(field))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
