//! Encodes a film at several heights. Selects the heights and runs a single command that produces all of them.

use std::path::Path;

use tokio::fs;

use super::{
    playlist,
    probe::{self, FORMATS, Source},
};
use crate::{Error, Result, tool::Tools};

/// Length of a segment and distance between key frames, in seconds.
pub const SEGMENT_SECONDS: u32 = 4;

/// Tolerated deviation of the number of frames from the declared rate, as a fraction.
const RATE_TOLERANCE: f64 = 0.05;

/// A height of the ladder with its encoding settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rung {
    /// Length of the shorter side, in pixels.
    pub height: u16,
    /// Quality (x264's constant rate factor). Smaller pictures hide more loss.
    crf: u8,
    /// Maximum bit rate of the video, in kbit/s.
    max_rate: u32,
    /// Bit rate of the audio, in kbit/s.
    audio: u32,
}

/// The heights of the ladder, smallest first.
const RUNGS: [Rung; 4] = [
    Rung { height: 240, crf: 27, max_rate: 400, audio: 64 },
    Rung { height: 480, crf: 25, max_rate: 1400, audio: 96 },
    Rung { height: 720, crf: 24, max_rate: 2800, audio: 128 },
    Rung { height: 1080, crf: 23, max_rate: 5000, audio: 128 },
];

/// A film at one height of the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rendition {
    /// The rung, which determines settings and name.
    pub rung: Rung,
    /// Width in pixels. It is even, as encoders require.
    pub width: u32,
    /// Height in pixels, which is even.
    pub height: u32,
    /// Whether the source video is copied unchanged.
    pub is_copied: bool,
}

/// Plans the renditions of a film, smallest first. None is larger than the film. A film below all heights gets a single rendition of its
/// own size.
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
            Rendition {
                rung: *rung,
                width,
                height,
                is_copied: source.is_plain && is_whole && is_low_bit_rate(source, *rung),
            }
        })
        .collect()
}

/// Returns whether the film's bit rate is at most twice the ladder's bit rate at this height.
fn is_low_bit_rate(source: &Source, rung: Rung) -> bool {
    source.bit_rate.is_some_and(|rate| rate <= 2 * 1000 * u64::from(rung.max_rate))
}

/// Scales a side of a picture whose shorter side becomes `wanted`, to the nearest even number that doesn't exceed the original.
fn scaled(side: u32, wanted: u32, short: u32) -> u32 {
    let [side, wanted, short] = [side, wanted, short].map(u64::from);
    let nearest = (side * wanted + short) / (2 * short) * 2;
    nearest.min(side / 2 * 2).max(2).try_into().unwrap_or(u32::MAX)
}

/// Encodes all renditions in `folder` and cuts them into segments in `hls/`. Returns the renditions, smallest first. `on_progress` is
/// called with the seconds encoded so far.
///
/// # Errors
/// Returns ffmpeg's error. Partial output stays in the folder.
pub async fn render(
    tools: &Tools,
    file: &Path,
    source: &Source,
    folder: &Path,
    on_progress: impl Fn(f64),
) -> Result<Vec<Rendition>> {
    let mut renditions = plan(source);
    let hls = folder.join("hls");
    fs::create_dir(&hls).await.map_err(Error::at(&hls))?;
    if let Some(top) = renditions.last_mut().filter(|top| top.is_copied) {
        top.is_copied = can_be_cut(tools, file, source).await;
    }
    let args = encoding(file, source, &renditions, tools.max_seconds());
    tools.reading(file).ffmpeg_with_progress(folder, "encoding a film", args, on_progress).await?;
    if let Some(top) = renditions.last() {
        let shown = probe::length(tools, &folder.join(name(top.rung.height))).await?;
        if let Some((declared, _)) =
            source.duration.zip(tools.max_loss()).filter(|(declared, lost)| shown < declared * (1.0 - lost))
        {
            return Err(probe::unreadable(file, &format!("of {declared:.1} s only {shown:.1} s can be shown")));
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

/// Keeps the tallest film, from which segments were cut, as `video.mp4` and removes the others.
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

/// Returns the file name of a rendition before it is cut.
pub(super) fn name(height: u16) -> String {
    format!("{height}.mp4")
}

/// Returns whether all packets are visible at the declared rate, and key frames are close enough together for cutting segments. Returns
/// false if this cannot be determined.
async fn can_be_cut(tools: &Tools, file: &Path, source: &Source) -> bool {
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
    // Films trimmed on phones retain the removed start and mark it as hidden. Segments don't support such a mark.
    let is_hidden = |packet: &str| packet.rsplit(',').next().is_some_and(|flags| flags.contains('D'));
    if packets_text.lines().any(is_hidden) {
        return false;
    }
    // A Matroska file may declare a rate that its frames don't follow. Segments would then seem shorter than they are.
    let (over, under) = source.rate;
    let expected = end * f64::from(over) / f64::from(under);
    let packets = u32::try_from(packets_text.lines().count()).map_or(f64::INFINITY, f64::from);
    if (packets / expected - 1.0).abs() > RATE_TOLERANCE {
        return false;
    }
    let key_frames = packets_text.lines().filter(|packet| packet.contains(",K"));
    let times = key_frames.map(|packet| packet.split(',').next().and_then(|time| time.parse::<f64>().ok()));
    let mut last = 0.0;
    let mut near = |time: f64| time - std::mem::replace(&mut last, time) <= f64::from(SEGMENT_SECONDS) * 1.5;
    times.chain([Some(end)]).all(|time| time.is_some_and(&mut near))
}

/// Returns the arguments to encode all renditions in one pass over the source, up to the maximum length.
fn encoding(file: &Path, source: &Source, renditions: &[Rendition], max_seconds: Option<u32>) -> Vec<String> {
    let mut args: Vec<String> =
        ["-protocol_whitelist", "file", "-format_whitelist", FORMATS, "-i"].map(str::to_owned).into();
    args.push(file.display().to_string());
    let scaled: Vec<&Rendition> = renditions.iter().filter(|rendition| !rendition.is_copied).collect();
    if !scaled.is_empty() {
        args.extend(["-filter_complex".to_owned(), graph(source, &scaled)]);
    }
    for rendition in renditions {
        let Rung { height, crf, max_rate, audio } = rendition.rung;
        let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        if rendition.is_copied {
            args.extend(words(format!("-map 0:{} -c:v copy", source.index)));
        } else {
            let (over, under) = source.rate;
            let between = (over * SEGMENT_SECONDS).div_ceil(under);
            args.extend(words(format!(
                "-map [v{height}] -c:v libx264 -preset veryfast -profile:v high -crf {crf} -maxrate {max_rate}k -bufsize {}k \
                 -g {between} -keyint_min {between} -sc_threshold 0 -pix_fmt yuv420p",
                max_rate * 2
            )));
        }
        if let Some(sound) = &source.audio {
            let how = if rendition.is_copied && sound.is_plain {
                "-c:a copy".to_owned()
            } else {
                // This filter fills gaps and corrects drift, so that sound and picture stay in sync. A gap is filled in memory when the
                // next sample arrives, so samples after the maximum length are dropped.
                let end = max_seconds.map(|seconds| format!("atrim=end={seconds},")).unwrap_or_default();
                format!("-c:a aac -ac 2 -ar 48000 -b:a {audio}k -af {end}aresample=async=1000:first_pts=0")
            };
            args.extend(words(format!("-map 0:{} {how}", sound.index)));
        }
        args.extend(words("-sn -dn -map_metadata -1 -map_chapters -1 -movflags +faststart".to_owned()));
        if let Some(seconds) = max_seconds {
            // Without this limit, a gap of years between two frames would be filled with copies of the first frame.
            args.extend(["-t".to_owned(), seconds.to_string()]);
        }
        args.push(name(height));
    }
    args
}

/// Returns the filter graph. It decodes once, deinterlaces, fixes the frame rate, and then scales to each size.
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
    fn no_rendition_exceeds_the_film() {
        assert_eq!(sizes(1920, 1080), [(426, 240), (854, 480), (1280, 720), (1920, 1080)]);
        assert_eq!(sizes(3840, 2160), [(426, 240), (854, 480), (1280, 720), (1920, 1080)]);
        assert_eq!(sizes(1280, 719), [(428, 240), (854, 480)]);
        assert_eq!(sizes(854, 480), [(428, 240), (854, 480)]);
        assert_eq!(sizes(1080, 1920), [(240, 426), (480, 854), (720, 1280), (1080, 1920)]);
        assert_eq!(sizes(177, 145), [(176, 144)]);
        assert_eq!(sizes(480, 480), [(240, 240), (480, 480)]);
    }

    #[test]
    fn plain_video_is_copied_unless_scaled_or_above_bit_rate() {
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
