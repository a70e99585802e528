//! Converts a film of any kind to the files that players and pages need: probes it, encodes it at suitable heights,
//! cuts it into segments, and extracts pictures.

mod captions;
mod color;
mod fingerprint;
mod header;
pub mod ladder;
mod orientation;
mod packets;
mod playlist;
pub mod probe;
pub mod stills;

use std::path::Path;

pub use captions::{FilmCaptions, read_captions};
pub use ladder::{EncodingSettings, Ladder, Rendered};
use lantern_catalog::{fingerprints::Frames, video_codec::VideoCodec};
pub use probe::{Source, probe};
pub use stills::SHOTS;

use crate::{Result, tool::Tools};

/// Stage of the conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Encoding renditions.
    Encoding,
    /// Extracting pictures.
    Pictures,
}

/// Properties of a converted film.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmFacts {
    /// Shorter side of the tallest rendition, in pixels.
    pub height: u16,
    /// Codec of the second set of renditions, if there is one.
    pub second_codec: Option<VideoCodec>,
    /// Duration in seconds, as players show it.
    pub duration: f64,
    /// Fingerprints of its frames.
    pub frames: Frames,
}

/// Converts `file` to all files for players and pages, which are written to `folder`. `on_progress` is called with the current stage and
/// its progress, from 0 to 1.
///
/// # Errors
/// Returns ffmpeg's error. Partial output stays in the folder.
pub async fn make(
    tools: &Tools,
    file: &Path,
    source: &Source,
    ladder: Ladder<'_>,
    folder: &Path,
    on_progress: impl Fn(Stage, f64),
) -> Result<FilmFacts> {
    let rendered = encode(tools, file, source, ladder, folder, |share| on_progress(Stage::Encoding, share)).await?;
    on_progress(Stage::Pictures, 0.0);
    let frames = take_pictures(tools, source, &rendered, folder).await?;
    ladder::keep_tallest(folder, &rendered.renditions).await?;
    on_progress(Stage::Pictures, 1.0);
    let Rendered { second_codec, duration, .. } = rendered;
    Ok(FilmFacts { height: rendered.height(), second_codec, duration, frames })
}

/// Encodes the renditions of `file` in `folder`. `on_progress` is called with the progress from 0 to 1.
///
/// # Errors
/// Returns ffmpeg's error. Partial output stays in the folder.
pub async fn encode(
    tools: &Tools,
    file: &Path,
    source: &Source,
    ladder: Ladder<'_>,
    folder: &Path,
    on_progress: impl Fn(f64),
) -> Result<Rendered> {
    on_progress(0.0);
    let on_second = |at: f64| on_progress((at / source.duration).clamp(0.0, 1.0));
    ladder::render(tools, file, source, ladder, folder, on_second).await
}

/// Extracts the pictures of a film whose renditions are whole in `folder`. Returns the fingerprints of its frames.
///
/// # Errors
/// Returns ffmpeg's error. Partial output stays in the folder.
pub async fn take_pictures(tools: &Tools, source: &Source, rendered: &Rendered, folder: &Path) -> Result<Frames> {
    let heights = rendered.renditions.iter().map(|rendition| rendition.rung.height);
    let [small, tall] = [heights.clone().min(), heights.max()].map(|height| ladder::name(height.unwrap_or_default()));
    stills::render(tools, folder, [&small, &tall], rendered.duration, &source.picture).await
}
