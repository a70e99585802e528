//! Compares two sites with the same catalog but different search engines. The same requests are sent to both alternately, each only once.

use std::{fmt::Write, time::Instant};

use hdrhistogram::Histogram;
use reqwest::Client;

use crate::{
    Call,
    load::{histogram, micros, quantile},
    mix::Catalog,
    on_loopback,
};

/// Measured calls.
const CALLS: [Call; 6] =
    [Call::Listing, Call::Page(1), Call::Page(1_500), Call::Page(10_000), Call::Search, Call::Suggester];

/// What to measure.
#[derive(Debug, Clone)]
pub struct SitesOptions {
    /// URL of a running Lantern on this machine.
    pub url: String,
    /// URL of another running Lantern with the same catalog.
    pub beside: String,
    /// Requests per kind.
    pub requests: usize,
    /// Seed for the requests.
    pub seed: u64,
}

/// Measures both sites in milliseconds, and the ratio of the first site to the second. `report` receives the name of the kind and the
/// numbers of finished and total requests. Pages beyond the catalog are skipped.
///
/// # Errors
/// If a site isn't on this machine, doesn't respond, or fails.
pub async fn run(options: &SitesOptions, report: &dyn Fn(&str, u64, u64)) -> anyhow::Result<String> {
    let [first, second] = [&options.url, &options.beside].map(|url| on_loopback(url));
    let (first, second) = (first?, second?);
    let (first, second) = (first.as_str().trim_end_matches('/'), second.as_str().trim_end_matches('/'));
    let (client, catalog) = (Client::builder().no_proxy().build()?, Catalog::read(first).await?);
    let mut out = format!(
        "{} requests per kind, milliseconds\n{:<22} {:>8} {:>8} {:>8} {:>8} {:>7} {:>7}\n",
        options.requests, "", "p50", "p99", "beside", "p99", "p50", "p99"
    );
    for call in CALLS {
        if !catalog.has(call) {
            writeln!(out, "{:<22} skipped: the catalog has fewer pages", call.name())?;
            continue;
        }
        let (mut own, mut other) = (histogram()?, histogram()?);
        let mut urls = catalog.urls(call, options.seed);
        // A repeated request would be served from the cache.
        urls.sort_unstable();
        urls.dedup();
        let wanted = options.requests.min(urls.len()) as u64;
        for (done, url) in spread(&urls, options.requests).enumerate() {
            report(call.name(), done as u64, wanted);
            ask(&client, url, &mut own).await?;
            ask(&client, &url.replacen(first, second, 1), &mut other).await?;
        }
        report(call.name(), wanted, wanted);
        let [a, b, c, d] = [(&own, 0.5), (&own, 0.99), (&other, 0.5), (&other, 0.99)].map(|(of, at)| quantile(of, at));
        writeln!(out, "{:<22} {a:>8.2} {b:>8.2} {c:>8.2} {d:>8.2} {:>6.2}x {:>6.2}x", call.name(), a / c, b / d)?;
    }
    Ok(out)
}

/// Picks `number` URLs spread evenly over the list.
fn spread(urls: &[String], number: usize) -> impl Iterator<Item = &String> {
    urls.iter().step_by((urls.len() / number.max(1)).max(1)).take(number)
}

async fn ask(client: &Client, url: &str, times: &mut Histogram<u64>) -> anyhow::Result<()> {
    let sent = Instant::now();
    client.get(url).send().await?.error_for_status()?.bytes().await?;
    times.saturating_record(micros(sent));
    Ok(())
}
