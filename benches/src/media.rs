//! Large parts of a film by the site beside another server of the same media folder.

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

/// What is measured.
#[derive(Debug)]
pub struct MediaOptions {
    /// Address of a running Lantern.
    pub url: String,
    /// Address of a server of the same media folder.
    pub beside: String,
    /// The video whose film is asked for.
    pub video_id: i64,
    /// Mebibytes of a part, 1 to 1,024.
    pub mebibytes: u64,
    /// Seconds per server and round, 1 to 60.
    pub seconds: u64,
    /// Connections at once, 1 to 256.
    pub connections: usize,
    /// Rounds, 1 to 99.
    pub rounds: usize,
    /// Seed of where the parts begin.
    pub seed: u64,
}

/// Parts of so many bytes of a film.
#[derive(Debug, Clone, Copy)]
struct Parts {
    film: u64,
    part: u64,
    time: Duration,
    connections: usize,
}

/// The medians of both rates over rounds in turn, and of what the site does of the other's.
pub async fn run(options: &MediaOptions) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let beside = on_loopback(&options.beside)?;
    let own = film(&site, options.video_id).await?;
    // Behind `/media/s/{expires}/{signature}/` stands the path below the media folder.
    let path = own.splitn(6, '/').nth(5).context("the link to the film is not as documented")?;
    let urls = [format!("{}{own}", site.base), beside.join(path)?.into()];
    let film = length(&site.client, &urls[0]).await?;
    ensure!(length(&site.client, &urls[1]).await? == film, "{} serves another file", urls[1]);
    let part = options.mebibytes.clamp(1, 1024) * MIB;
    ensure!(
        film >= 2 * part,
        "the film has {film} bytes; name a video of which it has at least {} (--video-id), or ask for smaller parts (--mebibytes)",
        2 * part
    );
    let time = Duration::from_secs(options.seconds.clamp(1, 60));
    let parts = Parts { film, part, time, connections: options.connections.clamp(1, 256) };
    let (mut rates, mut ratios) = ([Vec::new(), Vec::new()], Vec::new());
    for round in 0..options.rounds.clamp(1, 99) {
        let mut seen = [0.0; 2];
        // In turns, and each second round the other way about, so that a noisy machine disturbs both alike.
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
        "parts of {} MiB on {} connections: {own:.0} MB/s, beside {other:.0} MB/s: {:.2}x, at worst {worst:.2}x (medians of {} rounds)\n",
        part / MIB,
        parts.connections,
        median(ratios.clone()),
        ratios.len()
    ))
}

/// The signed address of the video's film, without the site's own.
pub(crate) async fn film(site: &SiteUnderTest, video_id: i64) -> anyhow::Result<String> {
    let call = format!("{}/api/videofile.php?video_id={video_id}", site.base);
    let answer = site.client.get(call).send().await?.error_for_status()?.bytes().await?;
    let answer: serde_json::Value = serde_json::from_slice(&answer)?;
    let streams = answer["video_url"].as_array().context("an answer without streams")?;
    let mp4 = streams.iter().find(|stream| stream["type"] == "mp4").context("the video has no film in one file")?;
    Ok(mp4["url"].as_str().context("a stream without an address")?.to_owned())
}

async fn length(client: &Client, url: &str) -> anyhow::Result<u64> {
    let head = client.head(url).send().await?.error_for_status().with_context(|| url.to_owned())?;
    let length = head.headers().get(CONTENT_LENGTH).context("an answer without a length")?;
    Ok(length.to_str()?.parse()?)
}

/// Megabytes a second.
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

/// Asks for one part after the other until the time is over; returns the bytes that came.
async fn ask(client: &Client, url: &str, parts: Parts, seed: u64, started: Instant) -> anyhow::Result<u64> {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    let mut bytes = 0;
    while started.elapsed() < parts.time {
        let first = dice.random_range(0..=parts.film - parts.part);
        let range = format!("bytes={first}-{}", first + parts.part - 1);
        let mut response = client.get(url).header(RANGE, range).send().await?;
        ensure!(response.status() == StatusCode::PARTIAL_CONTENT, "{url} answers {}", response.status());
        let mut came = 0;
        while let Some(piece) = response.chunk().await? {
            came += piece.len() as u64;
        }
        ensure!(came == parts.part, "{url} sent {came} bytes of {}", parts.part);
        bytes += came;
    }
    Ok(bytes)
}
