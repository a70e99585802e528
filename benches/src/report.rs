//! The table of a run.

use std::fmt::Write;

use crate::{Call, Round};

/// One line per call: rate, latency and the ratios to a bare handler and to hello world, measured right before it; what failed
/// in any round stands beside it.
#[must_use]
pub fn table(rows: &[(Call, Round, u64)], connections: usize) -> String {
    let mut out = format!(
        "{connections} connections\n{:<20} {:>10} {:>9} {:>9} {:>9} {:>8} {:>9} {:>10}\n",
        "call", "req/s", "p50 ms", "p99 ms", "max ms", "failed", "of bare", "of hello"
    );
    for (call, Round { hello, bare, outcome }, failed) in rows {
        let ms = |micros: u64| micros as f64 / 1000.0;
        // Writing to a String can't fail.
        let _ = writeln!(
            out,
            "{:<20} {:>10.0} {:>9.2} {:>9.2} {:>9.2} {:>8} {:>8.2}x {:>9.2}x",
            call.name(),
            outcome.rate(),
            ms(outcome.latency.value_at_quantile(0.5)),
            ms(outcome.latency.value_at_quantile(0.99)),
            ms(outcome.latency.max()),
            failed,
            outcome.rate() / bare.rate(),
            outcome.rate() / hello.rate(),
        );
    }
    out
}
