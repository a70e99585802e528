//! The pictures taken from a film: poster, ten screenshots, the hover strip and the seek bar.

use std::{fmt::Write, path::Path};

use tokio::fs;

use super::scenes::FPS;
use crate::{Error, Result, tool};

/// Screenshots a clip has; the catalog's `shot` column counts them from 0.
const SHOTS: usize = 10;
/// Time between two seek-bar pictures, in seconds.
const TIMELINE_STEP: usize = 2;
/// Seek-bar pictures side by side in one row.
const TIMELINE_COLUMNS: usize = 5;
/// Size of a seek-bar or hover picture, in pixels.
const THUMB: (usize, usize) = (160, 90);

/// The files this module makes.
pub(super) fn names() -> impl Iterator<Item = String> {
    let shots = (0..SHOTS).flat_map(|shot| [320, 640].map(|width| format!("shot-{shot}-{width}.webp")));
    ["poster.jpg", "sprite.webp", "timeline.jpg", "timeline.vtt"].into_iter().map(str::to_owned).chain(shots)
}

/// Takes all pictures of `video.mp4` in `part` in one pass over the film.
pub(super) async fn render(part: &Path, seconds: usize) -> Result<()> {
    let thumbs = seconds.div_ceil(TIMELINE_STEP);
    let graph = graph(seconds, thumbs);
    let series =
        |pad, quality, name| format!("-map [{pad}] -c:v libwebp -quality {quality} -f image2 -start_number 0 {name}");
    let single = |pad, codec, name| format!("-map [{pad}] -c:v {codec} -frames:v 1 -f image2 -update 1 {name}");
    let outputs = [
        series("small", 68, "shot-%d-320.webp"),
        series("large", 70, "shot-%d-640.webp"),
        single("sprite", "libwebp -quality 60", "sprite.webp"),
        single("poster", "mjpeg -q:v 4", "poster.jpg"),
        single("timeline", "mjpeg -q:v 6", "timeline.jpg"),
    ]
    .join(" ");
    let input = ["-protocol_whitelist", "file", "-i", "video.mp4", "-filter_complex", &graph];
    let args = input.into_iter().chain(outputs.split(' '));
    tool::ffmpeg(part, "taking pictures of a demo film", args).await?;
    let file = part.join("timeline.vtt");
    fs::write(&file, timeline(seconds)).await.map_err(Error::at(&file))
}

/// Chosen frames are renumbered, else the image writer would repeat them to keep the film's pace.
fn graph(seconds: usize, thumbs: usize) -> String {
    let (every, renumber) = (seconds * FPS / SHOTS, format!("setpts=N/{FPS}/TB"));
    let (middle, (width, height)) = (every / 2, THUMB);
    let rows = thumbs.div_ceil(TIMELINE_COLUMNS);
    let (step, poster) = (TIMELINE_STEP * FPS, seconds * FPS / 3);
    format!(
        "[0:v]split=3[f0][f1][f2];\
         [f0]select='eq(mod(n,{every}),{middle})',{renumber},split=3[s0][s1][s2];\
         [s0]scale=320:180[small];[s1]scale=640:360[large];[s2]scale={width}:{height},tile={SHOTS}x1[sprite];\
         [f1]select='eq(n,{poster})',{renumber},scale=1280:720:flags=lanczos:out_range=pc,format=yuvj420p[poster];\
         [f2]select='not(mod(n,{step}))',{renumber},scale={width}:{height}:out_range=pc,format=yuvj420p,\
         tile={TIMELINE_COLUMNS}x{rows}[timeline]"
    )
}

/// One cue for each part of `timeline.jpg`.
fn timeline(seconds: usize) -> String {
    let mut vtt = String::from("WEBVTT\n");
    let (width, height) = THUMB;
    for (at, start) in (0..seconds).step_by(TIMELINE_STEP).enumerate() {
        let (from, to) = (clock(start), clock((start + TIMELINE_STEP).min(seconds)));
        let (x, y) = (at % TIMELINE_COLUMNS * width, at / TIMELINE_COLUMNS * height);
        write!(vtt, "\n{from} --> {to}\ntimeline.jpg#xywh={x},{y},{width},{height}\n")
            .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    vtt
}

fn clock(seconds: usize) -> String {
    format!("{:02}:{:02}:{:02}.000", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::timeline;

    #[test]
    fn cues_cover_the_film_and_name_their_tiles() {
        let vtt = timeline(13);
        assert!(vtt.starts_with("WEBVTT\n\n00:00:00.000 --> 00:00:02.000\ntimeline.jpg#xywh=0,0,160,90\n"));
        assert!(vtt.contains("00:00:08.000 --> 00:00:10.000\ntimeline.jpg#xywh=640,0,160,90\n"));
        assert!(vtt.ends_with("00:00:12.000 --> 00:00:13.000\ntimeline.jpg#xywh=160,90,160,90\n"));
    }
}
