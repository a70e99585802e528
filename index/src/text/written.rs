//! Cleans text that members write. The result is plain text without invisible characters.
//!
//! Invisible characters are removed before anything is counted or looked up, so that they can neither make up a comment
//! nor hide a word from the prohibited terms. Markup stays in the text; it is escaped where the text is shown.

use super::{fold, is_ignorable};

/// Maximum number of combining marks per letter. A higher number than Vietnamese or vocalized Hebrew needs would make
/// the marks smear over adjacent lines.
const MAX_MARKS: usize = 3;
/// Maximum number of consecutive line breaks.
const MAX_BREAKS: usize = 2;

/// Removes control and invisible characters. Reduces white space to single spaces and at most two line breaks, and
/// removes it from both ends.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut marks, mut breaks, mut blank) = (0, 0, false);
    for c in text.chars() {
        match c {
            '\n' | '\u{2028}' | '\u{2029}' => (breaks, blank) = (breaks + 1, false),
            _ if c.is_whitespace() || is_filler(c) => blank = true,
            _ if c.is_control() || is_hidden(c) => {}
            _ if is_joiner(c) => {
                if breaks == 0 && !blank && out.chars().next_back().is_some_and(|before| takes_joiner(before, c)) {
                    out.push(c);
                }
            }
            _ if is_mark(c) => {
                marks += 1;
                if breaks == 0 && !blank && !out.is_empty() && marks <= MAX_MARKS {
                    out.push(c);
                }
            }
            _ => {
                if !out.is_empty() {
                    (0..breaks.min(MAX_BREAKS)).for_each(|_| out.push('\n'));
                    if breaks == 0 && blank {
                        out.push(' ');
                    }
                }
                out.push(c);
                (marks, breaks, blank) = (0, 0, false);
            }
        }
    }
    let visible = out.trim_end_matches(is_joiner).len();
    out.truncate(visible);
    // Accents without a letter don't count as text.
    if out.chars().all(|c| c.is_whitespace() || is_joiner(c) || fold::is_mark(c)) { String::new() } else { out }
}

/// Whether a character has no shape, is private or is reserved. Joiners have no shape either, but they affect other
/// characters ([`is_joiner`]).
fn is_hidden(c: char) -> bool {
    let is_reserved = matches!(c,
        '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}'
        | '\u{E0000}'..='\u{10FFFF}');
    is_reserved || is_ignorable(c) && !is_joiner(c)
}

/// Whether a letter or symbol looks like a space.
fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{115F}'
            | '\u{1160}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FFA0}'
            | '\u{13441}'
            | '\u{13442}'
            | '\u{16FE4}'
            | '\u{1D159}'
    )
}

/// Whether a character joins or shapes the one before it, which emoji and some scripts need.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}')
}

/// Whether a joiner may follow a character. After letters in alphabets without joining, it could only hide something.
/// One joiner is enough; only an emoji that has been shaped can also be joined to the next one.
fn takes_joiner(before: char, joiner: char) -> bool {
    if is_joiner(before) {
        return joiner == '\u{200D}' && !matches!(before, '\u{200C}' | '\u{200D}');
    }
    !(before.is_alphabetic() && before < '\u{590}')
}

/// Whether a character is a combining mark.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}'
        | '\u{E31}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}' | '\u{FE20}'..='\u{FE2F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visible_text_is_unchanged() {
        for text in [
            "What an evening!",
            "Două zile: ș, ț – «да», 夜の灯り、素晴らしい",
            "<b>bold</b> & \"quoted\" 'text'",
            "Zwei\n\nAbsätze\nund noch einer",
            "👩‍❤️‍👨 🏳️‍🌈 1️⃣ 👍🏽",
            "می‌خواهم",
            "ất ệ é",
            "が",
        ] {
            assert_eq!(plain(text), text);
        }
    }

    #[test]
    fn invisible_characters_are_removed() {
        for (text, seen) in [
            ("  a\t b\u{A0}\u{3000} c  ", "a b c"),
            ("a\0\u{7}\u{1B}[31mb", "a[31mb"),
            ("a\r\nb\r\n\r\n\r\n\r\nc\n", "a\nb\n\nc"),
            ("a \n b", "a\nb"),
            ("\u{200B}\u{FEFF}\u{2060}\u{AD}\u{202E}abc\u{2066}", "abc"),
            ("fo\u{200B}r\u{200C}b\u{200D}i\u{FE0F}d", "forbid"),
            ("a\u{3164}\u{2800}b", "a b"),
            ("👍\u{200D}\u{200D}\u{200D}", "👍"),
            ("👍\u{FE0F}\u{FE0F}\u{FE0F}!", "👍\u{FE0F}!"),
            ("a\rb", "a b"),
            ("z\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}!", "z\u{300}\u{301}\u{302}!"),
            ("\u{301}\u{301}a", "a"),
            ("\u{E000}\u{E0041}\u{10FFFF}", ""),
        ] {
            assert_eq!(plain(text), seen, "{text:?}");
        }
    }
}
