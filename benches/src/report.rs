//! The table of a run.

use std::fmt::Write;

use hdrhistogram::Histogram;

use crate::{Call, Round, load::LONGEST};

/// One line per call: the median rate of its rounds, the latencies and failures of all of them, and the median of each round's ratio
/// to a bare handler and to hello world, measured right before it. A noisy moment shifts one round, not the line.
pub fn table(rows: &[(Call, Vec<Round>)], connections: usize) -> anyhow::Result<String> {
    let mut out = format!(
        "{connections} connections\n{:<20} {:>10} {:>9} {:>9} {:>9} {:>8} {:>9} {:>10}\n",
        "call", "req/s", "p50 ms", "p99 ms", "max ms", "failed", "of bare", "of hello"
    );
    for (call, rounds) in rows {
        let mut latency = Histogram::new_with_max(LONGEST, 3)?;
        for round in rounds {
            latency.add(&round.outcome.latency)?;
        }
        let ms = |micros: u64| micros as f64 / 1000.0;
        writeln!(
            out,
            "{:<20} {:>10.0} {:>9.2} {:>9.2} {:>9.2} {:>8} {:>8.2}x {:>9.2}x",
            call.name(),
            median(rounds, |round| round.outcome.rate()),
            ms(latency.value_at_quantile(0.5)),
            ms(latency.value_at_quantile(0.99)),
            ms(latency.max()),
            rounds.iter().map(|round| round.outcome.failed).sum::<u64>(),
            median(rounds, |round| round.outcome.rate() / round.bare.rate()),
            median(rounds, |round| round.outcome.rate() / round.hello.rate()),
        )?;
    }
    Ok(out)
}

/// The middle one; the upper of the two in the middle.
fn median(rounds: &[Round], of: impl Fn(&Round) -> f64) -> f64 {
    let mut values: Vec<f64> = rounds.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
