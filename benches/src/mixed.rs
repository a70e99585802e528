//! Simulates the load of a busy site. Requests are sent at a fixed rate regardless of pending ones (open loop), so that queueing counts.

use std::{
    fmt::Write,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::Context;
use rand::{Rng, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use reqwest::{Client, header};
use tokio::{sync::Semaphore, task::JoinSet};

use crate::{
    load::{LONGEST, histogram, quantile},
    mix::{Call, Catalog},
};

/// Maximum number of pending requests. Further requests count as failed, so that the run ends in time even if the server hangs.
const UNDER_WAY: usize = 4096;
/// Number of URLs in the cached class.
const CACHED: usize = 40;
/// Percentage of requests per class, in the order of [`CLASSES`].
const SHARES: [u32; 4] = [70, 15, 10, 5];
const CLASSES: [&str; 4] = ["listing, cached", "listing, uncached", "suggester", "search"];

/// What to send.
#[derive(Debug, Clone)]
pub struct MixedOptions {
    /// URL of a running Lantern on this machine.
    pub url: String,
    /// URL of the running Lantern's metrics listener.
    pub figures_url: String,
    /// Requests per second, 1 to 10,000.
    pub rate: u32,
    /// Seconds, 1 to 3,600.
    pub seconds: u64,
    /// Seed for order and parameters.
    pub seed: u64,
}

#[derive(Default)]
struct Seen {
    micros: [Vec<u64>; 4],
    failed: [u64; 4],
    /// Seconds since the start and the server's memory in bytes, recorded every minute and at the end. The values are the response cache,
    /// the server's total memory without mapped files, and its total memory including them.
    memory: Vec<(u64, [u64; 3])>,
}

/// Sends the mix and reports latencies per class, measured from when a request was due, and the server's memory.
pub async fn run(options: &MixedOptions) -> anyhow::Result<String> {
    let url = crate::on_loopback(&options.url)?;
    let catalog = Catalog::read(url.as_str()).await?;
    let (rate, seconds) = (options.rate.clamp(1, 10_000), options.seconds.clamp(1, 3600));
    let listings = catalog.urls(Call::Listing, options.seed);
    let (cached, uncached) = listings.split_at(CACHED.min(listings.len()));
    let urls = [
        cached.to_vec(),
        uncached.to_vec(),
        catalog.urls(Call::Suggester, options.seed),
        catalog.urls(Call::Search, options.seed),
    ];
    anyhow::ensure!(urls.iter().all(|urls| !urls.is_empty()), "the site holds too few videos");
    let mut headers = header::HeaderMap::new();
    headers.insert(header::ACCEPT_ENCODING, header::HeaderValue::from_static("gzip, deflate, br"));
    let client = Client::builder().no_proxy().default_headers(headers).build()?;
    for url in &urls[0] {
        client.get(url).send().await.with_context(|| url.clone())?.bytes().await?;
    }
    let figures = crate::on_loopback(&options.figures_url)?;
    let seen = send(&client, figures.as_str(), &urls, rate, seconds, options.seed).await?;
    table(&seen, rate, seconds)
}

async fn send(
    client: &Client,
    figures: &str,
    urls: &[Vec<String>; 4],
    rate: u32,
    seconds: u64,
    seed: u64,
) -> anyhow::Result<Seen> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let places = Arc::new(Semaphore::new(UNDER_WAY));
    let mut seen = Seen::default();
    let mut requests = JoinSet::new();
    let mut next = [0usize; 4];
    let started = Instant::now();
    let all = u64::from(rate) * seconds;
    for n in 0..all {
        let due = started + Duration::from_secs_f64(n as f64 / f64::from(rate));
        tokio::time::sleep_until(due.into()).await;
        if n % (u64::from(rate) * 60) == 0 {
            seen.memory.push((started.elapsed().as_secs(), memory(client, figures).await?));
        }
        let class = class(random.random_range(0..100));
        let url = match class {
            0 => urls[0].choose(&mut random).cloned().unwrap_or_default(),
            _ => urls[class][next[class] % urls[class].len()].clone(),
        };
        next[class] += 1;
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            seen.failed[class] += 1;
            continue;
        };
        let client = client.clone();
        requests.spawn(async move {
            let _place = place;
            let answered = answer(&client, &url).await;
            (class, due.elapsed(), answered)
        });
        while let Some(done) = requests.try_join_next() {
            note(&mut seen, done?);
        }
    }
    while let Some(done) = requests.join_next().await {
        note(&mut seen, done?);
    }
    seen.memory.push((started.elapsed().as_secs(), memory(client, figures).await?));
    Ok(seen)
}

fn class(percent: u32) -> usize {
    let mut sum = 0;
    SHARES
        .iter()
        .position(|share| {
            sum += share;
            percent < sum
        })
        .unwrap_or_default()
}

async fn answer(client: &Client, url: &str) -> bool {
    match client.get(url).send().await {
        Ok(response) => response.status().is_success() && response.bytes().await.is_ok(),
        Err(_) => false,
    }
}

fn note(seen: &mut Seen, (class, elapsed, answered): (usize, Duration, bool)) {
    seen.micros[class].push(u64::try_from(elapsed.as_micros()).unwrap_or(LONGEST));
    seen.failed[class] += u64::from(!answered);
}

/// Reads the server's memory from its metrics.
async fn memory(client: &Client, figures: &str) -> anyhow::Result<[u64; 3]> {
    let request = client.get(format!("{figures}metrics")).header(header::ACCEPT_ENCODING, "identity");
    let text = request.send().await?.error_for_status()?.text().await?;
    let read = |name: &str| -> anyhow::Result<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name));
        Ok(line.context("the server doesn't report its memory")?.trim().parse()?)
    };
    Ok([read("lantern_cache_bytes ")?, read("lantern_memory_bytes ")?, read("process_resident_memory_bytes ")?])
}

fn table(seen: &Seen, rate: u32, seconds: u64) -> anyhow::Result<String> {
    let mut out = format!("{rate} requests/s for {seconds} s, milliseconds from when a request was due\n");
    writeln!(out, "{:<20} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}", "", "requests", "p50", "p90", "p99", "max", "failed")?;
    let mut all = histogram()?;
    let mut rows = Vec::new();
    for ((name, micros), failed) in CLASSES.iter().zip(&seen.micros).zip(seen.failed) {
        let mut times = histogram()?;
        micros.iter().for_each(|&micros| times.saturating_record(micros));
        all.add(&times)?;
        rows.push((*name, times, failed));
    }
    rows.push(("all", all, seen.failed.iter().sum()));
    for (name, times, failed) in rows {
        let (requests, max) = (times.len(), times.max() as f64 / 1000.0);
        let (p50, p90, p99) = (quantile(&times, 0.5), quantile(&times, 0.9), quantile(&times, 0.99));
        writeln!(out, "{name:<20} {requests:>9} {p50:>9.2} {p90:>9.2} {p99:>9.2} {max:>9.2} {failed:>8}")?;
    }
    out.push_str(
        "\nserver memory in MiB: response cache, total own memory, including index pages in the kernel's cache\n",
    );
    for (second, sizes) in &seen.memory {
        let [cached, own, resident] = sizes.map(|bytes| bytes as f64 / f64::from(1 << 20));
        writeln!(out, "{second:>6} s {cached:>9.1} {own:>9.1} {resident:>9.1}")?;
    }
    Ok(out)
}
