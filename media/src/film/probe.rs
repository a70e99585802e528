//! Probes a file with ffprobe. Its content matters, not its name.

use std::path::Path;

use serde::Deserialize;

use crate::{Error, Result, tool::Tools};

/// Containers that are allowed as input, by ffmpeg's names. They are common film formats, none of which refers to other files.
pub const FORMATS: &str = "mov,mp4,m4a,3gp,3g2,mj2,asf,flv,mpeg,mpegvideo,mpegts,avi,rm,matroska,webm";
/// Maximum frames per second of the output.
const MAX_RATE: f64 = 60.0;
/// Standard frame rates. A rate close to one of them is rounded to it.
const RATES: [(u32, u32); 8] =
    [(24_000, 1001), (24, 1), (25, 1), (30_000, 1001), (30, 1), (50, 1), (60_000, 1001), (60, 1)];
/// Maximum relative deviation from a standard rate.
const RATE_TOLERANCE: f64 = 0.01;

/// A film as it will be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Index of the video track in the file.
    pub index: u32,
    /// Duration in seconds, or `None` if the file doesn't declare it, such as a live recording.
    pub duration: Option<f64>,
    /// Width of the upright picture with square pixels.
    pub width: u32,
    /// Height of the upright picture with square pixels.
    pub height: u32,
    /// Frames per second as a fraction, at most 60.
    pub rate: (u32, u32),
    /// Whether each frame consists of two fields captured one after the other.
    pub is_interlaced: bool,
    /// Whether the video can be copied: H.264 that every player supports, upright, with square pixels, at an allowed
    /// frame rate, in a container with timestamps.
    pub is_plain: bool,
    /// Bit rate of the video, or of all tracks, in bit/s. It is `None` if the file doesn't declare it.
    pub bit_rate: Option<u64>,
    /// Audio track, or `None` for a silent film.
    pub audio: Option<Audio>,
}

/// The audio track of a film: the default track, or the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audio {
    /// Index of the track in the file.
    pub index: u32,
    /// Whether the audio can be copied: AAC with one or two channels.
    pub is_plain: bool,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    streams: Vec<ProbedStream>,
    format: Container,
}

#[derive(Deserialize)]
struct Container {
    format_name: Option<String>,
    duration: Option<String>,
    bit_rate: Option<String>,
}

#[derive(Deserialize)]
struct ProbedStream {
    index: u32,
    codec_type: Option<String>,
    codec_name: Option<String>,
    profile: Option<String>,
    pix_fmt: Option<String>,
    field_order: Option<String>,
    sample_aspect_ratio: Option<String>,
    avg_frame_rate: Option<String>,
    r_frame_rate: Option<String>,
    duration: Option<String>,
    bit_rate: Option<String>,
    channels: Option<u32>,
    #[serde(default)]
    width: u32,
    #[serde(default)]
    height: u32,
    #[serde(default)]
    disposition: Disposition,
    #[serde(default)]
    side_data_list: Vec<SideData>,
}

#[derive(Default, Deserialize)]
struct Disposition {
    default: u8,
    attached_pic: u8,
}

#[derive(Deserialize)]
struct SideData {
    rotation: Option<f64>,
}

/// The requested entries. No others are requested, because a file's other metadata can be arbitrarily long.
const ENTRIES: &str = "stream=index,codec_type,codec_name,profile,pix_fmt,field_order,sample_aspect_ratio,avg_frame_rate,r_frame_rate,\
duration,bit_rate,channels,width,height:stream_disposition=default,attached_pic:stream_side_data=rotation:\
format=format_name,duration,bit_rate";

/// Probes a file.
///
/// # Errors
/// Returns [`Error::Failed`] for anything but a film in one of the [`FORMATS`], and [`Error::TimedOut`] if probing takes too long.
pub async fn probe(tools: &Tools, file: &Path) -> Result<Source> {
    let output = tools.ffprobe(file, ["-format_whitelist", FORMATS, "-show_entries", ENTRIES, "-of", "json"]).await?;
    let answer = serde_json::from_str(&output).map_err(|error| unreadable(file, &error.to_string()))?;
    source(&answer).ok_or_else(|| unreadable(file, "it contains no film"))
}

/// Returns the duration of a film that this crate has produced, in seconds.
pub(super) async fn length(tools: &Tools, file: &Path) -> Result<f64> {
    let output = tools.ffprobe(file, ["-show_entries", "format=duration", "-of", "csv=p=0"]).await?;
    let seconds = output.trim().parse().ok().filter(|seconds| *seconds > 0.0);
    seconds.ok_or_else(|| unreadable(file, "it has no duration"))
}

pub(super) fn unreadable(file: &Path, detail: &str) -> Error {
    Error::Failed { program: "ffprobe", task: format!("reading {}", file.display()), detail: detail.to_owned() }
}

fn source(answer: &Answer) -> Option<Source> {
    let of =
        |kind: &'static str| answer.streams.iter().filter(move |stream| stream.codec_type.as_deref() == Some(kind));
    // The cover art of an audio file is a video stream too.
    let video =
        of("video").find(|stream| stream.disposition.attached_pic == 0 && stream.width > 0 && stream.height > 0)?;
    let audio = of("audio").find(|stream| stream.disposition.default == 1).or_else(|| of("audio").next());
    let seconds = |text: &Option<String>| text.as_ref()?.parse::<f64>().ok().filter(|seconds| *seconds > 0.0);
    let (width, height) = shown_size(video)?;
    Some(Source {
        index: video.index,
        duration: seconds(&answer.format.duration).or_else(|| seconds(&video.duration)),
        width,
        height,
        rate: rate(video),
        is_interlaced: is_interlaced(video),
        is_plain: is_plain(video) && has_timestamps(&answer.format),
        bit_rate: [&video.bit_rate, &answer.format.bit_rate].into_iter().flatten().find_map(|rate| rate.parse().ok()),
        audio: audio.map(|stream| Audio {
            index: stream.index,
            is_plain: stream.codec_name.as_deref() == Some("aac")
                && stream.profile.as_deref() == Some("LC")
                && stream.channels.is_some_and(|channels| channels <= 2),
        }),
    })
}

fn rotation(video: &ProbedStream) -> f64 {
    video.side_data_list.iter().find_map(|data| data.rotation).unwrap_or(0.0)
}

/// Returns the ratio of a pixel's width to its height.
fn pixel(video: &ProbedStream) -> f64 {
    let fraction = video.sample_aspect_ratio.as_deref().and_then(|text| text.split_once(':'));
    let parsed = fraction.and_then(|(over, under)| Some(over.parse::<f64>().ok()? / under.parse::<f64>().ok()?));
    parsed.filter(|ratio| ratio.is_finite() && *ratio > 0.0).unwrap_or(1.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a picture's sides are small and positive")]
fn shown_size(video: &ProbedStream) -> Option<(u32, u32)> {
    let width = (f64::from(video.width) * pixel(video)).round() as u32;
    let size =
        if (rotation(video).abs() % 180.0 - 90.0).abs() < 1.0 { (video.height, width) } else { (width, video.height) };
    (size.0 > 0 && size.1 > 0).then_some(size)
}

fn fraction(text: Option<&str>) -> Option<(u32, u32)> {
    let (over, under) = text?.split_once('/')?;
    let (over, under) = (over.parse().ok()?, under.parse().ok()?);
    (over > 0 && under > 0).then_some((over, under))
}

/// Returns the output frame rate, which is the source's average rate.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 60,000")]
fn rate(video: &ProbedStream) -> (u32, u32) {
    let found = fraction(video.avg_frame_rate.as_deref()).or_else(|| fraction(video.r_frame_rate.as_deref()));
    let value = |(over, under): (u32, u32)| f64::from(over) / f64::from(under);
    let per_second = found.map_or(25.0, value).clamp(1.0, MAX_RATE);
    let off = |rate: (u32, u32)| (value(rate) / per_second - 1.0).abs();
    let nearest =
        RATES.into_iter().min_by(|a, b| off(*a).total_cmp(&off(*b))).filter(|nearest| off(*nearest) < RATE_TOLERANCE);
    nearest.unwrap_or(((per_second * 1000.0).round() as u32, 1000))
}

fn is_interlaced(video: &ProbedStream) -> bool {
    matches!(video.field_order.as_deref(), Some("tt" | "bb" | "tb" | "bt"))
}

/// Returns whether a container stores reliable timestamps. AVI stores the order of pictures but not their presentation times, and MPEG
/// streams may have discontinuities.
fn has_timestamps(container: &Container) -> bool {
    container.format_name.as_deref().is_some_and(|names| names.contains("mp4") || names.contains("matroska"))
}

fn is_plain(video: &ProbedStream) -> bool {
    video.codec_name.as_deref() == Some("h264")
        && matches!(video.pix_fmt.as_deref(), Some("yuv420p"))
        && matches!(video.profile.as_deref(), Some("Constrained Baseline" | "Baseline" | "Main" | "High"))
        && !is_interlaced(video)
        && rotation(video).abs() < 1.0
        && (pixel(video) - 1.0).abs() < 0.001
        && fraction(video.avg_frame_rate.as_deref()).is_some_and(|(over, under)| over <= under.saturating_mul(60))
        && fraction(video.avg_frame_rate.as_deref()) == fraction(video.r_frame_rate.as_deref())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(video: &serde_json::Value) -> Option<Source> {
        let mut stream = json!({ "index": 0, "codec_type": "video", "codec_name": "h264", "profile": "High", "pix_fmt": "yuv420p",
            "width": 1920, "height": 1080, "avg_frame_rate": "25/1", "r_frame_rate": "25/1", "field_order": "progressive" });
        stream.as_object_mut()?.extend(video.as_object()?.clone());
        source(
            &serde_json::from_value(
                json!({ "streams": [stream], "format": { "format_name": "mov,mp4", "duration": "400.5" } }),
            )
            .unwrap(),
        )
    }

    #[test]
    fn rotated_phone_video_is_upright() {
        let source = read(&json!({ "side_data_list": [{ "rotation": -90 }] })).unwrap();
        assert_eq!((source.width, source.height, source.is_plain), (1080, 1920, false));
        assert_eq!(read(&json!({ "side_data_list": [{ "rotation": 180 }] })).unwrap().width, 1920);
        assert!(read(&json!({})).unwrap().is_plain);
    }

    #[test]
    fn non_square_pixels_are_scaled() {
        let source = read(&json!({ "width": 720, "height": 576, "sample_aspect_ratio": "64:45" })).unwrap();
        assert_eq!((source.width, source.height, source.is_plain), (1024, 576, false));
        assert_eq!(read(&json!({ "sample_aspect_ratio": "0:1" })).unwrap().width, 1920);
    }

    #[test]
    fn frame_rates_are_rounded_to_standard_ones() {
        for (average, rate) in [
            ("30000/1001", (30_000, 1001)),
            ("2997/100", (30_000, 1001)),
            ("24000/1001", (24_000, 1001)),
            ("24/1", (24, 1)),
            ("120/1", (60, 1)),
            ("0/0", (25, 1)),
            ("33/2", (16_500, 1000)),
        ] {
            let read = read(&json!({ "avg_frame_rate": average, "r_frame_rate": average })).unwrap();
            assert_eq!(read.rate, rate, "{average}");
        }
        assert!(!read(&json!({ "avg_frame_rate": "120/1", "r_frame_rate": "120/1" })).unwrap().is_plain);
        assert!(!read(&json!({ "r_frame_rate": "90000/1" })).unwrap().is_plain, "variable frame rate");
    }

    #[test]
    fn files_without_video_are_refused() {
        assert!(read(&json!({ "codec_type": "audio" })).is_none());
        assert!(read(&json!({ "disposition": { "default": 1, "attached_pic": 1 } })).is_none());
        assert!(read(&json!({ "width": 0 })).is_none());
    }
}
