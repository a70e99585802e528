//! Text that people wrote for others to read: plain, visible, and what it looks like.
//!
//! What can't be seen is taken out before anything is counted or looked up, so that five invisible signs are no comment and an
//! invisible sign inside a word hides the word from no list of terms. Markup stays what it is, text: it is escaped where it
//! is shown.

use lantern_index::text::{self, TermList, is_ignorable};

use lantern_errors::ApiError;

/// Marks that may be put on one letter; more than Vietnamese or vocalised Hebrew needs is a smear over the lines around.
const MOST_MARKS: usize = 3;
/// Line breaks in a row.
const MOST_BREAKS: usize = 2;

/// How a text is called and how long it may be.
#[derive(Debug, Clone, Copy)]
pub struct TextBounds {
    /// Name of the form's field.
    pub field: &'static str,
    pub min: usize,
    /// Code for fewer.
    pub min_code: &'static str,
    pub max: usize,
    /// Whether it is one line.
    pub one_line: bool,
}

/// The text as it is stored, if it may be. Fails with 422 `required`, the code for too few characters, `max_length`, or
/// `prohibited_terms`.
pub fn checked(text: Option<&str>, bounds: TextBounds, prohibited: &TermList) -> Result<String, ApiError> {
    let refuse = |code, bound| Err(ApiError::Field { field: bounds.field, code, bound });
    let mut text = plain(text.unwrap_or_default());
    if bounds.one_line {
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    match text.chars().count() {
        0 => refuse("required", None),
        count if count < bounds.min => refuse(bounds.min_code, Some(bounds.min)),
        count if count > bounds.max => refuse("max_length", Some(bounds.max)),
        _ if prohibited.found_in(&text) => refuse("prohibited_terms", None),
        _ => Ok(text),
    }
}

/// Without control characters and what can't be seen; single blanks, two line breaks at most, nothing around it.
pub fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut marks, mut breaks, mut blank) = (0, 0, false);
    for sign in text.chars() {
        match sign {
            '\n' | '\u{2028}' | '\u{2029}' => (breaks, blank) = (breaks + 1, false),
            _ if sign.is_whitespace() || is_filler(sign) => blank = true,
            _ if sign.is_control() || is_hidden(sign) => {}
            _ if is_joiner(sign) => {
                if breaks == 0 && !blank && out.chars().next_back().is_some_and(|before| takes_joiner(before, sign)) {
                    out.push(sign);
                }
            }
            _ if is_mark(sign) => {
                marks += 1;
                if breaks == 0 && !blank && !out.is_empty() && marks <= MOST_MARKS {
                    out.push(sign);
                }
            }
            _ => {
                if !out.is_empty() {
                    (0..breaks.min(MOST_BREAKS)).for_each(|_| out.push('\n'));
                    if breaks == 0 && blank {
                        out.push(' ');
                    }
                }
                out.push(sign);
                (marks, breaks, blank) = (0, 0, false);
            }
        }
    }
    let visible = out.trim_end_matches(is_joiner).len();
    out.truncate(visible);
    // Accents without a letter are no text.
    if out.chars().all(|sign| sign.is_whitespace() || is_joiner(sign) || text::is_mark(sign)) {
        String::new()
    } else {
        out
    }
}

/// Signs without a shape, private and reserved ones. Joiners have no shape either, but give one ([`is_joiner`]).
fn is_hidden(sign: char) -> bool {
    let is_reserved = matches!(sign,
        '\u{E000}'..='\u{F8FF}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFF0}'..='\u{FFFB}' | '\u{FFFE}' | '\u{FFFF}'
        | '\u{E0000}'..='\u{10FFFF}');
    is_reserved || is_ignorable(sign) && !is_joiner(sign)
}

/// Letters and signs that look like a blank.
fn is_filler(sign: char) -> bool {
    matches!(
        sign,
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

/// What joins or shapes the sign before it: emoji and some scripts need it, once.
fn is_joiner(sign: char) -> bool {
    matches!(sign, '\u{200C}' | '\u{200D}' | '\u{FE00}'..='\u{FE0F}')
}

/// Letters of alphabets that join nothing can only be hidden by a joiner, and one joiner is enough: only a shaped emoji is also
/// joined to the next one.
fn takes_joiner(before: char, joiner: char) -> bool {
    if is_joiner(before) {
        return joiner == '\u{200D}' && !matches!(before, '\u{200C}' | '\u{200D}');
    }
    !(before.is_alphabetic() && before < '\u{590}')
}

fn is_mark(sign: char) -> bool {
    matches!(sign,
        '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{591}'..='\u{5BD}' | '\u{610}'..='\u{61A}' | '\u{64B}'..='\u{65F}'
        | '\u{E31}' | '\u{E34}'..='\u{E3A}' | '\u{E47}'..='\u{E4E}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}' | '\u{FE20}'..='\u{FE2F}')
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: TextBounds =
        TextBounds { field: "msg", min: 5, min_code: "comment_min_length", max: 20, one_line: false };

    fn refused(text: &str) -> Option<(&'static str, Option<usize>)> {
        let terms = TermList::new(&["forbidden".to_owned()]);
        match checked(Some(text), BOUNDS, &terms) {
            Ok(_) => None,
            Err(ApiError::Field { field: "msg", code, bound }) => Some((code, bound)),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
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
    fn what_can_not_be_seen_is_gone() {
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

    #[test]
    fn lengths_are_of_what_is_seen() {
        assert_eq!(refused(""), Some(("required", None)));
        assert_eq!(refused(" \u{200B}\u{3164}\n "), Some(("required", None)));
        assert_eq!(refused("\u{1D173}\u{1BCA0}\u{1D17A}\u{2064}\u{115F}\u{17B4}\u{180E}"), Some(("required", None)));
        assert_eq!(refused("\u{1D159}\u{13441}\u{2800}\u{E0100}\u{FE0F}\u{200D}"), Some(("required", None)));
        assert_eq!(
            refused("\u{730}\u{731}\u{732}\u{733}\u{20E3}\u{93F}"),
            Some(("required", None)),
            "marks without a letter"
        );
        assert_eq!(refused("four\u{200B}\u{200B}\u{200B}"), Some(("comment_min_length", Some(5))));
        assert_eq!(refused("fiveé"), None);
        assert_eq!(refused(&"é".repeat(20)), None);
        assert_eq!(refused(&"é".repeat(21)), Some(("max_length", Some(20))));
    }

    #[test]
    fn an_invisible_sign_hides_no_term() {
        for text in [
            "so Forbidden",
            "so for\u{1D173}bidden",
            "so for\u{1BCA0}bidden",
            "so for\u{200B}bidden",
            "so for\u{AD}bid\u{200D}den",
            "forbidden\u{FE0F}",
        ] {
            assert_eq!(refused(text), Some(("prohibited_terms", None)), "{text:?}");
        }
    }
}
