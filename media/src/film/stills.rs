//! The pictures taken from a film: poster, ten screenshots, the hover strip and the seek bar.

use std::{fmt::Write, path::Path};

use tokio::fs;

use super::ladder::SEGMENT_SECONDS;
use crate::{Error, Result, tool::Tools};

/// Screenshots a film has; the catalog's `shot` column counts them from 0.
pub const SHOTS: u8 = 10;
/// Widths of the screenshots, in pixels.
const WIDTHS: [u32; 2] = [320, 640];
/// Frames of which a screenshot is the one most like the others, so that none is of a flash or a fade.
const ALIKE: u32 = 12;
/// Seconds between two seek-bar pictures at least.
const STEP_LEAST: u32 = 2;
/// Seek-bar pictures at most.
const TIMELINE_MOST: u32 = 200;
/// Seek-bar pictures side by side in one row.
const TIMELINE_COLUMNS: u32 = 5;
/// Size of a seek-bar or hover picture, in pixels.
const THUMB: (u32, u32) = (160, 90);

/// The files this module makes.
pub(crate) fn names() -> impl Iterator<Item = String> {
    let shots = (0..SHOTS).flat_map(|shot| WIDTHS.map(|width| shot_name(shot, width)));
    ["poster.jpg", "sprite.webp", "timeline.jpg", "timeline.vtt"].into_iter().map(str::to_owned).chain(shots)
}

fn shot_name(shot: u8, width: u32) -> String {
    format!("shot-{shot}-{width}.webp")
}

/// Takes all pictures of a film of `seconds` in `folder`: those that are looked at of `tall`, those of the seek bar of `small`.
pub async fn render(tools: &Tools, folder: &Path, small: &str, tall: &str, seconds: f64) -> Result<()> {
    tools.ffmpeg(folder, "taking pictures of a film", screenshots(tall, seconds)).await?;
    // The last moments of a film may have no frame.
    for shot in 1..SHOTS {
        for width in WIDTHS {
            let [before, this] = [shot - 1, shot].map(|shot| folder.join(shot_name(shot, width)));
            if !fs::try_exists(&this).await.map_err(Error::at(&this))? {
                fs::copy(&before, &this).await.map_err(Error::at(&this))?;
            }
        }
    }
    let step = step(seconds);
    tools.ffmpeg(folder, "taking pictures for a seek bar", timeline(small, seconds, step)).await?;
    let file = folder.join("timeline.vtt");
    fs::write(&file, cues(seconds, step)).await.map_err(Error::at(&file))
}

/// The film is opened at each place anew, which reads no more of it than is looked at.
fn screenshots(film: &str, seconds: f64) -> Vec<String> {
    let shot = |number: u8| (f64::from(number) + 0.5) / f64::from(SHOTS) * seconds;
    let mut args = Vec::new();
    // The poster last.
    for at in (0..SHOTS).map(shot).chain([seconds / 3.0]) {
        args.extend(["-threads", "1", "-ss", &format!("{at:.3}"), "-i", film].map(str::to_owned));
    }
    let filled = |width: u32, height: u32| {
        format!(
            "scale={width}:{height}:force_original_aspect_ratio=increase:flags=bicubic,crop={width}:{height},setsar=1"
        )
    };
    let mut graph = String::new();
    for number in 0..SHOTS {
        write!(
            graph,
            "[{number}:v]trim=end_frame={ALIKE},thumbnail={ALIKE},{},format=yuv420p[s{number}];",
            filled(640, 360)
        )
        .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    let all: String = (0..SHOTS).map(|number| format!("[s{number}]")).collect();
    let (width, height) = THUMB;
    let poster =
        format!("[{SHOTS}:v]trim=end_frame=1,{},scale=out_range=pc,format=yuvj420p[poster]", filled(1280, 720));
    graph += &format!(
        "{all}concat=n={SHOTS},setpts=N/TB,split=3[large][a][b];[a]scale=320:180[small];\
         [b]scale={width}:{height},tile={SHOTS}x1[sprite];{poster}"
    );
    args.extend(["-filter_complex".to_owned(), graph]);
    let outputs = "-map [small] -fps_mode passthrough -c:v libwebp -quality 68 -f image2 -start_number 0 shot-%d-320.webp \
         -map [large] -fps_mode passthrough -c:v libwebp -quality 70 -f image2 -start_number 0 shot-%d-640.webp \
         -map [sprite] -c:v libwebp -quality 60 -frames:v 1 -f image2 -update 1 sprite.webp \
         -map [poster] -c:v mjpeg -q:v 4 -frames:v 1 -f image2 -update 1 poster.jpg";
    args.extend(outputs.split_whitespace().map(str::to_owned));
    args
}

/// Seconds between two seek-bar pictures.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most some hundred seconds")]
fn step(seconds: f64) -> u32 {
    STEP_LEAST.max((seconds / f64::from(TIMELINE_MOST)).ceil() as u32)
}

/// How many pictures a seek bar has.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most TIMELINE_MOST")]
fn thumbs(seconds: f64, step: u32) -> u32 {
    ((seconds / f64::from(step)).ceil() as u32).clamp(1, TIMELINE_MOST)
}

fn timeline(film: &str, seconds: f64, step: u32) -> Vec<String> {
    let rows = thumbs(seconds, step).div_ceil(TIMELINE_COLUMNS);
    let (width, height) = THUMB;
    let mut args = Vec::new();
    if step >= 2 * SEGMENT_SECONDS {
        // Key frames are near enough then, and all that has to be decoded.
        args.extend(["-skip_frame", "nokey"].map(str::to_owned));
    }
    let graph = format!(
        "fps=1/{step}:start_time=0,scale={width}:{height}:force_original_aspect_ratio=decrease:out_range=pc,\
         pad={width}:{height}:-1:-1,setsar=1,format=yuvj420p,tile={TIMELINE_COLUMNS}x{rows}"
    );
    let rest =
        ["-i", film, "-vf", &graph, "-c:v", "mjpeg", "-q:v", "6", "-frames:v", "1", "-f", "image2", "-update", "1"];
    args.extend(rest.map(str::to_owned));
    args.push("timeline.jpg".to_owned());
    args
}

/// One cue for each part of `timeline.jpg`.
fn cues(seconds: f64, step: u32) -> String {
    let mut vtt = String::from("WEBVTT\n");
    let (width, height) = THUMB;
    for at in 0..thumbs(seconds, step) {
        let (from, to) = (f64::from(at * step), f64::from((at + 1) * step).min(seconds));
        let (x, y) = (at % TIMELINE_COLUMNS * width, at / TIMELINE_COLUMNS * height);
        write!(vtt, "\n{} --> {}\ntimeline.jpg#xywh={x},{y},{width},{height}\n", clock(from), clock(to))
            .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    vtt
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of some hours")]
fn clock(seconds: f64) -> String {
    let all = (seconds * 1000.0).round() as u64;
    let (seconds, milliseconds) = (all / 1000, all % 1000);
    format!("{:02}:{:02}:{:02}.{milliseconds:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cues_cover_the_film_and_name_their_tiles() {
        let vtt = cues(13.04, step(13.04));
        assert!(vtt.starts_with("WEBVTT\n\n00:00:00.000 --> 00:00:02.000\ntimeline.jpg#xywh=0,0,160,90\n"));
        assert!(vtt.contains("00:00:08.000 --> 00:00:10.000\ntimeline.jpg#xywh=640,0,160,90\n"));
        assert!(vtt.ends_with("00:00:12.000 --> 00:00:13.040\ntimeline.jpg#xywh=160,90,160,90\n"));
    }

    #[test]
    fn a_long_film_has_no_more_pictures_than_a_page_loads() {
        assert_eq!((step(400.0), thumbs(400.0, 2)), (2, 200));
        assert_eq!((step(43_200.0), thumbs(43_200.0, 216)), (216, 200));
        assert_eq!((step(0.4), thumbs(0.4, 2)), (2, 1));
    }
}
