//! Measures the throughput of a large tus upload, compared with writing the same bytes to the same disk.

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
/// Number of bytes per request, the same as the app sends.
const PIECE: u64 = 16 * MIB;
const VERSION: (&str, &str) = ("tus-resumable", "1.0.0");

/// What to measure.
#[derive(Debug)]
pub struct UploadsOptions<'a> {
    /// URL of the site, which runs in this process.
    pub url: String,
    /// `session=…` of a member.
    pub cookie: String,
    /// Bytes of the upload, a multiple of 16 MiB.
    pub bytes: u64,
    /// Bytes between syncs to disk, as configured for the site.
    pub sync_bytes: u64,
    /// Folder for the direct writes, on the disk of uploads.
    pub folder: &'a Path,
}

/// Sends the upload between two halves of the direct writes. Reports both rates and the memory use.
///
/// # Errors
/// If the site rejects the upload or the disk fails.
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
        "{:.1} GiB by tus in chunks of {} MiB: {sent:.0} MB/s, direct writes {plain:.0} MB/s: {:.2}x\n\
         memory of site and sender: {:.0} MiB before, {:.0} MiB peak\n",
        options.bytes as f64 / (1u64 << 30) as f64,
        PIECE / MIB,
        sent / plain,
        before as f64 / MIB as f64,
        most as f64 / MIB as f64,
    ))
}

/// Returns the peak memory of this process until `stop`.
async fn most_resident(stop: &AtomicBool) -> anyhow::Result<u64> {
    let mut most = 0;
    while !stop.load(Ordering::Relaxed) {
        most = resident()?.max(most);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    Ok(most)
}

/// Returns the megabytes per second when half of the upload is written directly, with as many syncs as the site makes.
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

/// Returns the megabytes per second of the whole upload.
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
    ensure!(begun.status() == StatusCode::CREATED, "creating an upload returned {}", begun.status());
    let place = begun.headers().get(header::LOCATION).context("the upload has no location")?.to_str()?.to_owned();
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
        ensure!(answer.status() == StatusCode::NO_CONTENT, "the chunk at {offset} returned {}", answer.status());
    }
    Ok(options.bytes as f64 / 1e6 / started.elapsed().as_secs_f64())
}

fn piece(block: &Bytes) -> impl Stream<Item = io::Result<Bytes>> + use<> {
    let block = block.clone();
    stream::iter((0..PIECE / MIB).map(move |_| Ok(block.clone())))
}
