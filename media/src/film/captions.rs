//! Reads the text tracks of a film.

use std::path::Path;

use lantern_catalog::captions::CaptionTrack;
use lantern_config::Captions;
use serde_json::Value;
use tokio::fs;

use super::{Source, probe};
use crate::{
    Error, Result,
    captions::{self, Cue},
    tool::Tools,
};

/// Captions of a film: tracks and their cues as JSON.
pub type FilmCaptions = Vec<(CaptionTrack, Value)>;

/// Name of a track's file while it is read.
const FILE: &str = "captions.vtt";

/// Reads the text tracks of `file` with the times of the film that is made of it. Uses `folder` for a temporary file. Tracks that can't be
/// read or exceed a limit are skipped, because the film is complete without them.
///
/// # Errors
/// Returns [`Error`] if ffmpeg can't run or the disk is full.
pub async fn read_captions(
    tools: &Tools,
    file: &Path,
    source: &Source,
    folder: &Path,
    limits: &Captions,
) -> Result<FilmCaptions> {
    let mut found = Vec::new();
    for probe::TextTrack { index, track } in source.captions.iter().take(limits.max_tracks as usize) {
        match read(tools, file, *index, folder, limits).await {
            Ok(cues) => {
                let cues = in_film(cues, source);
                if !cues.is_empty() {
                    let cues =
                        serde_json::to_value(cues).unwrap_or_else(|_| unreachable!("numbers and text serialize"));
                    found.push((track.clone(), cues));
                }
            }
            Err(error @ (Error::Failed { .. } | Error::TimedOut { .. })) => {
                tracing::warn!(%error, index, lang = track.lang, "captions of a film can't be read; it is published without them");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(found)
}

async fn read(tools: &Tools, file: &Path, index: u32, folder: &Path, limits: &Captions) -> Result<Vec<Cue>> {
    let path = folder.join(FILE);
    let input = file.display().to_string();
    let map = format!("0:{index}");
    // Without copied timestamps, ffmpeg would shift the text by the start of any track.
    let args = [
        "-protocol_whitelist",
        "file",
        "-format_whitelist",
        probe::FORMATS,
        "-copyts",
        "-i",
        &input,
        "-map",
        &map,
        "-f",
        "webvtt",
        FILE,
    ];
    tools.reading(file).ffmpeg(folder, "reading captions", args).await?;
    let bytes = fs::read(&path).await.map_err(Error::at(&path))?;
    fs::remove_file(&path).await.map_err(Error::at(&path))?;
    let unreadable = |detail: String| Error::Failed { program: "ffmpeg", task: "reading captions".to_owned(), detail };
    if bytes.len() > limits.max_bytes {
        return Err(unreadable(format!("they have {} bytes", bytes.len())));
    }
    let cues = captions::read(&bytes).map_err(|error| unreadable(error.to_string()))?;
    match cues.len() {
        count if count > limits.max_cues => Err(unreadable(format!("they have {count} cues"))),
        _ => Ok(cues),
    }
}

/// Shifts cues from the clock of the file to that of the film. Those outside the film are dropped.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds of a film, at most a day")]
fn in_film(cues: Vec<Cue>, source: &Source) -> Vec<Cue> {
    let (start, end) = ((source.start * 1000.0).round() as i64, (source.duration * 1000.0).round() as i64);
    let shifted = cues.into_iter().filter_map(|cue| {
        let (from, to) = ((i64::from(cue.from) - start).max(0), (i64::from(cue.to) - start).min(end));
        (from < to).then_some(Cue { from: from as u32, to: to as u32, ..cue })
    });
    shifted.collect()
}
