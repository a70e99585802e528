//! Formats the table of a run.

use std::fmt::Write;

use crate::{
    Call, Round,
    load::{histogram, median, quantile},
};

/// Formats one line per call. It shows the median rate of the call's rounds, the latencies and failures of all rounds, and the median
/// ratios to the bare handler and to hello world. Each round's ratios use baselines measured right before it, so that noise shifts one
/// round and not the line.
pub fn table(rows: &[(Call, Vec<Round>)], connections: usize) -> anyhow::Result<String> {
    let mut out = format!(
        "{connections} connections\n{:<20} {:>10} {:>9} {:>9} {:>9} {:>8} {:>9} {:>10}\n",
        "call", "req/s", "p50 ms", "p99 ms", "max ms", "failed", "of bare", "of hello"
    );
    for (call, rounds) in rows {
        let mut latency = histogram()?;
        for round in rounds {
            latency.add(&round.outcome.latency)?;
        }
        let median = |of: fn(&Round) -> f64| median(rounds.iter().map(of).collect());
        writeln!(
            out,
            "{:<20} {:>10.0} {:>9.2} {:>9.2} {:>9.2} {:>8} {:>8.2}x {:>9.2}x",
            call.name(),
            median(|round| round.outcome.rate()),
            quantile(&latency, 0.5),
            quantile(&latency, 0.99),
            latency.max() as f64 / 1000.0,
            rounds.iter().map(|round| round.outcome.failed).sum::<u64>(),
            median(|round| round.outcome.rate() / round.bare.rate()),
            median(|round| round.outcome.rate() / round.hello.rate()),
        )?;
    }
    Ok(out)
}
