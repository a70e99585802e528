//! Measures the throughput of large ranges of a video, comparing the site with another server of the same media folder.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reqwest::{
    Client, StatusCode,
    header::{CONTENT_LENGTH, RANGE},
};

use crate::{SiteUnderTest, load::median, on_loopback};

const MIB: u64 = 1 << 20;

/// What to measure.
#[derive(Debug)]
pub struct MediaOptions {
    /// URL of a running Lantern.
    pub url: String,
    /// URL of another server of the same media folder.
    pub beside: String,
    /// Video to request.
    pub video_id: i64,
    /// Mebibytes per range, 1 to 1,024.
    pub mebibytes: u64,
    /// Seconds per server and round, 1 to 60.
    pub seconds: u64,
    /// Concurrent connections, 1 to 256.
    pub connections: usize,
    /// Rounds, 1 to 99.
    pub rounds: usize,
    /// Seed for the starts of ranges.
    pub seed: u64,
}

/// Ranges of `part` bytes from a video of `film` bytes.
#[derive(Debug, Clone, Copy)]
struct Parts {
    film: u64,
    part: u64,
    time: Duration,
    connections: usize,
}

/// Measures both servers in alternating rounds. Reports the median rates and the median ratio of the site to the other server.
pub async fn run(options: &MediaOptions) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let beside = on_loopback(&options.beside)?;
    let own = film(&site, options.video_id).await?;
    // The path inside the media folder follows `/media/s/{expires}/{signature}/`.
    let path = own.splitn(6, '/').nth(5).context("unexpected format of the video link")?;
    let urls = [format!("{}{own}", site.base), beside.join(path)?.into()];
    let film = length(&site.client, &urls[0]).await?;
    ensure!(length(&site.client, &urls[1]).await? == film, "{} serves a different file", urls[1]);
    let part = options.mebibytes.clamp(1, 1024) * MIB;
    ensure!(
        film >= 2 * part,
        "the video has {film} bytes; choose one with at least {} (--video-id), or smaller ranges (--mebibytes)",
        2 * part
    );
    let time = Duration::from_secs(options.seconds.clamp(1, 60));
    let parts = Parts { film, part, time, connections: options.connections.clamp(1, 256) };
    let (mut rates, mut ratios) = ([Vec::new(), Vec::new()], Vec::new());
    for round in 0..options.rounds.clamp(1, 99) {
        let mut seen = [0.0; 2];
        // Alternate, with the order reversed in every second round, so that noise affects both equally.
        let order = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        for at in order {
            seen[at] = fetch(&site.client, &urls[at], parts, options.seed + round as u64).await?;
            rates[at].push(seen[at]);
        }
        ratios.push(seen[0] / seen[1]);
    }
    let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let [own, other] = rates.map(median);
    Ok(format!(
        "ranges of {} MiB on {} connections: {own:.0} MB/s, other server {other:.0} MB/s: {:.2}x, worst {worst:.2}x (medians of {} rounds)\n",
        part / MIB,
        parts.connections,
        median(ratios.clone()),
        ratios.len()
    ))
}

/// Returns the signed path of the video's file.
pub(crate) async fn film(site: &SiteUnderTest, video_id: i64) -> anyhow::Result<String> {
    let call = format!("{}/api/videofile.php?video_id={video_id}", site.base);
    let answer = site.client.get(call).send().await?.error_for_status()?.bytes().await?;
    let answer: serde_json::Value = serde_json::from_slice(&answer)?;
    let streams = answer["video_url"].as_array().context("the response has no streams")?;
    let mp4 = streams.iter().find(|stream| stream["type"] == "mp4").context("the video has no single-file stream")?;
    Ok(mp4["url"].as_str().context("the stream has no URL")?.to_owned())
}

async fn length(client: &Client, url: &str) -> anyhow::Result<u64> {
    let head = client.head(url).send().await?.error_for_status().with_context(|| url.to_owned())?;
    let length = head.headers().get(CONTENT_LENGTH).context("the response has no length")?;
    Ok(length.to_str()?.parse()?)
}

/// Returns megabytes per second.
async fn fetch(client: &Client, url: &str, parts: Parts, seed: u64) -> anyhow::Result<f64> {
    let started = Instant::now();
    let workers: Vec<_> = (0..parts.connections)
        .map(|worker| {
            let (client, url) = (client.clone(), url.to_owned());
            tokio::spawn(
                async move { ask(&client, &url, parts, seed.wrapping_mul(257) + worker as u64, started).await },
            )
        })
        .collect();
    let mut bytes = 0;
    for worker in workers {
        bytes += worker.await.context("a load worker")??;
    }
    Ok(bytes as f64 / 1e6 / started.elapsed().as_secs_f64())
}

/// Requests ranges until the time is over. Returns the number of received bytes.
async fn ask(client: &Client, url: &str, parts: Parts, seed: u64, started: Instant) -> anyhow::Result<u64> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut bytes = 0;
    while started.elapsed() < parts.time {
        let first = dice.random_range(0..=parts.film - parts.part);
        let range = format!("bytes={first}-{}", first + parts.part - 1);
        let mut response = client.get(url).header(RANGE, range).send().await?;
        ensure!(response.status() == StatusCode::PARTIAL_CONTENT, "{url} responded with {}", response.status());
        let mut came = 0;
        while let Some(piece) = response.chunk().await? {
            came += piece.len() as u64;
        }
        ensure!(came == parts.part, "{url} sent {came} of {} bytes", parts.part);
        bytes += came;
    }
    Ok(bytes)
}
