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
pub use ladder::Ladder;
use ladder::Rendered;
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
    on_progress(Stage::Encoding, 0.0);
    let on_second = |at: f64| on_progress(Stage::Encoding, (at / source.duration).clamp(0.0, 1.0));
    let Rendered { renditions, second_codec, duration } =
        ladder::render(tools, file, source, ladder, folder, on_second).await?;
    on_progress(Stage::Pictures, 0.0);
    let (Some(smallest), Some(tallest)) = (renditions.first(), renditions.last()) else {
        unreachable!("a plan has a rendition")
    };
    let [small, tall] = [smallest, tallest].map(|rendition| ladder::name(rendition.rung.height));
    let frames = stills::render(tools, folder, [&small, &tall], duration, &source.picture).await?;
    ladder::keep_tallest(folder, &renditions).await?;
    on_progress(Stage::Pictures, 1.0);
    Ok(FilmFacts { height: tallest.rung.height, second_codec, duration, frames })
}
