//! A large film sent to the site by tus, beside writing the same bytes to the same disk.

use std::{
    io,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use bytes::Bytes;
use futures_util::{Stream, stream};
use rand::RngCore;
use reqwest::{Body, StatusCode, header};
use tokio::{fs::File, io::AsyncWriteExt};

use crate::{SiteUnderTest, load::median, resident};

const MIB: u64 = 1 << 20;
/// Bytes of a request, as the app sends them.
const PIECE: u64 = 16 * MIB;
const VERSION: (&str, &str) = ("tus-resumable", "1.0.0");

/// What is measured.
#[derive(Debug)]
pub struct UploadsOptions<'a> {
    /// Address of the site, in this process.
    pub url: String,
    /// `session=…` of a member.
    pub cookie: String,
    /// Bytes of the film, a multiple of 16 MiB.
    pub bytes: u64,
    /// Bytes between two moments at which what has come is made durable, as the site does it.
    pub sync_bytes: u64,
    /// A folder on the disk of uploads, for what is written beside.
    pub folder: &'a Path,
}

/// Sends the film, between two halves of what is written beside, and prints both rates and what memory the site took more.
///
/// # Errors
/// The site refuses the film, or the disk.
pub async fn run(options: &UploadsOptions<'_>) -> anyhow::Result<String> {
    let site = SiteUnderTest::new(&options.url)?;
    let mut block = vec![0; MIB as usize];
    rand::rng().fill_bytes(&mut block);
    let block = Bytes::from(block);
    let first = written(options, &block).await?;
    let before = resident()?;
    let stop = AtomicBool::new(false);
    let (sent, most) = tokio::join!(
        async {
            let sent = send(&site, options, &block).await;
            stop.store(true, Ordering::Relaxed);
            sent
        },
        most_resident(&stop),
    );
    let (sent, most) = (sent?, most?);
    let second = written(options, &block).await?;
    let plain = median(vec![first, second]);
    Ok(format!(
        "{:.1} GiB by tus in pieces of {} MiB: {sent:.0} MB/s, written beside {plain:.0} MB/s: {:.2}x\n\
         memory of site and sender: {:.0} MiB before, {:.0} MiB at most\n",
        options.bytes as f64 / (1u64 << 30) as f64,
        PIECE / MIB,
        sent / plain,
        before as f64 / MIB as f64,
        most as f64 / MIB as f64,
    ))
}

/// The most memory that this process had until `stop`.
async fn most_resident(stop: &AtomicBool) -> anyhow::Result<u64> {
    let mut most = 0;
    while !stop.load(Ordering::Relaxed) {
        most = resident()?.max(most);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(most)
}

/// Megabytes a second of half of the film, written and made durable as often as the site does it.
async fn written(options: &UploadsOptions<'_>, block: &Bytes) -> anyhow::Result<f64> {
    let path = options.folder.join("beside");
    let half = (options.bytes / 2).max(PIECE);
    let started = Instant::now();
    let mut file = File::create(&path).await?;
    let mut unsynced = 0;
    for _ in 0..half / MIB {
        file.write_all(block).await?;
        unsynced += MIB;
        if unsynced >= options.sync_bytes {
            file.flush().await?;
            file.sync_data().await?;
            unsynced = 0;
        }
    }
    file.flush().await?;
    file.sync_data().await?;
    let rate = half as f64 / 1e6 / started.elapsed().as_secs_f64();
    tokio::fs::remove_file(&path).await?;
    Ok(rate)
}

/// Megabytes a second of the whole film.
async fn send(site: &SiteUnderTest, options: &UploadsOptions<'_>, block: &Bytes) -> anyhow::Result<f64> {
    let begin = site
        .client
        .post(format!("{}/api/uploads/", site.base))
        .header(VERSION.0, VERSION.1)
        .header("upload-length", options.bytes)
        .header(header::COOKIE, &options.cookie)
        .header("sec-fetch-site", "same-origin");
    let started = Instant::now();
    let begun = begin.send().await?;
    ensure!(begun.status() == StatusCode::CREATED, "an upload is answered with {}", begun.status());
    let place = begun.headers().get(header::LOCATION).context("an upload without an address")?.to_str()?.to_owned();
    for offset in (0..options.bytes).step_by(PIECE as usize) {
        let answer = site
            .client
            .patch(format!("{}{place}", site.base))
            .header(VERSION.0, VERSION.1)
            .header("upload-offset", offset)
            .header(header::CONTENT_TYPE, "application/offset+octet-stream")
            .header(header::CONTENT_LENGTH, PIECE)
            .header(header::COOKIE, &options.cookie)
            .header("sec-fetch-site", "same-origin")
            .body(Body::wrap_stream(piece(block)))
            .send()
            .await?;
        ensure!(answer.status() == StatusCode::NO_CONTENT, "a piece at {offset} is answered with {}", answer.status());
    }
    Ok(options.bytes as f64 / 1e6 / started.elapsed().as_secs_f64())
}

fn piece(block: &Bytes) -> impl Stream<Item = io::Result<Bytes>> + use<> {
    let block = block.clone();
    stream::iter((0..PIECE / MIB).map(move |_| Ok(block.clone())))
}
