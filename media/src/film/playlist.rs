//! Cuts renditions into segments and writes the master playlist.

use std::{fmt::Write, path::Path};

use tokio::fs;

use super::ladder::{Rendition, SEGMENT_SECONDS, name};
use crate::{Error, Result};

/// Returns the arguments to cut a rendition into segments without encoding it again. The rendition is next to the folder.
pub fn cutting(height: u16) -> Vec<String> {
    let args = format!(
        "-protocol_whitelist file -i ../{} -c copy -f hls -hls_time {SEGMENT_SECONDS} -hls_playlist_type vod \
         -hls_segment_type fmp4 -hls_fmp4_init_filename {height}-init.mp4 -hls_segment_filename {height}-%d.m4s {height}.m3u8",
        name(height)
    );
    args.split(' ').map(str::to_owned).collect()
}

/// Writes the master playlist, tallest rendition first. ffmpeg's master playlist lacks the bandwidth of copied renditions, which players
/// need in order to choose one.
pub async fn write_master(folder: &Path, renditions: &[Rendition]) -> Result<()> {
    let mut text = String::from("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n");
    for Rendition { rung, width, height, .. } in renditions.iter().rev() {
        let (name, codecs) = (rung.height, codecs(folder, rung.height).await?);
        let bandwidth = peak(folder, name).await?;
        write!(
            text,
            "#EXT-X-STREAM-INF:BANDWIDTH={bandwidth},RESOLUTION={width}x{height},CODECS=\"{codecs}\"\n{name}.m3u8\n"
        )
        .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    let file = folder.join("master.m3u8");
    fs::write(&file, text).await.map_err(Error::at(&file))
}

/// Returns the codecs in the format of RFC 6381. The video's codec is read from its header (ISO 14496-15, `avcC`), and the audio's is
/// AAC-LC.
async fn codecs(folder: &Path, height: u16) -> Result<String> {
    let file = folder.join(format!("{height}-init.mp4"));
    let head = fs::read(&file).await.map_err(Error::at(&file))?;
    let at = |tag: &[u8]| head.windows(tag.len()).position(|window| window == tag);
    // The tag is followed by a version, then profile, compatibility and level.
    let kind = at(b"avcC").and_then(|at| head.get(at + 5..at + 8)).ok_or_else(|| {
        let why = std::io::Error::new(std::io::ErrorKind::InvalidData, "no H.264 in a rendition");
        Error::at(&file)(why)
    })?;
    let sound = if at(b"mp4a").is_some() { ",mp4a.40.2" } else { "" };
    Ok(format!("avc1.{}{sound}", hex::encode(kind)))
}

/// Returns the bit rate of the densest segment of a rendition, in bit/s.
async fn peak(folder: &Path, height: u16) -> Result<u64> {
    let list = folder.join(format!("{height}.m3u8"));
    let text = fs::read_to_string(&list).await.map_err(Error::at(&list))?;
    let (mut densest, mut seconds) = (0.0, f64::from(SEGMENT_SECONDS));
    for line in text.lines() {
        if let Some(length) = line.strip_prefix("#EXTINF:") {
            seconds = length.trim_end_matches(',').parse().unwrap_or(seconds);
        } else if !line.starts_with('#') {
            let segment = folder.join(line);
            let found = fs::metadata(&segment).await.map_err(Error::at(&segment))?;
            // A final segment with few frames isn't representative.
            densest = f64::max(densest, bits(found.len()) / seconds.max(1.0));
        }
    }
    Ok(whole(densest))
}

#[expect(clippy::cast_precision_loss, reason = "segments have some megabytes")]
fn bits(bytes: u64) -> f64 {
    (bytes * 8) as f64
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some million bits a second")]
fn whole(rate: f64) -> u64 {
    rate.ceil() as u64
}
