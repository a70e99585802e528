//! Load generator and comparisons: figures as ratios within one run, never as pass or fail.
//!
//! Every measurement alternates with the same load on a hello-world server in this process, so that a noisy
//! machine disturbs both alike. Only loopback addresses are accepted, counts and times are bounded.

mod baseline;
pub mod engine;
mod load;
mod mix;
mod report;

use std::{net::IpAddr, time::Duration};

use anyhow::{Context, bail};

pub use load::Outcome;
pub use mix::Call;

/// What to measure.
#[derive(Debug, Clone)]
pub struct Options {
    /// Address of a running Lantern, for instance `http://127.0.0.1:8080`.
    pub url: String,
    /// Seconds per call and round, 1 to 60.
    pub seconds: u64,
    /// Connections at once, 1 to 256.
    pub connections: usize,
    /// Rounds; the median one is reported.
    pub rounds: usize,
    /// Seed of the random parameters.
    pub seed: u64,
}

/// Runs every call of the mix against the server and prints one table.
///
/// # Errors
/// The address is not on loopback, or the server does not answer.
pub async fn run(options: &Options) -> anyhow::Result<String> {
    let url = reqwest::Url::parse(&options.url).context("--url")?;
    let host = url.host_str().context("--url needs a host")?;
    let loopback = host == "localhost"
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if !loopback {
        bail!("--url must be on loopback; load is never sent to another machine");
    }
    let time = Duration::from_secs(options.seconds.clamp(1, 60));
    let connections = options.connections.clamp(1, 256);
    let rounds = options.rounds.clamp(1, 9);
    let baseline = baseline::start().await?;
    let catalog = mix::Catalog::read(url.as_str()).await?;
    let mut rows = Vec::new();
    for call in Call::ALL {
        let urls = catalog.urls(*call, options.seed);
        let mut measured = Vec::new();
        for _ in 0..rounds {
            let hello = load::run(std::slice::from_ref(&baseline), connections, time / 2).await?;
            let outcome = load::run(&urls, connections, time).await?;
            measured.push((hello, outcome));
        }
        measured.sort_by(|a, b| a.1.rate().total_cmp(&b.1.rate()));
        let middle = measured.len() / 2;
        rows.push((*call, measured.swap_remove(middle)));
    }
    Ok(report::table(&rows, connections))
}
