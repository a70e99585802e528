//! Two servers of the same site beside each other, on what it answers from memory.

use std::{slice, time::Duration};

use anyhow::ensure;
use reqwest::header::{self, HeaderMap, HeaderValue};

use crate::{
    load::{self, median},
    on_loopback,
};

/// What is measured.
#[derive(Debug)]
pub struct ServersOptions {
    /// The same address at the one and at the other server.
    pub urls: [String; 2],
    /// Seconds per server and round, 1 to 60.
    pub seconds: u64,
    /// Connections at once, 1 to 256.
    pub connections: usize,
    /// Rounds, 1 to 99.
    pub rounds: usize,
}

/// Loads them in turns; the medians of their rates and of what the second does of the first's.
pub async fn run(options: &ServersOptions) -> anyhow::Result<String> {
    let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br"))]);
    let time = Duration::from_secs(options.seconds.clamp(1, 60));
    for url in &options.urls {
        on_loopback(url)?;
        load::once(url, &headers).await?;
    }
    let (mut rates, mut ratios) = ([Vec::new(), Vec::new()], Vec::new());
    for _ in 0..options.rounds.clamp(1, 99) {
        // In turns, so that a noisy machine disturbs both alike.
        for (url, rates) in options.urls.iter().zip(&mut rates) {
            let seen = load::run(slice::from_ref(url), &headers, options.connections.clamp(1, 256), time).await?;
            ensure!(seen.failed == 0, "{} requests of {url} failed", seen.failed);
            rates.push(seen.rate());
        }
        let last = |rates: &[f64]| rates.last().copied().unwrap_or(f64::NAN);
        ratios.push(last(&rates[1]) / last(&rates[0]));
    }
    let [first, second] = rates.map(median);
    Ok(format!(
        "{first:.0} and {second:.0} answers a second, {:.2}x (medians of {} rounds)\n",
        median(ratios.clone()),
        ratios.len()
    ))
}
