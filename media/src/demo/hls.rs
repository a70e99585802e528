//! `hls/`: the film as it is and a small rendition of it, cut at the same key frames.

use std::{fmt::Write, path::Path};

use tokio::fs;

use super::clip::{KEY_FRAMES, SEGMENT_SECONDS};
use crate::{Error, Result, clips::HEIGHTS, tool};

/// Width and RFC 6381 codec names of each of [`HEIGHTS`]: H.264 main at levels 3.0 and 2.1, AAC-LC.
const RENDITIONS: [(u16, &str); 2] = [(854, "avc1.4d401e,mp4a.40.2"), (428, "avc1.4d4015,mp4a.40.2")];

/// Cuts `video.mp4` in `part` into segments and writes the playlists.
pub(super) async fn render(part: &Path) -> Result<()> {
    let folder = part.join("hls");
    fs::create_dir(&folder).await.map_err(Error::at(&folder))?;
    segments(&folder).await?;
    let master = master(&folder).await?;
    let file = folder.join("master.m3u8");
    fs::write(&file, master).await.map_err(Error::at(&file))
}

async fn segments(folder: &Path) -> Result<()> {
    let [tall, small] = HEIGHTS;
    let scale = format!("-vf scale={}:{small}", RENDITIONS[1].0);
    let encode = format!(
        "{scale} -c:v libx264 -profile:v main -level:v 2.1 -preset superfast -crf 27 -maxrate 260k -bufsize 520k \
         -g {KEY_FRAMES} -sc_threshold 0 -c:a aac -b:a 48k"
    );
    let rendition = |height: u16, how: &str| {
        format!(
            "-map 0:v -map 0:a {how} -f hls -hls_time {SEGMENT_SECONDS} -hls_playlist_type vod \
             -hls_segment_type fmp4 -hls_fmp4_init_filename {height}-init.mp4 \
             -hls_segment_filename {height}-%d.m4s {height}.m3u8"
        )
    };
    let input = "-protocol_whitelist file -i ../video.mp4";
    let args = format!("{input} {} {}", rendition(tall, "-c copy"), rendition(small, &encode));
    tool::ffmpeg(folder, "cutting a demo film into HLS segments", args.split(' ')).await
}

/// The playlist of playlists. ffmpeg's own has no bandwidth for a rendition that is only copied, and players choose
/// by it.
async fn master(folder: &Path) -> Result<String> {
    let mut text = String::from("#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n");
    for (height, (width, codecs)) in HEIGHTS.into_iter().zip(RENDITIONS) {
        let bandwidth = peak(folder, height).await?;
        write!(
            text,
            "#EXT-X-STREAM-INF:BANDWIDTH={bandwidth},RESOLUTION={width}x{height},CODECS=\"{codecs}\"\n{height}.m3u8\n"
        )
        .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    Ok(text)
}

/// Bits a second of the largest segment of a rendition.
async fn peak(folder: &Path, height: u16) -> Result<u64> {
    let mut largest = 0;
    let mut entries = fs::read_dir(folder).await.map_err(Error::at(folder))?;
    while let Some(entry) = entries.next_entry().await.map_err(Error::at(folder))? {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(&format!("{height}-")) && name.ends_with(".m4s") {
            largest = largest.max(entry.metadata().await.map_err(Error::at(&entry.path()))?.len());
        }
    }
    Ok(largest * 8 / SEGMENT_SECONDS as u64)
}
