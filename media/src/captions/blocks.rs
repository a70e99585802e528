//! Reads WebVTT and SubRip: blocks of lines, separated by empty lines. In a cue, the line with its times precedes its text.

use super::{CaptionError, Cue, markup, milliseconds};

/// Between the times of a cue.
const ARROW: &str = "-->";
/// Names of the settings that are kept. Regions aren't, because they refer to blocks that aren't read.
const SETTINGS: [&str; 5] = ["vertical", "line", "position", "size", "align"];
/// Longest setting in characters.
const SETTING_MAX: usize = 24;
/// Override that SubRip borrows from SubStation Alpha: text at the top.
const TOP: &str = "{\\an8}";

/// Reads all cues.
pub fn read(text: &str) -> Result<Vec<Cue>, CaptionError> {
    let lines: Vec<&str> = text.lines().collect();
    let is_vtt = lines.first().is_some_and(|line| line.starts_with("WEBVTT"));
    if !is_vtt && !lines.iter().any(|line| line.contains(ARROW)) {
        return Err(CaptionError::Format);
    }
    let (mut cues, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let end = lines[at..].iter().position(|line| line.trim().is_empty()).map_or(lines.len(), |empty| at + empty);
        let block = &lines[at..end];
        // A cue may have its name or number in the line before.
        match block.iter().take(2).position(|line| line.contains(ARROW)) {
            Some(times) => cues.push(cue(block, times).ok_or(CaptionError::Times(at + times + 1))?),
            None if is_vtt || block.is_empty() => {}
            // SubRip has nothing but cues, so text without times would be lost. Their text may contain an empty line, too.
            None => append(&mut cues, block).ok_or(CaptionError::Times(at + 1))?,
        }
        at = end + 1;
    }
    Ok(cues)
}

fn cue(block: &[&str], times: usize) -> Option<Cue> {
    let (from, rest) = block[times].split_once(ARROW)?;
    let mut rest = rest.split_whitespace();
    let (from, to) = (milliseconds(from.trim())?, milliseconds(rest.next()?)?);
    let text = block[times + 1..].join("\n");
    let mut settings: Vec<&str> = rest.filter(|setting| is_setting(setting)).collect();
    if text.contains(TOP) {
        settings.push("line:0");
    }
    let text = markup::clean(&without_overrides(&text));
    (to > from).then(|| Cue { from, to, text, settings: settings.join(" ") })
}

/// Appends lines to the text of the last cue. Returns `None` if there is no cue, or if the lines look like the number and
/// the times of one.
fn append(cues: &mut [Cue], block: &[&str]) -> Option<()> {
    let last = cues.last_mut()?;
    if block.iter().all(|line| line.trim().bytes().all(|byte| byte.is_ascii_digit() || b":,. ->".contains(&byte))) {
        return None;
    }
    let more = markup::clean(&without_overrides(&block.join("\n")));
    if !last.text.is_empty() && !more.is_empty() {
        last.text.push('\n');
    }
    last.text.push_str(&more);
    Some(())
}

fn is_setting(setting: &str) -> bool {
    setting.len() <= SETTING_MAX
        && setting.split_once(':').is_some_and(|(name, value)| {
            SETTINGS.contains(&name)
                && !value.is_empty()
                && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"%.,-".contains(&byte))
        })
}

/// Removes overrides in braces, as SubRip files that were converted have them.
fn without_overrides(text: &str) -> String {
    let (mut kept, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("{\\") {
        let Some(end) = rest[at..].find('}') else { break };
        kept.push_str(&rest[..at]);
        rest = &rest[at + end + 1..];
    }
    kept + rest
}
