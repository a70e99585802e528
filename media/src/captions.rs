//! Captions: lines of text with the seconds at which a film shows them. WebVTT, SubRip (SRT) and Advanced SubStation
//! Alpha (ASS, SSA) are read; WebVTT is written.

mod ass;
mod blocks;
pub mod language;
mod markup;
mod text;

use std::fmt::Write;

use lantern_catalog::captions::plain;
use serde::{Deserialize, Serialize};

/// A piece of text and when it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cue {
    /// When it appears, in milliseconds from the start of the film.
    pub from: u32,
    /// When it disappears, in milliseconds. It is later than `from`.
    pub to: u32,
    /// Text as in a WebVTT cue: escaped, with the tags `b`, `i` and `u` only, and no empty line.
    pub text: String,
    /// Settings of the WebVTT cue, such as `line:0`. Empty if it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub settings: String,
}

impl Cue {
    /// Returns the text without tags, on one line.
    #[must_use]
    pub fn plain(&self) -> String {
        plain(&self.text)
    }
}

/// Why captions can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CaptionError {
    /// They are neither WebVTT nor SubRip nor SubStation Alpha.
    #[error("they are not WebVTT, SRT or ASS")]
    Format,
    /// This line, counted from 1, should hold the times of a cue.
    #[error("line {0} has no valid times")]
    Times(usize),
    /// They contain no text.
    #[error("they contain no text")]
    Empty,
}

/// Reads captions. The format is detected from their content, and so is the encoding: UTF-8 or UTF-16, else the likeliest
/// legacy encoding. Cues are sorted by time; those without text are dropped.
///
/// # Errors
/// See [`CaptionError`].
pub fn read(bytes: &[u8]) -> Result<Vec<Cue>, CaptionError> {
    let text = text::decode(bytes).ok_or(CaptionError::Format)?;
    let mut cues = if ass::is_ass(&text) { ass::read(&text)? } else { blocks::read(&text)? };
    cues.retain(|cue| !cue.text.is_empty());
    if cues.is_empty() {
        return Err(CaptionError::Empty);
    }
    // The sort is stable: cues with the same times stay in the order of the file, which is that of their lines on screen.
    cues.sort_by_key(|cue| (cue.from, cue.to));
    Ok(cues)
}

/// Writes cues as WebVTT.
#[must_use]
pub fn vtt(cues: &[Cue]) -> String {
    let mut vtt = String::from("WEBVTT\n");
    for Cue { from, to, text, settings } in cues {
        let (space, settings) = if settings.is_empty() { ("", "") } else { (" ", settings.as_str()) };
        write!(vtt, "\n{} --> {}{space}{settings}\n{text}\n", clock(*from), clock(*to))
            .unwrap_or_else(|_| unreachable!("writing to a String"));
    }
    vtt
}

fn clock(ms: u32) -> String {
    let (seconds, ms) = (ms / 1000, ms % 1000);
    format!("{:02}:{:02}:{:02}.{ms:03}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Parses a time: hours (optional), minutes, seconds and a fraction after a period or comma.
fn milliseconds(time: &str) -> Option<u32> {
    let (whole, fraction) = time.split_once(['.', ',']).unwrap_or((time, "0"));
    let digits = |text: &str| !text.is_empty() && text.len() <= 9 && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(fraction) {
        return None;
    }
    let parts: Vec<&str> = whole.split(':').map(str::trim).collect();
    if !(2..=3).contains(&parts.len()) || !parts.iter().all(|part| digits(part)) {
        return None;
    }
    let mut seconds = 0_u32;
    for part in &parts {
        seconds = seconds.checked_mul(60)?.checked_add(part.parse().ok()?)?;
    }
    // Hundredths in SubStation Alpha, thousandths elsewhere.
    let thousandths = format!("{fraction:0<3}")[..3].parse().ok()?;
    seconds.checked_mul(1000)?.checked_add(thousandths)
}

#[cfg(test)]
mod tests;
