//! Reads SubStation Alpha (SSA and ASS). Dialogue lines have the fields that the format line before them names.

use super::{CaptionError, Cue, markup::Cleaned, milliseconds};

const EVENTS: &str = "[events]";
const FORMAT: &str = "format:";
const DIALOGUE: &str = "dialogue:";

/// Whether the text is SubStation Alpha.
pub fn is_ass(text: &str) -> bool {
    text.lines().any(|line| line.trim().eq_ignore_ascii_case(EVENTS))
}

/// Reads all dialogue lines.
pub fn read(text: &str) -> Result<Vec<Cue>, CaptionError> {
    let lines = text.lines().enumerate().skip_while(|(_, line)| !line.trim().eq_ignore_ascii_case(EVENTS));
    let (mut cues, mut fields) = (Vec::new(), None);
    for (number, line) in lines {
        if let Some(names) = after(line, FORMAT) {
            fields = Fields::of(names);
        } else if let Some(values) = after(line, DIALOGUE) {
            let cue = fields.as_ref().ok_or(CaptionError::Format)?.cue(values);
            cues.extend(cue.ok_or(CaptionError::Times(number + 1))?);
        }
    }
    Ok(cues)
}

fn after<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let line = line.trim_start();
    line.get(..name.len()).filter(|start| start.eq_ignore_ascii_case(name)).map(|start| &line[start.len()..])
}

/// Positions of the fields of a dialogue line. The text is the last one, so it may contain commas.
struct Fields {
    from: usize,
    to: usize,
    count: usize,
}

impl Fields {
    fn of(names: &str) -> Option<Self> {
        let names: Vec<String> = names.split(',').map(|name| name.trim().to_ascii_lowercase()).collect();
        let at = |wanted| names.iter().position(|name| name == wanted);
        (names.last()? == "text").then_some(())?;
        Some(Self { from: at("start")?, to: at("end")?, count: names.len() })
    }

    /// Returns the cue, `None` inside if it shows nothing, or `None` if its times are invalid.
    fn cue(&self, values: &str) -> Option<Option<Cue>> {
        let values: Vec<&str> = values.splitn(self.count, ',').collect();
        let time = |at: usize| milliseconds(values.get(at)?.trim());
        let (from, to) = (time(self.from)?, time(self.to)?);
        let (text, settings) = text(values.get(self.count - 1)?);
        // Effects may consist of lines that are shown for no time.
        Some((to > from).then_some(Cue { from, to, text, settings }))
    }
}

/// Converts a text with overrides in braces, and returns the settings that they mean. Drawings are dropped.
fn text(text: &str) -> (String, String) {
    let (mut cleaned, mut is_drawing, mut is_top) = (Cleaned::default(), false, false);
    let mut rest = text.trim();
    while let Some(char) = rest.chars().next() {
        if let Some((overrides, after)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            for override_ in overrides.split('\\').skip(1).map(str::trim) {
                match override_ {
                    "an7" | "an8" | "an9" => is_top = true,
                    "b0" | "i0" | "u0" => cleaned.tag(&format!("/{}", &override_[..1])),
                    "b1" | "i1" | "u1" => cleaned.tag(&override_[..1]),
                    scale if scale.starts_with('p') && scale[1..].parse::<u8>().is_ok() => is_drawing = scale != "p0",
                    _ => {}
                }
            }
            rest = after;
            continue;
        }
        let (char, length) = match rest.get(..2) {
            Some("\\N" | "\\n") => ('\n', 2),
            Some("\\h") => ('\u{A0}', 2),
            _ => (char, char.len_utf8()),
        };
        if !is_drawing {
            cleaned.char(char);
        }
        rest = &rest[length..];
    }
    (cleaned.finish(), if is_top { "line:0".to_owned() } else { String::new() })
}
