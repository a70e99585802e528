//! Load generator and comparisons. Results are ratios within one run, never a pass or a failure.
//!
//! Every measurement alternates with the same load on a hello-world server and on a bare handler in another process, so that noise affects
//! all of them equally. Only loopback addresses are accepted, and counts and durations are bounded.

pub mod actions;
pub mod baseline;
pub mod budget;
pub mod build;
pub mod changes;
pub mod engine;
pub mod limits;
pub mod listing;
mod load;
pub mod logins;
pub mod media;
mod mix;
pub mod mixed;
pub mod queries;
mod report;
pub mod servers;
pub mod sites;
pub mod takedown;
pub mod titles;
pub mod uploads;
mod writes;

use std::{net::IpAddr, time::Duration};

use anyhow::{Context, bail};

pub use load::{Outcome, median};
pub use mix::Call;
use reqwest::header::{self, HeaderMap, HeaderValue};

/// One round of a call and its baselines.
#[derive(Debug)]
pub struct Round {
    /// Hello-world server.
    pub hello: Outcome,
    /// Bare handler with the same body and headers.
    pub bare: Outcome,
    /// Call under test.
    pub outcome: Outcome,
}

/// Site under test on this machine.
#[derive(Clone)]
struct SiteUnderTest {
    client: reqwest::Client,
    /// The site's URL without a trailing slash.
    base: String,
}

impl SiteUnderTest {
    fn new(url: &str) -> anyhow::Result<Self> {
        let base = on_loopback(url)?.as_str().trim_end_matches('/').to_owned();
        Ok(Self { client: reqwest::Client::builder().no_proxy().build()?, base })
    }

    /// Fetches JSON from a path.
    async fn json(&self, path: &str) -> anyhow::Result<serde_json::Value> {
        let text = self.client.get(format!("{}{path}", self.base)).send().await?.error_for_status()?.text().await?;
        Ok(serde_json::from_str(&text)?)
    }
}

/// What to measure.
#[derive(Debug, Clone)]
pub struct Options {
    /// URL of a running Lantern, for instance `http://127.0.0.1:8080`.
    pub url: String,
    /// Seconds per call and round, 1 to 60.
    pub seconds: u64,
    /// Concurrent connections, 1 to 256.
    pub connections: usize,
    /// Number of rounds, 1 to 99. The median is reported.
    pub rounds: usize,
    /// Whether to measure only cached responses.
    pub cached: bool,
    /// Seed for random parameters.
    pub seed: u64,
}

/// Runs every call of the mix against the server and returns a table.
pub async fn run(options: &Options) -> anyhow::Result<String> {
    let url = on_loopback(&options.url)?;
    let time = Duration::from_secs(options.seconds.clamp(1, 60));
    let connections = options.connections.clamp(1, 256);
    let rounds = options.rounds.clamp(1, 99);
    let catalog = mix::Catalog::read(url.as_str()).await?;
    let mut rows = Vec::new();
    for call in Call::ALL.iter().filter(|call| (!options.cached || call.is_cached()) && catalog.has(**call)) {
        let urls = catalog.urls(*call, options.seed);
        let mut headers =
            HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip, deflate, br"))]);
        let answer = load::once(&urls[0], &headers).await?;
        if *call == Call::Known
            && let Some(tag) = answer.headers.get(header::ETAG)
        {
            headers.insert(header::IF_NONE_MATCH, tag.clone());
        }
        let baseline = baseline::start(&answer.body, &answer.headers).await?;
        let mut seen = Vec::new();
        for _ in 0..rounds {
            // Alternate, so that noise affects all of them equally.
            let hello = load::run(std::slice::from_ref(&baseline.hello), &headers, connections, time / 2).await?;
            let bare = load::run(std::slice::from_ref(&baseline.bare), &headers, connections, time / 2).await?;
            let outcome = load::run(&urls, &headers, connections, time).await?;
            seen.push(Round { hello, bare, outcome });
        }
        rows.push((*call, seen));
    }
    report::table(&rows, connections)
}

/// Parses the URL of a site on this machine.
///
/// # Errors
/// If it is not a URL or not on loopback, because load is never sent to another machine.
pub fn on_loopback(url: &str) -> anyhow::Result<reqwest::Url> {
    let url = reqwest::Url::parse(url).context("--url")?;
    let host = url.host_str().context("--url needs a host")?;
    let loopback = host == "localhost"
        || host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    if !loopback {
        bail!("--url must be on loopback; load is never sent to another machine");
    }
    Ok(url)
}

/// Returns the resident memory of this process in bytes.
fn resident() -> anyhow::Result<u64> {
    memory("VmRSS:")
}

/// Returns the anonymous resident memory of this process in bytes.
///
/// # Errors
/// If the kernel doesn't report it.
pub fn anonymous() -> anyhow::Result<u64> {
    memory("RssAnon:")
}

fn memory(kind: &str) -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line =
        status.lines().find_map(|line| line.strip_prefix(kind)).context("the kernel doesn't report memory usage")?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kilobytes * 1024)
}
