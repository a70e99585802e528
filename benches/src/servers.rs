//! Compares two servers of the same site on cached responses.

use std::{slice, time::Duration};

use anyhow::ensure;
use reqwest::header::{self, HeaderMap, HeaderValue};

use crate::{
    load::{self, median},
    on_loopback,
};

/// What to measure.
#[derive(Debug)]
pub struct ServersOptions {
    /// The same URL on both servers.
    pub urls: [String; 2],
    /// Seconds per server and round, 1 to 60.
    pub seconds: u64,
    /// Concurrent connections, 1 to 256.
    pub connections: usize,
    /// Rounds, 1 to 99.
    pub rounds: usize,
}

/// Loads both servers alternately. Reports the median rates and the median ratio of the second server to the first.
pub async fn run(options: &ServersOptions) -> anyhow::Result<String> {
    let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br"))]);
    let time = Duration::from_secs(options.seconds.clamp(1, 60));
    for url in &options.urls {
        on_loopback(url)?;
        load::once(url, &headers).await?;
    }
    let (mut rates, mut ratios) = ([Vec::new(), Vec::new()], Vec::new());
    for _ in 0..options.rounds.clamp(1, 99) {
        // Alternate, so that noise affects both equally.
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
        "{first:.0} and {second:.0} responses/s, {:.2}x (medians of {} rounds)\n",
        median(ratios.clone()),
        ratios.len()
    ))
}
