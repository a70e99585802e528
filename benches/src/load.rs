//! A closed loop of a fixed number of connections for a fixed time.

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

/// Longest latency the histogram keeps, in microseconds.
pub const LONGEST: u64 = 60_000_000;

/// What one measurement saw.
#[derive(Debug)]
pub struct Outcome {
    /// Latencies in microseconds.
    pub latency: Histogram<u64>,
    /// Answers that were neither 2xx nor 304.
    pub failed: u64,
    /// Bytes of bodies.
    pub bytes: u64,
    /// Wall time.
    pub elapsed: Duration,
}

impl Outcome {
    /// Answers per second.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.latency.len() as f64 / self.elapsed.as_secs_f64()
    }
}

/// One answer as it comes over the wire.
pub struct Answer {
    /// Its bytes, compressed if the headers say so.
    pub body: Bytes,
    /// Its headers.
    pub headers: HeaderMap,
}

/// Asks once.
pub async fn once(url: &str, headers: &HeaderMap) -> anyhow::Result<Answer> {
    let client = reqwest::Client::builder().no_proxy().default_headers(headers.clone()).build()?;
    let response = client.get(url).send().await?.error_for_status()?;
    Ok(Answer { headers: response.headers().clone(), body: response.bytes().await? })
}

/// Sends the urls in turn over `connections` connections until `time` is over, with the headers a browser would send.
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
    let mut total =
        Outcome { latency: Histogram::new_with_max(LONGEST, 3)?, failed: 0, bytes: 0, elapsed: Duration::ZERO };
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
    let mut part =
        Outcome { latency: Histogram::new_with_max(LONGEST, 3)?, failed: 0, bytes: 0, elapsed: Duration::ZERO };
    while Instant::now() < end {
        let url = &urls[next.fetch_add(1, Ordering::Relaxed) % urls.len()];
        let sent = Instant::now();
        let response = client.get(url).send().await.with_context(|| url.clone())?;
        let success = response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED;
        part.bytes += response.bytes().await?.len() as u64;
        part.latency.saturating_record(u64::try_from(sent.elapsed().as_micros()).unwrap_or(LONGEST));
        part.failed += u64::from(!success);
    }
    Ok(part)
}
