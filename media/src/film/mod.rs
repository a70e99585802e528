//! From a film of any kind to what players and pages take: probed, encoded at the heights that suit it, cut into segments, and
//! pictures taken of it.

mod fingerprint;
pub mod ladder;
mod playlist;
pub mod probe;
pub mod stills;

use std::path::Path;

use lantern_catalog::fingerprints::Frames;
pub use probe::{Source, probe};
pub use stills::SHOTS;

use crate::{Result, tool::Tools};

/// Which part of the work is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Renditions.
    Encoding,
    /// Pictures.
    Pictures,
}

/// What was made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FilmFacts {
    /// Pixels of the tallest rendition's shorter side.
    pub height: u16,
    /// Seconds, as players find them.
    pub duration: f64,
    /// What it looks like.
    pub frames: Frames,
}

/// Makes all that players and pages take of the film in `file`, in `folder`; `seen` hears what is done and how much of it, 0 to 1.
///
/// # Errors
/// What ffmpeg says; what was made so far stays in the folder.
pub async fn make(
    tools: &Tools,
    file: &Path,
    source: &Source,
    folder: &Path,
    seen: impl Fn(Stage, f64),
) -> Result<FilmFacts> {
    let whole = source.duration.unwrap_or(f64::INFINITY);
    seen(Stage::Encoding, 0.0);
    let renditions =
        ladder::render(tools, file, source, folder, |at| seen(Stage::Encoding, (at / whole).clamp(0.0, 1.0))).await?;
    seen(Stage::Pictures, 0.0);
    let (Some(smallest), Some(tallest)) = (renditions.first(), renditions.last()) else {
        unreachable!("a plan has a rendition")
    };
    let [small, tall] = [smallest, tallest].map(|rendition| ladder::name(rendition.rung.height));
    let duration = probe::length(tools, &folder.join(&tall)).await?;
    let frames = stills::render(tools, folder, &small, &tall, duration).await?;
    ladder::keep_tallest(folder, &renditions).await?;
    seen(Stage::Pictures, 1.0);
    Ok(FilmFacts {
        height: tallest.rung.height.min(u16::try_from(tallest.width.min(tallest.height)).unwrap_or(u16::MAX)),
        duration,
        frames,
    })
}
