//! Escaping of untrusted text for the operator's terminal and log.
//!
//! Control characters can move the cursor or change colors, bidirectional overrides can disguise names, and invisible
//! characters can hide in copied text. All of them are replaced with their escape codes, in every line of standard
//! output and the log.

use std::{
    borrow::Cow,
    io::{self, Write},
};

use lantern_index::text::is_ignorable;

/// Control characters that the program itself prints.
const PLAIN: [char; 2] = ['\n', '\t'];
/// Starts a color code. The log writes its own color codes, and escapes any others.
const ESCAPE: char = '\u{1b}';

/// Replaces characters that have an effect on a terminal with their JSON escapes, so that JSON remains valid and keeps
/// its meaning.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if text.chars().any(is_active) { Cow::Owned(write_escaped(text, is_active)) } else { Cow::Borrowed(text) }
}

fn is_active(c: char) -> bool {
    // Joiners and variation selectors are parts of emoji and of words in some languages.
    let is_joiner = matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}');
    let is_control = c.is_control() && !PLAIN.contains(&c);
    is_control || matches!(c, '\u{2028}' | '\u{2029}') || is_ignorable(c) && !is_joiner
}

fn write_escaped(text: &str, is_active: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_active(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// Length of a secret token in characters, which are 256 bits in base64url.
const TOKEN_LEN: usize = 43;
/// Number of leading characters of a token that are logged, to tell tokens apart.
const TOKEN_PREFIX_LEN: usize = 6;

/// Redacts the tokens of uploads, sessions and mailed links, so that access to the log does not give access to
/// accounts. Tokens can be in request paths, in file names, and in ffmpeg's messages about these files.
fn without_tokens(line: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
        out.push_str(before);
        if word.len() == TOKEN_LEN && is_random(word) {
            out.push_str(&word[..TOKEN_PREFIX_LEN]);
            out.push('…');
        } else {
            out.push_str(word);
        }
        rest = after;
    }
    out + rest
}

/// Returns whether the word mixes digits with upper and lower case. Nearly every token does, but hyphenated words do
/// not.
fn is_random(word: &str) -> bool {
    [u8::is_ascii_digit as fn(&u8) -> bool, u8::is_ascii_uppercase, u8::is_ascii_lowercase]
        .iter()
        .all(|kind| word.as_bytes().iter().any(kind))
}

/// Writes the log to standard error. Each write is a whole line.
pub struct LogWriter {
    /// Whether lines have colors.
    pub ansi: bool,
}

impl Write for LogWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = String::from_utf8_lossy(bytes);
        let is_active = |c| is_active(c) && !(self.ansi && c == ESCAPE);
        io::stderr().write_all(write_escaped(&without_tokens(&line), is_active).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminal_control_characters_are_escaped() {
        for (text, shown) in [
            ("\u{1b}[2Jgone", "\\u001b[2Jgone"),
            ("\u{9b}31mred", "\\u009b31mred"),
            ("photo\u{202E}gpj.exe", "photo\\u202egpj.exe"),
            ("a\u{2066}b\u{2069}c\u{200F}d\u{61C}e", "a\\u2066b\\u2069c\\u200fd\\u061ce"),
            ("over\rwritten\u{8}\u{7f}", "over\\u000dwritten\\u0008\\u007f"),
            ("hid\u{200B}den\u{E0041}", "hid\\u200bden\\udb40\\udc41"),
            ("two\u{2028}lines", "two\\u2028lines"),
        ] {
            assert_eq!(escaped(text), shown);
        }
        for text in
            ["plain\tcolumns\nlines", "Ночной рынок, 夜市, مرحبا", "👩\u{200D}❤\u{FE0F}\u{200D}👨", "می\u{200C}خواهم"]
        {
            assert!(matches!(escaped(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn tokens_are_redacted_in_log() {
        let token = "Zm9yYmlkZGVuLXRva2VuLW9mLWFuLXVwbG9hZC0xMj0";
        assert_eq!(token.len(), TOKEN_LEN);
        for (line, logged) in [
            ("path=\"/api/uploads/{}\" refused", "path=\"/api/uploads/Zm9yYm…\" refused"),
            ("/data/incoming/{}.part: Invalid data found", "/data/incoming/Zm9yYm….part: Invalid data found"),
            ("/confirm/?token={}", "/confirm/?token=Zm9yYm…"),
            ("{}", "Zm9yYm…"),
        ] {
            assert_eq!(without_tokens(&line.replace("{}", token)), logged);
        }
        for line in [
            "id=0192f3c0-7d3a-7c52-9e0b-0d2f7f0b1c11 ordinary 夜市",
            "digest=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "a-name-of-words-that-has-as-many-characters",
            "",
        ] {
            assert_eq!(without_tokens(line), line);
        }
    }

    #[test]
    fn escaped_json_keeps_its_value() {
        let value = serde_json::json!({ "title": "a\u{202E}b\u{7f}\u{E0041}\u{1b}" });
        let line = value.to_string();
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped(&line)).unwrap(), value);
    }
}
