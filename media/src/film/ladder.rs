//! A film at several heights: which they are, and the one command that makes them all.

use std::path::Path;

use tokio::fs;

use super::{
    playlist,
    probe::{self, FORMATS, Source},
};
use crate::{Error, Result, tool::Tools};

/// Length of a segment in seconds, and of what lies between two key frames.
pub const SEGMENT_SECONDS: u32 = 4;

/// By how much the number of frames may differ from what their rate says.
const PACE_SLACK: f64 = 0.05;

/// One height and what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// Pixels of the shorter side.
    pub height: u16,
    /// Quality (x264's constant rate factor): smaller pictures show less of what is lost.
    crf: u8,
    /// Kilobits a second at most.
    most: u32,
    /// Kilobits a second of its sound.
    audio: u32,
}

/// From the smallest on.
const RUNGS: [Rung; 4] = [
    Rung { height: 240, crf: 27, most: 400, audio: 64 },
    Rung { height: 480, crf: 25, most: 1400, audio: 96 },
    Rung { height: 720, crf: 24, most: 2800, audio: 128 },
    Rung { height: 1080, crf: 23, most: 5000, audio: 128 },
];

/// A picture of a rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rendition {
    /// What it costs, and what it is called by.
    pub rung: Rung,
    /// Pixels, even as encoders want them.
    pub width: u32,
    /// As `width`.
    pub height: u32,
    /// Whether the source is taken as it is.
    pub is_copied: bool,
}

/// The renditions of a film, the smallest first: none is larger than the film. One that is smaller than all has itself.
#[must_use]
pub fn plan(source: &Source) -> Vec<Rendition> {
    let short = source.width.min(source.height);
    let fits = RUNGS.iter().filter(|rung| u32::from(rung.height) <= short).count().max(1);
    RUNGS[..fits]
        .iter()
        .map(|rung| {
            let wanted = u32::from(rung.height).min(short);
            let (width, height) = (scaled(source.width, wanted, short), scaled(source.height, wanted, short));
            let is_whole = (width, height) == (source.width, source.height);
            Rendition { rung: *rung, width, height, is_copied: source.is_plain && is_whole && is_thin(source, *rung) }
        })
        .collect()
}

/// Whether a film takes little more than we would give it at this height.
fn is_thin(source: &Source, rung: Rung) -> bool {
    source.bit_rate.is_some_and(|rate| rate <= 2 * 1000 * u64::from(rung.most))
}

/// A side of a picture whose shorter side becomes `wanted`: the nearest even number that isn't more than there is.
fn scaled(side: u32, wanted: u32, short: u32) -> u32 {
    let [side, wanted, short] = [side, wanted, short].map(u64::from);
    let nearest = (side * wanted + short) / (2 * short) * 2;
    nearest.min(side / 2 * 2).max(2).try_into().unwrap_or(u32::MAX)
}

/// Makes the films of all renditions in `folder`, and `hls/` of them; returns the renditions, the smallest first. `seen` hears how
/// many seconds are done.
///
/// # Errors
/// What ffmpeg says; what was made so far stays in the folder.
pub async fn render(
    tools: &Tools,
    file: &Path,
    source: &Source,
    folder: &Path,
    seen: impl Fn(f64),
) -> Result<Vec<Rendition>> {
    let mut renditions = plan(source);
    let hls = folder.join("hls");
    fs::create_dir(&hls).await.map_err(Error::at(&hls))?;
    if let Some(top) = renditions.last_mut().filter(|top| top.is_copied) {
        top.is_copied = is_cut_often(tools, file, source).await;
    }
    let args = encoding(file, source, &renditions, tools.most_seconds());
    tools.reading(file).ffmpeg_seen(folder, "encoding a film", args, seen).await?;
    if let Some(top) = renditions.last() {
        let shown = probe::length(tools, &folder.join(name(top.rung.height))).await?;
        if let Some((said, _)) =
            source.duration.zip(tools.most_lost()).filter(|(said, lost)| shown < said * (1.0 - lost))
        {
            return Err(probe::unreadable(file, &format!("of {said:.1} s only {shown:.1} s can be shown")));
        }
    }
    let cutter = tools.reading(folder);
    for rendition in &renditions {
        let args = playlist::cutting(rendition.rung.height);
        cutter.ffmpeg(&hls, "cutting a film into segments", args).await?;
    }
    playlist::write_master(&hls, &renditions).await?;
    Ok(renditions)
}

/// Of the films that the segments were cut of, the tallest stays, as `video.mp4`.
pub async fn keep_tallest(folder: &Path, renditions: &[Rendition]) -> Result<()> {
    for (at, rendition) in renditions.iter().rev().enumerate() {
        let film = folder.join(name(rendition.rung.height));
        if at == 0 {
            let whole = folder.join("video.mp4");
            fs::rename(&film, &whole).await.map_err(Error::at(&whole))?;
        } else {
            fs::remove_file(&film).await.map_err(Error::at(&film))?;
        }
    }
    Ok(())
}

/// The film of a rendition before it is cut.
pub(super) fn name(height: u16) -> String {
    format!("{height}.mp4")
}

/// Whether all of a film is shown at the pace it names, and key frames are near enough to each other for segments to be cut there; false where that
/// can't be found out.
async fn is_cut_often(tools: &Tools, file: &Path, source: &Source) -> bool {
    let track = source.index.to_string();
    let args = [
        "-format_whitelist",
        FORMATS,
        "-select_streams",
        &track,
        "-show_entries",
        "packet=pts_time,flags",
        "-of",
        "csv=p=0",
    ];
    let (Ok(packets_text), Some(end)) = (tools.ffprobe(file, args).await, source.duration) else { return false };
    // Who trims a film on a telephone has what goes before kept, and marked as not to be shown; segments know no such mark.
    let is_hidden = |packet: &str| packet.rsplit(',').next().is_some_and(|flags| flags.contains('D'));
    if packets_text.lines().any(is_hidden) {
        return false;
    }
    // A Matroska file may name a pace that its frames don't keep; segments would be taken for shorter than they are.
    let (over, under) = source.rate;
    let expected = end * f64::from(over) / f64::from(under);
    let packets = u32::try_from(packets_text.lines().count()).map_or(f64::INFINITY, f64::from);
    if (packets / expected - 1.0).abs() > PACE_SLACK {
        return false;
    }
    let key_frames = packets_text.lines().filter(|packet| packet.contains(",K"));
    let times = key_frames.map(|packet| packet.split(',').next().and_then(|time| time.parse::<f64>().ok()));
    let mut last = 0.0;
    let mut near = |time: f64| time - std::mem::replace(&mut last, time) <= f64::from(SEGMENT_SECONDS) * 1.5;
    times.chain([Some(end)]).all(|time| time.is_some_and(&mut near))
}

/// One reading of the source for all renditions, no further than it may go on.
fn encoding(file: &Path, source: &Source, renditions: &[Rendition], most_seconds: Option<u32>) -> Vec<String> {
    let mut args: Vec<String> =
        ["-protocol_whitelist", "file", "-format_whitelist", FORMATS, "-i"].map(str::to_owned).into();
    args.push(file.display().to_string());
    let scaled: Vec<&Rendition> = renditions.iter().filter(|rendition| !rendition.is_copied).collect();
    if !scaled.is_empty() {
        args.extend(["-filter_complex".to_owned(), graph(source, &scaled)]);
    }
    for rendition in renditions {
        let Rung { height, crf, most, audio } = rendition.rung;
        let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        if rendition.is_copied {
            args.extend(words(format!("-map 0:{} -c:v copy", source.index)));
        } else {
            let (over, under) = source.rate;
            let between = (over * SEGMENT_SECONDS).div_ceil(under);
            args.extend(words(format!(
                "-map [v{height}] -c:v libx264 -preset veryfast -profile:v high -crf {crf} -maxrate {most}k -bufsize {}k \
                 -g {between} -keyint_min {between} -sc_threshold 0 -pix_fmt yuv420p",
                most * 2
            )));
        }
        if let Some(sound) = &source.audio {
            let how = if rendition.is_copied && sound.is_plain {
                "-c:a copy".to_owned()
            } else {
                // What is missing is filled, and what drifts is pulled, so that sound and picture stay together. Filling begins
                // when more comes, in memory: what comes after the end is none.
                let end = most_seconds.map(|seconds| format!("atrim=end={seconds},")).unwrap_or_default();
                format!("-c:a aac -ac 2 -ar 48000 -b:a {audio}k -af {end}aresample=async=1000:first_pts=0")
            };
            args.extend(words(format!("-map 0:{} {how}", sound.index)));
        }
        args.extend(words("-sn -dn -map_metadata -1 -map_chapters -1 -movflags +faststart".to_owned()));
        if let Some(seconds) = most_seconds {
            // Two frames that are years apart would be filled with copies of the first one.
            args.extend(["-t".to_owned(), seconds.to_string()]);
        }
        args.push(name(height));
    }
    args
}

/// Decoded once, made upright and even, then scaled to each size.
fn graph(source: &Source, renditions: &[&Rendition]) -> String {
    let (over, under) = source.rate;
    let halves = if source.is_interlaced { "yadif," } else { "" };
    let branches: String = renditions.iter().map(|rendition| format!("[s{}]", rendition.rung.height)).collect();
    let mut graph = format!("[0:{}]{halves}fps={over}/{under},split={}{branches}", source.index, renditions.len());
    for Rendition { rung, width, height, .. } in renditions {
        graph += &format!(";[s{0}]scale={width}:{height}:flags=bicubic,setsar=1,format=yuv420p[v{0}]", rung.height);
    }
    graph
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(width: u32, height: u32) -> Source {
        Source {
            index: 0,
            duration: Some(1.0),
            width,
            height,
            rate: (25, 1),
            is_interlaced: false,
            is_plain: true,
            bit_rate: Some(900_000),
            audio: None,
        }
    }

    fn sizes(width: u32, height: u32) -> Vec<(u32, u32)> {
        plan(&source(width, height)).iter().map(|rendition| (rendition.width, rendition.height)).collect()
    }

    #[test]
    fn no_rendition_is_larger_than_the_film() {
        assert_eq!(sizes(1920, 1080), [(426, 240), (854, 480), (1280, 720), (1920, 1080)]);
        assert_eq!(sizes(3840, 2160), [(426, 240), (854, 480), (1280, 720), (1920, 1080)]);
        assert_eq!(sizes(1280, 719), [(428, 240), (854, 480)]);
        assert_eq!(sizes(854, 480), [(428, 240), (854, 480)]);
        assert_eq!(sizes(1080, 1920), [(240, 426), (480, 854), (720, 1280), (1080, 1920)]);
        assert_eq!(sizes(177, 145), [(176, 144)]);
        assert_eq!(sizes(480, 480), [(240, 240), (480, 480)]);
    }

    #[test]
    fn what_is_plain_is_taken_as_it_is_where_nothing_has_to_be_scaled_or_made_thinner() {
        let copied = |change: fn(&mut Source)| {
            let mut film = source(854, 480);
            change(&mut film);
            plan(&film).iter().map(|rendition| rendition.is_copied).collect::<Vec<_>>()
        };
        assert_eq!(copied(|_| {}), [false, true]);
        assert_eq!(copied(|film| film.bit_rate = Some(3_000_000)), [false, false]);
        assert_eq!(copied(|film| film.bit_rate = None), [false, false]);
        assert_eq!(copied(|film| film.is_plain = false), [false, false]);
        assert_eq!(copied(|film| film.height = 482), [false, false]);
    }
}
