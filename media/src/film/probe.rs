//! Probes a file with ffprobe. Its content matters, not its name, and its packets matter more than what it declares.

mod chapters;
mod streams;

use std::{collections::HashSet, ops::Range, path::Path};

use lantern_catalog::{audio_tracks::AudioTrack, captions::CaptionTrack, chapters::Chapter};
use streams::{Answer, ProbedStream};

use super::{
    color::Color,
    ladder::SEGMENT_SECONDS,
    packets::{self, Packets},
};
use crate::{Error, Result, tool::Tools};

/// Containers that are allowed as input, by ffmpeg's names. They are common film formats, none of which refers to other files.
pub const FORMATS: &str = "mov,mp4,m4a,3gp,3g2,mj2,asf,flv,mpeg,mpegvideo,mpegts,avi,rm,matroska,webm";
/// Tolerated deviation of the number of frames from the declared rate, as a fraction.
const COUNT_TOLERANCE: f64 = 0.05;
/// Longest gap in seconds that goes unnoticed if picture or sound is missing at the start or end of a film.
pub const NOTICEABLE: f64 = 0.1;

/// A film as it will be shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    /// Index of the video track in the file.
    pub index: u32,
    /// Time of the first packet of the used tracks in seconds, by the clock of the file.
    pub start: f64,
    /// Duration in seconds: from the first to the last packet of the used tracks.
    pub duration: f64,
    /// Seconds of the film for which there are pictures. They lie within the duration.
    pub picture: Range<f64>,
    /// Width of the upright picture with square pixels.
    pub width: u32,
    /// Height of the upright picture with square pixels.
    pub height: u32,
    /// Frames per second as a fraction, at most 60.
    pub rate: (u32, u32),
    /// Filter that turns fields captured one after the other into frames, followed by a comma. Empty if there are no fields.
    pub deinterlacing: &'static str,
    /// What the numbers of the pictures mean.
    pub color: Color,
    /// Whether the video can be copied: H.264 that every player supports, upright, with square pixels and ordinary colors, at an allowed
    /// frame rate, in a container with timestamps, with all frames visible, and with key frames where segments can be cut.
    pub is_plain: bool,
    /// Bit rate of the video, or of all tracks, in bit/s. It is `None` if the file doesn't declare it.
    pub bit_rate: Option<u64>,
    /// Chapters with a title, sorted by their time.
    pub chapters: Vec<Chapter>,
    /// Audio tracks, the main one first. Empty for a silent film.
    pub audio: Vec<Audio>,
    /// Codecs of the audio tracks if none of them can be decoded, so that the film becomes silent.
    pub lost_audio: Vec<String>,
    /// Text tracks in a language that the file names.
    pub captions: Vec<TextTrack>,
}

/// An audio track of a film that can be decoded. The main one is the default track, or the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Audio {
    /// Index of the track in the file.
    pub index: u32,
    /// What it is.
    pub track: AudioTrack,
    /// Second of the film at which the sound starts.
    pub start: f64,
    /// Whether the audio can be copied: AAC with one or two channels that doesn't change.
    pub is_plain: bool,
    /// Whether the sampling rate and the channels may change, as in broadcasts.
    pub may_change: bool,
}

/// A text track of a film.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextTrack {
    /// Index of the track in the file.
    pub index: u32,
    /// Its language and kind.
    pub track: CaptionTrack,
}

/// Probes a file.
///
/// # Errors
/// Returns [`Error::Failed`] for anything but a film in one of the [`FORMATS`] and for a truncated film, and [`Error::TimedOut`] if probing
/// takes too long.
pub async fn probe(tools: &Tools, file: &Path) -> Result<Source> {
    let answer = streams::ask(tools, file).await?;
    let packets = packets::read(tools, file, answer.streams.len(), answer.format.is_resettable()).await?;
    let tracks = Tracks { answer: &answer, packets: &packets, decodable: tools.decodable().await? };
    let (video, shown) = tracks.choose("video").ok_or_else(|| unreadable(file, "it contains no film"))?;
    if let Some((declared, _)) = answer
        .declared_seconds(video, shown.start)
        .zip(tools.max_loss())
        .filter(|(declared, lost)| shown.whole < declared * (1.0 - lost))
    {
        return Err(unreadable(file, &format!("of {declared:.1} s it contains only {:.1} s", shown.whole)));
    }
    tracks.source(video, shown).ok_or_else(|| unreadable(file, "its pictures have no size"))
}

/// Returns the durations of a film that this crate has produced and of its pictures, in seconds.
pub(super) async fn lengths(tools: &Tools, file: &Path) -> Result<(f64, f64)> {
    let entries = ["-select_streams", "v:0", "-show_entries", "stream=duration:format=duration", "-of", "csv=p=0"];
    let output = tools.ffprobe(file, entries).await?;
    let mut seconds = output.lines().map_while(|line| line.parse().ok().filter(|seconds| *seconds > 0.0));
    let (shown, whole) = (seconds.next(), seconds.next());
    whole.zip(shown).ok_or_else(|| unreadable(file, "it has no duration"))
}

/// Returns whether all key frames of a film that may be copied have the same size. Only they can change it.
pub(super) async fn keeps_its_size(tools: &Tools, file: &Path, source: &Source) -> Result<bool> {
    let track = source.index.to_string();
    let args = [
        "-skip_frame",
        "nokey",
        "-format_whitelist",
        FORMATS,
        "-select_streams",
        &track,
        "-show_entries",
        "frame=width,height",
    ];
    let (mut first, mut is_same) = (None, true);
    let on_line = |line: &str| {
        if let [width, height, ..] = line.split(',').collect::<Vec<_>>()[..] {
            let size = (width.to_owned(), height.to_owned());
            is_same &= *first.get_or_insert_with(|| size.clone()) == size;
        }
    };
    tools.ffprobe_lines(file, args.into_iter().chain(["-of", "csv=p=0"]), on_line).await?;
    Ok(is_same)
}

pub(super) fn unreadable(file: &Path, detail: &str) -> Error {
    Error::Failed { program: "ffprobe", task: format!("reading {}", file.display()), detail: detail.to_owned() }
}

/// What is known about a file.
struct Tracks<'a> {
    answer: &'a Answer,
    packets: &'a [Option<Packets>],
    decodable: &'a HashSet<String>,
}

impl<'a> Tracks<'a> {
    /// Returns the tracks of a kind that have packets and can be decoded.
    fn usable(&self, kind: &'static str) -> impl Iterator<Item = (&'a ProbedStream, Packets)> {
        let is_decodable =
            |stream: &&ProbedStream| stream.codec_name.as_ref().is_some_and(|name| self.decodable.contains(name));
        let found = self.answer.tracks(kind).filter(is_decodable);
        found.filter_map(|stream| Some((stream, self.packets.get(stream.index as usize).copied().flatten()?)))
    }

    /// Returns the default one of the usable tracks of a kind, or else the first.
    fn choose(&self, kind: &'static str) -> Option<(&'a ProbedStream, Packets)> {
        self.usable(kind).find(|(stream, _)| stream.disposition.default == 1).or_else(|| self.usable(kind).next())
    }

    fn source(&self, video: &ProbedStream, shown: Packets) -> Option<Source> {
        let heard = self.choose("audio");
        let start = heard.map_or(shown.start, |(_, heard)| heard.start.min(shown.start));
        let end = heard.map_or(shown.end, |(_, heard)| heard.end.max(shown.end));
        let (width, height) = video.shown_size()?;
        let (duration, picture) = (end - start, shown.start - start..shown.end - start);
        let is_whole = picture.start <= NOTICEABLE && duration - picture.end <= NOTICEABLE;
        let silent = |stream: &ProbedStream| stream.codec_name.clone().unwrap_or_else(|| "unknown".to_owned());
        Some(Source {
            index: video.index,
            start,
            duration,
            picture,
            width,
            height,
            rate: video.rate(),
            deinterlacing: video.deinterlacing(),
            color: video.color(),
            is_plain: is_whole && video.is_plain() && self.answer.format.has_timestamps() && can_be_cut(video, &shown),
            bit_rate: self.answer.bit_rate(video),
            chapters: chapters::titled(&self.answer.chapters, start, end),
            audio: self.audio(start, end),
            captions: self.captions(),
            lost_audio: if heard.is_some() { Vec::new() } else { self.answer.tracks("audio").map(silent).collect() },
        })
    }
}

impl Tracks<'_> {
    /// Returns the audio tracks of a film that begins at `start` and ends at `end` by the clock of the file. A track that says it is the same
    /// as an earlier one is left out: it contains the same sound for other equipment, or only one of the voices.
    fn audio(&self, start: f64, end: f64) -> Vec<Audio> {
        let main = self.choose("audio");
        let is_other = |(stream, heard): &(&ProbedStream, Packets)| {
            main.is_some_and(|(main, _)| main.index != stream.index) && heard.start < end && heard.end > start
        };
        let mut found: Vec<Audio> = Vec::new();
        for (stream, heard) in main.into_iter().chain(self.usable("audio").filter(is_other)) {
            let track = stream.audio_track();
            if found.iter().all(|known| known.track != track) {
                found.push(Audio {
                    index: stream.index,
                    track,
                    start: heard.start - start,
                    is_plain: stream.is_plain_audio() && !heard.has_changes,
                    may_change: heard.has_changes || stream.may_change(&self.answer.format),
                });
            }
        }
        found
    }

    /// Returns the text tracks that have packets, the first of each language and kind.
    fn captions(&self) -> Vec<TextTrack> {
        let mut found: Vec<TextTrack> = Vec::new();
        for stream in self.answer.tracks("subtitle") {
            let has_packets = self.packets.get(stream.index as usize).is_some_and(Option::is_some);
            if let Some(track) = stream.caption_track().filter(|_| has_packets)
                && found.iter().all(|known| known.track != track)
            {
                found.push(TextTrack { index: stream.index, track });
            }
        }
        found
    }
}

/// Returns whether all packets are visible at the declared rate, and key frames are close enough together for cutting segments.
fn can_be_cut(video: &ProbedStream, shown: &Packets) -> bool {
    let (over, under) = video.rate();
    // A Matroska file may declare a rate that its frames don't follow. Segments would then seem shorter than they are.
    let expected = (shown.end - shown.start) * f64::from(over) / f64::from(under);
    // Segments don't support marks of hidden frames.
    !shown.has_hidden
        && !shown.has_changes
        && (f64::from(shown.count) / expected - 1.0).abs() <= COUNT_TOLERANCE
        && shown.key_distance <= f64::from(SEGMENT_SECONDS) * 1.5
}

#[cfg(test)]
pub(super) mod tests;
