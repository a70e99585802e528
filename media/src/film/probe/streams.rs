//! What ffprobe says about a file and its tracks.

use std::path::Path;

use lantern_catalog::{
    audio_tracks::{AudioKind, AudioTrack},
    captions::{CaptionKind, CaptionTrack},
};
use serde::Deserialize;

use super::{
    FORMATS,
    chapters::{ProbedChapter, one_line},
    unreadable,
};
use crate::{
    Result,
    captions::language,
    film::{
        color::{Color, ColorMarks},
        orientation::{Orientation, UPRIGHT},
    },
    tool::Tools,
};

/// Maximum frames per second of the output.
const MAX_RATE: f64 = 60.0;
/// Standard frame rates. A rate close to one of them is rounded to it.
const RATES: [(u32, u32); 8] =
    [(24_000, 1001), (24, 1), (25, 1), (30_000, 1001), (30, 1), (50, 1), (60_000, 1001), (60, 1)];
/// Maximum relative deviation from a standard rate.
const RATE_TOLERANCE: f64 = 0.01;
/// Audio codecs whose sampling rate and channels are the same in the whole track.
const CONSTANT_AUDIO: [&str; 5] = ["opus", "vorbis", "flac", "alac", "pcm_"];

/// Codecs of tracks that contain text. Others contain pictures of text.
const TEXT_CODECS: [&str; 6] = ["subrip", "ass", "ssa", "webvtt", "mov_text", "text"];

/// The requested entries. No others are requested, because a file's other metadata can be arbitrarily long. Only titles can,
/// too, and a file whose answer exceeds the limit of [`Tools`] is refused.
const ENTRIES: &str = "stream=index,codec_type,codec_name,profile,pix_fmt,field_order,sample_aspect_ratio,avg_frame_rate,r_frame_rate,\
duration,bit_rate,channels,width,height,color_range,color_space,color_transfer,color_primaries:\
stream_disposition=default,attached_pic,timed_thumbnails,still_image,hearing_impaired,visual_impaired,comment,forced:stream_side_data=displaymatrix:stream_tags=DURATION,language,title:\
chapter=start_time:chapter_tags=title:format=format_name,duration,bit_rate";

#[derive(Deserialize)]
pub struct Answer {
    #[serde(default)]
    pub streams: Vec<ProbedStream>,
    #[serde(default)]
    pub chapters: Vec<ProbedChapter>,
    pub format: Container,
}

#[derive(Deserialize)]
pub struct Container {
    format_name: Option<String>,
    duration: Option<String>,
    bit_rate: Option<String>,
}

#[derive(Deserialize)]
pub struct ProbedStream {
    pub index: u32,
    pub codec_type: Option<String>,
    pub codec_name: Option<String>,
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
    color_range: Option<String>,
    color_space: Option<String>,
    color_transfer: Option<String>,
    color_primaries: Option<String>,
    #[serde(default)]
    pub disposition: Disposition,
    #[serde(default)]
    side_data_list: Vec<SideData>,
    #[serde(default)]
    tags: Tags,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub struct Disposition {
    pub default: u8,
    attached_pic: u8,
    timed_thumbnails: u8,
    still_image: u8,
    hearing_impaired: u8,
    visual_impaired: u8,
    comment: u8,
    forced: u8,
}

#[derive(Deserialize)]
struct SideData {
    displaymatrix: Option<String>,
}

#[derive(Default, Deserialize)]
struct Tags {
    #[serde(rename = "DURATION")]
    duration: Option<String>,
    language: Option<String>,
    title: Option<String>,
}

/// Asks ffprobe about a file.
pub async fn ask(tools: &Tools, file: &Path) -> Result<Answer> {
    let output = tools.ffprobe(file, ["-format_whitelist", FORMATS, "-show_entries", ENTRIES, "-of", "json"]).await?;
    serde_json::from_str(&output).map_err(|error| unreadable(file, &error.to_string()))
}

pub fn seconds(text: Option<&str>) -> Option<f64> {
    text?.parse().ok().filter(|seconds: &f64| seconds.is_finite())
}

/// Parses a duration such as `00:01:02.5`, as Matroska files declare it for a track.
fn clock(text: &str) -> Option<f64> {
    text.split(':').try_fold(0.0, |sum, part| Some(sum * 60.0 + part.trim().parse::<f64>().ok()?))
}

impl Answer {
    /// Returns the tracks of a kind. Pictures that belong to a film, such as its cover, are video tracks too and are excluded.
    pub fn tracks(&self, kind: &'static str) -> impl Iterator<Item = &ProbedStream> {
        self.streams.iter().filter(move |stream| {
            let Disposition { attached_pic, timed_thumbnails, still_image, .. } = stream.disposition;
            let is_shown = attached_pic + timed_thumbnails + still_image == 0 && stream.width > 0 && stream.height > 0;
            stream.codec_type.as_deref() == Some(kind) && (kind != "video" || is_shown)
        })
    }

    /// Returns how long the file says the video track is, which starts at `start`. Without such a statement, the length of the file counts
    /// if it has only this track. If its clock may be reset, ffprobe only guesses.
    pub fn declared_seconds(&self, video: &ProbedStream, start: f64) -> Option<f64> {
        let own = || seconds(video.duration.as_deref());
        let end = || clock(video.tags.duration.as_deref()?);
        let whole = || seconds(self.format.duration.as_deref()).filter(|_| self.streams.len() == 1);
        let declared = own().or_else(|| end().or_else(whole).map(|end| end - start.max(0.0)));
        declared.filter(|_| !self.format.is_resettable())
    }

    pub fn bit_rate(&self, video: &ProbedStream) -> Option<u64> {
        [&video.bit_rate, &self.format.bit_rate].into_iter().flatten().find_map(|rate| rate.parse().ok())
    }
}

impl Container {
    fn has_name(&self, part: &str) -> bool {
        self.format_name.as_deref().is_some_and(|names| names.contains(part))
    }

    /// Returns whether its clock may be reset, as in joined recordings.
    pub fn is_resettable(&self) -> bool {
        self.has_name("mpeg")
    }

    /// Returns whether it stores reliable timestamps. AVI stores the order of pictures but not their presentation times, and MPEG streams
    /// may have discontinuities.
    pub fn has_timestamps(&self) -> bool {
        self.has_name("mp4") || self.has_name("matroska")
    }
}

impl ProbedStream {
    pub fn orientation(&self) -> Orientation {
        let dump = self.side_data_list.iter().find_map(|data| data.displaymatrix.as_deref());
        dump.map_or(UPRIGHT, Orientation::of)
    }

    pub fn color(&self) -> Color {
        let marks = ColorMarks {
            space: self.color_space.as_deref(),
            transfer: self.color_transfer.as_deref(),
            primaries: self.color_primaries.as_deref(),
            range: self.color_range.as_deref(),
            pixels: self.pix_fmt.as_deref(),
        };
        Color::of(&marks, (self.width, self.height))
    }

    /// Returns what an audio track is.
    pub fn audio_track(&self) -> AudioTrack {
        let kind = match self.disposition {
            Disposition { visual_impaired: 1, .. } => AudioKind::Descriptions,
            Disposition { comment: 1, .. } => AudioKind::Commentary,
            _ => AudioKind::Main,
        };
        let lang = self.tags.language.as_deref().and_then(language::code).map(str::to_owned);
        AudioTrack { lang, title: one_line(self.tags.title.as_deref().unwrap_or_default()), kind }
    }

    /// Returns what a text track is. `None` if it has no language, or only the lines that a viewer needs who understands the rest.
    pub fn caption_track(&self) -> Option<CaptionTrack> {
        let is_text = self.codec_name.as_ref().is_some_and(|name| TEXT_CODECS.contains(&name.as_str()));
        let lang = language::code(self.tags.language.as_deref()?)?.to_owned();
        let kind = match self.disposition.hearing_impaired {
            0 => CaptionKind::Subtitles,
            _ => CaptionKind::Captions,
        };
        (is_text && self.disposition.forced == 0).then_some(CaptionTrack { lang, kind })
    }

    /// Returns the ratio of a pixel's width to its height.
    fn pixel(&self) -> f64 {
        let fraction = self.sample_aspect_ratio.as_deref().and_then(|text| text.split_once(':'));
        let parsed = fraction.and_then(|(over, under)| Some(over.parse::<f64>().ok()? / under.parse::<f64>().ok()?));
        parsed.filter(|ratio| ratio.is_finite() && *ratio > 0.0).unwrap_or(1.0)
    }

    /// Returns the size of the upright picture with square pixels.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a picture's sides are small and positive"
    )]
    pub fn shown_size(&self) -> Option<(u32, u32)> {
        let width = (f64::from(self.width) * self.pixel()).round() as u32;
        let size = if self.orientation().is_sideways { (self.height, width) } else { (width, self.height) };
        (size.0 > 0 && size.1 > 0).then_some(size)
    }

    /// Returns the frames per second that the file declares on average.
    fn average_rate(&self) -> f64 {
        let average = fraction(self.avg_frame_rate.as_deref());
        let found = average.or_else(|| fraction(self.r_frame_rate.as_deref()));
        found.map_or(25.0, value).clamp(1.0, MAX_RATE)
    }

    /// Returns whether each field can become a frame.
    fn has_slow_fields(&self) -> bool {
        self.is_interlaced() && 2.0 * self.average_rate() <= MAX_RATE
    }

    /// Returns the output frame rate, which is that of the frames or of the fields.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 60,000")]
    pub fn rate(&self) -> (u32, u32) {
        let per_second = self.average_rate();
        let off = |rate: (u32, u32)| (value(rate) / per_second - 1.0).abs();
        let nearest = RATES.into_iter().min_by(|a, b| off(*a).total_cmp(&off(*b)));
        let (over, under) = nearest
            .filter(|nearest| off(*nearest) < RATE_TOLERANCE)
            .unwrap_or(((per_second * 1000.0).round() as u32, 1000));
        if self.has_slow_fields() { (2 * over, under) } else { (over, under) }
    }

    pub fn deinterlacing(&self) -> &'static str {
        match (self.is_interlaced(), self.has_slow_fields()) {
            (false, _) => "",
            (true, false) => "yadif,",
            (true, true) => "yadif=mode=send_field,",
        }
    }

    fn is_interlaced(&self) -> bool {
        matches!(self.field_order.as_deref(), Some("tt" | "bb" | "tb" | "bt"))
    }

    /// Returns whether the video itself can be copied.
    pub fn is_plain(&self) -> bool {
        let average = fraction(self.avg_frame_rate.as_deref());
        self.codec_name.as_deref() == Some("h264")
            && matches!(self.pix_fmt.as_deref(), Some("yuv420p"))
            && matches!(self.profile.as_deref(), Some("Constrained Baseline" | "Baseline" | "Main" | "High"))
            && !self.is_interlaced()
            && self.orientation().is_upright
            && self.color().is_kept()
            && (self.pixel() - 1.0).abs() < 0.001
            && average.is_some_and(|(over, under)| over <= under.saturating_mul(60))
            && average == fraction(self.r_frame_rate.as_deref())
    }

    pub fn is_plain_audio(&self) -> bool {
        self.codec_name.as_deref() == Some("aac")
            && self.profile.as_deref() == Some("LC")
            && self.channels.is_some_and(|channels| channels <= 2)
    }

    /// Returns whether the sampling rate and the channels may change within the track.
    pub fn may_change(&self, container: &Container) -> bool {
        let codec = self.codec_name.as_deref().unwrap_or_default();
        let is_aac = codec == "aac" && container.has_timestamps();
        !is_aac && !CONSTANT_AUDIO.iter().any(|constant| codec.starts_with(constant))
    }
}

fn fraction(text: Option<&str>) -> Option<(u32, u32)> {
    let (over, under) = text?.split_once('/')?;
    let (over, under) = (over.parse().ok()?, under.parse().ok()?);
    (over > 0 && under > 0).then_some((over, under))
}

fn value((over, under): (u32, u32)) -> f64 {
    f64::from(over) / f64::from(under)
}
