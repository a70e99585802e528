//! Markup of cues.

use lantern_catalog::captions::plain;

/// Tags that stay, by their names in all formats.
const TAGS: [&str; 3] = ["b", "i", "u"];
/// Longest tag in bytes. Those of fonts and voices, which are dropped, have some dozens.
const TAG_MAX: usize = 256;
/// Characters that cues must escape, and how (WebVTT, section 4.2.2).
const ESCAPES: [(&str, char); 8] = [
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&nbsp;", '\u{A0}'),
    ("&quot;", '"'),
    ("&#39;", '\''),
    ("&lrm;", '\u{200E}'),
    ("&rlm;", '\u{200F}'),
];

/// Converts the text of a WebVTT or SubRip cue: keeps the [`TAGS`], closes those that are open, drops all others, and
/// escapes the rest. Empty lines are dropped because they would end the cue.
pub fn clean(text: &str) -> String {
    let mut cleaned = Cleaned::default();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        if let Some((tag, after)) = tag(rest) {
            cleaned.tag(tag);
            rest = after;
        } else if let Some((escape, char)) = ESCAPES.iter().find(|(escape, _)| rest.starts_with(escape)) {
            cleaned.char(*char);
            rest = &rest[escape.len()..];
        } else {
            cleaned.char(char);
            rest = &rest[char.len_utf8()..];
        }
    }
    cleaned.finish()
}

/// Text that is being cleaned.
#[derive(Debug, Default)]
pub struct Cleaned {
    text: String,
    open: Vec<&'static str>,
}

impl Cleaned {
    /// Appends a character, escaped.
    pub fn char(&mut self, char: char) {
        match char {
            '&' => self.text.push_str("&amp;"),
            '<' => self.text.push_str("&lt;"),
            '>' => self.text.push_str("&gt;"),
            char => self.text.push(char),
        }
    }

    /// Opens or closes a tag, as in `i`, `/i` or `font color=red`.
    pub fn tag(&mut self, tag: &str) {
        let (is_closing, name) = tag.strip_prefix('/').map_or((false, tag), |name| (true, name));
        let name = name.split([' ', '.', '\t']).next().unwrap_or_default();
        let Some(name) = TAGS.iter().find(|known| known.eq_ignore_ascii_case(name)) else { return };
        match self.open.iter().rposition(|open| open == name) {
            // Tags close in the reverse order, so those inside are closed too.
            Some(at) if is_closing => self.close(at),
            None if !is_closing => {
                self.open.push(name);
                self.text.extend(["<", name, ">"]);
            }
            _ => {}
        }
    }

    fn close(&mut self, down_to: usize) {
        for name in self.open.drain(down_to..).rev() {
            self.text.extend(["</", name, ">"]);
        }
    }

    /// Closes all tags and returns the text. It is empty if there is nothing to read.
    pub fn finish(mut self) -> String {
        self.close(0);
        let (mut finished, mut has_text) = (String::new(), false);
        for line in self.text.lines().map(str::trim) {
            // A line that only has tags would be empty on screen, but the tags count.
            let is_shown = !plain(line).is_empty();
            if is_shown && has_text {
                finished.push('\n');
            }
            has_text |= is_shown;
            finished.push_str(line);
        }
        if has_text { finished } else { String::new() }
    }
}

/// Returns the content of the tag at the start of the text and what follows it. A `<` that begins no tag is a character.
fn tag(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix('<')?;
    // Looking only this far keeps the time proportional to the length of the text, however many `<` it has.
    let end = text.bytes().take(TAG_MAX).position(|byte| byte == b'>')?;
    let (tag, after) = (&text[..end], &text[end + 1..]);
    let begins = tag.trim_start_matches('/').starts_with(|char: char| char.is_ascii_alphanumeric());
    (begins && !tag.contains(['<', '\n'])).then_some((tag, after))
}
