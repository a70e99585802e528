//! Encodes a film at several heights. Selects the heights and runs a single command that produces all of them.

mod encoding;
pub mod hardware;
mod second;
mod settings;
mod sound;

use std::path::Path;

use encoding::Means;
pub use hardware::Hardware;
use lantern_catalog::{audio_tracks::AudioTrack, video_codec::VideoCodec};
use lantern_config::{Films, Preset, Rung};
pub use second::Second;
pub(super) use second::stem;
pub use settings::EncodingSettings;
use tokio::fs;

use super::{
    playlist,
    probe::{self, Audio, Source},
};
use crate::{Error, Result, tool::Tools};

/// Length of a segment and distance between key frames, in seconds.
pub const SEGMENT_SECONDS: u32 = 4;

/// The heights at which films are encoded, and how.
#[derive(Debug, Clone, Copy)]
pub struct Ladder<'a> {
    /// Heights below a film's own one with their encoding settings, smallest first. There is at least one.
    pub rungs: &'a [Rung],
    /// Maximum length of the shorter side, in pixels.
    pub max_height: u16,
    /// Hardware encoder for H.264, or `None` for x264.
    pub hardware: Option<&'a Hardware>,
    /// Speed of x264.
    pub preset: Preset,
    /// Codec of a second set of renditions.
    pub second: Option<Second>,
}

impl<'a> From<&'a Films> for Ladder<'a> {
    fn from(settings: &'a Films) -> Self {
        Self {
            rungs: &settings.ladder,
            max_height: settings.max_height,
            hardware: None,
            preset: settings.preset,
            second: Second::of(settings),
        }
    }
}

/// A film at one height of the ladder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rendition {
    /// The encoding settings. The height, which is the length of the shorter side in pixels, names the rendition.
    pub rung: Rung,
    /// Width in pixels. It is even, as encoders require.
    pub width: u32,
    /// Height in pixels, which is even.
    pub height: u32,
    /// Whether the source video is copied unchanged.
    pub is_copied: bool,
}

/// An encoded film.
#[derive(Debug, Clone, PartialEq)]
pub struct Rendered {
    /// The renditions, smallest first.
    pub renditions: Vec<Rendition>,
    /// Codec of the second set of renditions, if there is one.
    pub second_codec: Option<VideoCodec>,
    /// Duration in seconds, as players show it.
    pub duration: f64,
}

impl Rendered {
    /// Returns the shorter side of the tallest rendition, in pixels.
    #[must_use]
    pub fn height(&self) -> u16 {
        self.renditions.last().map_or(0, |tallest| tallest.rung.height)
    }
}

/// Plans the renditions of a film, smallest first: one of the film's own size, unless that is above the maximum, and the rungs below it.
#[must_use]
pub fn plan(source: &Source, ladder: Ladder) -> Vec<Rendition> {
    let short = source.width.min(source.height);
    rungs(short, ladder)
        .into_iter()
        .map(|rung| {
            let wanted = u32::from(rung.height);
            let (width, height) = (scaled(source.width, wanted, short), scaled(source.height, wanted, short));
            let is_whole = (width, height) == (source.width, source.height);
            Rendition { rung, width, height, is_copied: source.is_plain && is_whole && is_low_bit_rate(source, rung) }
        })
        .collect()
}

/// Returns the heights of a film with this shorter side and their settings, smallest first.
fn rungs(short: u32, ladder: Ladder) -> Vec<Rung> {
    let top = u16::try_from(short).unwrap_or(u16::MAX).min(ladder.max_height) / 2 * 2;
    let top = top.max(2);
    // The own size has the settings of the next larger rung.
    let settings = ladder.rungs.iter().find(|rung| rung.height >= top).or(ladder.rungs.last());
    let below = ladder.rungs.iter().take_while(|rung| rung.height < top).copied();
    below.chain(settings.map(|rung| Rung { height: top, ..*rung })).collect()
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

/// Encodes all renditions in `folder` and cuts them into segments in `hls/`. `on_progress` is called with the seconds of the film
/// encoded so far.
///
/// # Errors
/// Returns ffmpeg's error, or [`Error::Failed`] if too much of the film couldn't be decoded. Partial output stays in the folder.
pub async fn render(
    tools: &Tools,
    file: &Path,
    source: &Source,
    ladder: Ladder<'_>,
    folder: &Path,
    on_progress: impl Fn(f64),
) -> Result<Rendered> {
    let mut renditions = plan(source, ladder);
    let hls = folder.join("hls");
    fs::create_dir(&hls).await.map_err(Error::at(&hls))?;
    if let Some(top) = renditions.last_mut().filter(|top| top.is_copied) {
        top.is_copied = probe::keeps_its_size(tools, file, source).await?;
    }
    // Both sets are as long, and the second one takes longer. Its share of the progress is that of its renditions.
    let sets = if ladder.second.is_some() { 1.0 + count(renditions.len()) } else { 1.0 };
    let top = renditions.last().map_or(0, |top| top.rung.height);
    let encode = async |hardware| {
        let means = Means { hardware, preset: ladder.preset };
        encoding::run(tools, file, source, &renditions, means, folder, |at| on_progress(at / sets)).await?;
        let (duration, shown) = probe::lengths(tools, &folder.join(name(top))).await?;
        if tools.max_loss().is_some_and(|lost| shown < source.duration * (1.0 - lost)) {
            return Err(probe::unreadable(
                file,
                &format!("of {:.1} s only {shown:.1} s can be shown", source.duration),
            ));
        }
        Ok(duration)
    };
    let duration = match (ladder.hardware, encode(ladder.hardware).await) {
        // The driver may be at fault or not support the film's size, and cards encode only some films at a time.
        (Some(hardware), Err(error)) if !matches!(error, Error::Io { .. }) => {
            tracing::warn!(%hardware, %error, "a film can't be encoded by hardware; encoding it in software");
            encode(None).await?
        }
        (_, encoded) => encoded?,
    };
    let tracks: &[Audio] = if sound::is_separate(source) { &source.audio } else { &[] };
    let cutter = Cutter { tools: &tools.reading(folder), folder: &hls, renditions: &renditions, tracks };
    for at in 0..tracks.len() {
        cutter.tools.ffmpeg(&hls, "cutting sound into segments", playlist::cutting_sound(top, at)).await?;
    }
    cutter.cut(VideoCodec::H264).await?;
    let second_codec = match ladder.second {
        None => None,
        Some(second) => {
            let on_second = |at: f64| on_progress((source.duration + at) / sets);
            let made = async {
                second::run(tools, file, source, &renditions, second, folder, on_second).await?;
                cutter.cut(second.codec()).await
            };
            let outcome = made.await;
            second::remove(folder, second.codec()).await?;
            match outcome {
                Ok(()) => Some(second.codec()),
                // The film is complete without it.
                Err(error @ (Error::Failed { .. } | Error::TimedOut { .. })) => {
                    tracing::warn!(%error, "a film has no second set of renditions");
                    second::remove(&hls, second.codec()).await?;
                    None
                }
                Err(error) => return Err(error),
            }
        }
    };
    Ok(Rendered { renditions, second_codec, duration })
}

#[expect(clippy::cast_precision_loss, reason = "a few renditions")]
fn count(renditions: usize) -> f64 {
    renditions as f64
}

/// Cuts renditions into segments.
struct Cutter<'a> {
    tools: &'a Tools,
    folder: &'a Path,
    renditions: &'a [Rendition],
    /// Audio tracks that have segments of their own.
    tracks: &'a [Audio],
}

impl Cutter<'_> {
    async fn cut(&self, codec: VideoCodec) -> Result<()> {
        let Self { tools, folder, renditions, tracks } = *self;
        for rendition in renditions {
            let args = playlist::cutting(&stem(rendition.rung.height, codec), tracks.is_empty());
            tools.ffmpeg(folder, "cutting a film into segments", args).await?;
        }
        let tracks: Vec<AudioTrack> = tracks.iter().map(|sound| sound.track.clone()).collect();
        playlist::write_master(folder, renditions, codec, &tracks).await
    }
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

/// Splits arguments that contain no spaces themselves.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(' ').map(str::to_owned)
}

/// Returns the file name of a rendition before it is cut.
pub(super) fn name(height: u16) -> String {
    format!("{height}.mp4")
}

#[cfg(test)]
mod tests;
