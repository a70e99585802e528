//! Closed-loop load over a fixed number of connections for a fixed time.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context;
use bytes::Bytes;
use hdrhistogram::Histogram;
use reqwest::{StatusCode, header::HeaderMap};

/// Longest recordable latency in microseconds.
pub const LONGEST: u64 = 60_000_000;

/// Creates an empty histogram of microseconds.
pub fn histogram() -> anyhow::Result<Histogram<u64>> {
    Ok(Histogram::new_with_max(LONGEST, 3)?)
}

/// Returns the microseconds since `since`.
pub fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(LONGEST)
}

/// Returns a quantile in milliseconds.
pub fn quantile(times: &Histogram<u64>, part: f64) -> f64 {
    times.value_at_quantile(part) as f64 / 1000.0
}

/// Returns the median. If there are two middle values, it is the upper one.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Result of one measurement.
#[derive(Debug)]
pub struct Outcome {
    /// Latencies in microseconds.
    pub latency: Histogram<u64>,
    /// Number of responses with a status other than 2xx and 304.
    pub failed: u64,
    /// Total size of bodies in bytes.
    pub bytes: u64,
    /// Wall time.
    pub elapsed: Duration,
}

impl Outcome {
    fn empty() -> anyhow::Result<Self> {
        Ok(Self { latency: histogram()?, failed: 0, bytes: 0, elapsed: Duration::ZERO })
    }

    /// Returns the responses per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.latency.len() as f64 / self.elapsed.as_secs_f64()
    }
}

/// Response as received.
pub struct Answer {
    /// Body, compressed according to the headers.
    pub body: Bytes,
    pub headers: HeaderMap,
}

/// Sends one request.
pub async fn once(url: &str, headers: &HeaderMap) -> anyhow::Result<Answer> {
    let client = reqwest::Client::builder().no_proxy().default_headers(headers.clone()).build()?;
    let response = client.get(url).send().await?.error_for_status()?;
    Ok(Answer { headers: response.headers().clone(), body: response.bytes().await? })
}

/// Requests the URLs in rotation over `connections` connections until `time` has elapsed, with browser-like headers.
pub async fn run(urls: &[String], headers: &HeaderMap, connections: usize, time: Duration) -> anyhow::Result<Outcome> {
    let client = reqwest::Client::builder()
        .no_proxy()
        .default_headers(headers.clone())
        .pool_max_idle_per_host(connections)
        .build()?;
    let urls: Arc<[String]> = urls.into();
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let mut workers = Vec::new();
    for _ in 0..connections {
        let (client, urls, next) = (client.clone(), urls.clone(), next.clone());
        workers.push(tokio::spawn(async move { worker(&client, &urls, &next, started + time).await }));
    }
    let mut total = Outcome::empty()?;
    for worker in workers {
        let part = worker.await.context("a load worker")??;
        total.latency.add(&part.latency)?;
        total.failed += part.failed;
        total.bytes += part.bytes;
    }
    total.elapsed = started.elapsed();
    Ok(total)
}

async fn worker(
    client: &reqwest::Client,
    urls: &[String],
    next: &AtomicUsize,
    end: Instant,
) -> anyhow::Result<Outcome> {
    let mut part = Outcome::empty()?;
    while Instant::now() < end {
        let url = &urls[next.fetch_add(1, Ordering::Relaxed) % urls.len()];
        let sent = Instant::now();
        let response = client.get(url).send().await.with_context(|| url.clone())?;
        let success = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        part.bytes += response.bytes().await?.len() as u64;
        part.latency.saturating_record(micros(sent));
        part.failed += u64::from(!success);
    }
    Ok(part)
}
