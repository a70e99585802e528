//! The table of a run.

use std::fmt::Write;

use crate::{Call, Outcome};

/// One line per call: rate, latency and the ratio to hello world measured right before it.
#[must_use]
pub fn table(rows: &[(Call, (Outcome, Outcome))], connections: usize) -> String {
    let mut out = format!(
        "{connections} connections\n{:<20} {:>10} {:>9} {:>9} {:>9} {:>8} {:>12}\n",
        "call", "req/s", "p50 ms", "p99 ms", "max ms", "failed", "of hello"
    );
    for (call, (hello, outcome)) in rows {
        let ms = |micros: u64| micros as f64 / 1000.0;
        // Writing to a String can't fail.
        let _ = writeln!(
            out,
            "{:<20} {:>10.0} {:>9.2} {:>9.2} {:>9.2} {:>8} {:>11.2}x",
            call.name(),
            outcome.rate(),
            ms(outcome.latency.value_at_quantile(0.5)),
            ms(outcome.latency.value_at_quantile(0.99)),
            ms(outcome.latency.max()),
            outcome.failed,
            outcome.rate() / hello.rate(),
        );
    }
    out
}
