//! Measures the throughput of member actions: comments, votes and views by many members over loopback.

use std::{
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::Context;
use hdrhistogram::Histogram;
use reqwest::{Client, StatusCode, header};

use crate::load::{histogram, micros, quantile};

/// Comments per member in ten minutes, as `limits.comment` allows.
const COMMENTS_EACH: usize = 5;

/// What to measure.
#[derive(Debug, Clone)]
pub struct ActionsOptions {
    /// URL of the site on this machine.
    pub url: String,
    /// `Cookie` headers of members without previous actions.
    pub cookies: Vec<String>,
    /// Ids of public videos. Views of other videos get a response but don't count.
    pub videos: Vec<i64>,
    /// Seconds per action kind.
    pub seconds: u64,
    /// Concurrent connections.
    pub connections: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ActionKind {
    Comments,
    Votes,
    Views,
}

/// Results of one action kind.
#[derive(Debug)]
pub struct Figures {
    /// Name of the kind.
    pub name: &'static str,
    /// Number of responses with status 200. Each is one comment, vote or view.
    pub done: u64,
    /// Number of responses with status 404, which are for videos hidden from guests.
    pub missing: u64,
    /// All other responses.
    pub failed: u64,
    latency: Histogram<u64>,
    elapsed: Duration,
}

/// Measures all kinds one after another.
pub async fn run(options: &ActionsOptions) -> anyhow::Result<[Figures; 3]> {
    crate::on_loopback(&options.url)?;
    let options = Arc::new(options.clone());
    Ok([
        measure(&options, ActionKind::Comments).await?,
        measure(&options, ActionKind::Votes).await?,
        measure(&options, ActionKind::Views).await?,
    ])
}

/// Formats one line per kind.
#[must_use]
pub fn table(figures: &[Figures], connections: usize, members: usize) -> String {
    let mut out = format!(
        "{members} members, {connections} connections\n{:<10} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>8}\n",
        "", "done", "per s", "p50 ms", "p99 ms", "max ms", "hidden", "failed"
    );
    for kind in figures {
        // Writing to a String cannot fail.
        let _ = writeln!(
            out,
            "{:<10} {:>9} {:>9.0} {:>9.2} {:>9.2} {:>9.2} {:>9} {:>8}",
            kind.name,
            kind.done,
            kind.done as f64 / kind.elapsed.as_secs_f64(),
            quantile(&kind.latency, 0.5),
            quantile(&kind.latency, 0.99),
            kind.latency.max() as f64 / 1000.0,
            kind.missing,
            kind.failed,
        );
    }
    out
}

async fn measure(options: &Arc<ActionsOptions>, kind: ActionKind) -> anyhow::Result<Figures> {
    let client = Client::builder().no_proxy().pool_max_idle_per_host(options.connections).build()?;
    let next = Arc::new(AtomicUsize::new(0));
    let started = Instant::now();
    let end = started + Duration::from_secs(options.seconds);
    let workers: Vec<_> = (0..options.connections)
        .map(|_| tokio::spawn(work(client.clone(), Arc::clone(options), kind, Arc::clone(&next), end)))
        .collect();
    let mut total = kind.empty()?;
    for worker in workers {
        let part = worker.await.context("a worker")??;
        total.latency.add(&part.latency)?;
        total.done += part.done;
        total.missing += part.missing;
        total.failed += part.failed;
    }
    total.elapsed = started.elapsed();
    Ok(total)
}

async fn work(
    client: Client,
    options: Arc<ActionsOptions>,
    kind: ActionKind,
    next: Arc<AtomicUsize>,
    end: Instant,
) -> anyhow::Result<Figures> {
    let mut seen = kind.empty()?;
    let url = format!("{}/api/stat.php", options.url.trim_end_matches('/'));
    while Instant::now() < end {
        let n = next.fetch_add(1, Ordering::Relaxed);
        let Some((member, form)) = kind.form(n, options.cookies.len(), &options.videos) else { break };
        let request = client
            .post(&url)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::COOKIE, &options.cookies[member])
            .header("sec-fetch-site", "same-origin")
            .body(form);
        let sent = Instant::now();
        let response = request.send().await?;
        let status = response.status();
        response.bytes().await?;
        seen.latency.saturating_record(micros(sent));
        match status {
            StatusCode::OK => seen.done += 1,
            StatusCode::NOT_FOUND => seen.missing += 1,
            _ => seen.failed += 1,
        }
    }
    Ok(seen)
}

impl ActionKind {
    fn empty(self) -> anyhow::Result<Figures> {
        let name = match self {
            Self::Comments => "comments",
            Self::Votes => "votes",
            Self::Views => "views",
        };
        Ok(Figures { name, done: 0, missing: 0, failed: 0, latency: histogram()?, elapsed: Duration::ZERO })
    }

    /// Returns the member and form of request `n`, or `None` once every member has reached the maximum. No two requests are equal.
    fn form(self, n: usize, members: usize, videos: &[i64]) -> Option<(usize, String)> {
        let (member, round) = (n % members, n / members);
        let most = if self == Self::Comments { COMMENTS_EACH } else { videos.len() };
        // Requests are spread over the videos. A member gets a different video in every round.
        let video = videos.get(member.wrapping_mul(7919).wrapping_add(round) % videos.len().max(1))?;
        let form = match self {
            Self::Comments => format!("act=comm&section=video&object_id={video}&msg=Number+{n}+of+an+evening"),
            Self::Votes => {
                let vote = if n.is_multiple_of(5) { -1 } else { 1 };
                format!("act=vote&section=video&object_id={video}&vote={vote}")
            }
            Self::Views => format!("act=view&section=video&object_id={video}"),
        };
        (round < most).then_some((member, form))
    }
}
