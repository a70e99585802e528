//! Texts of strangers inside mails.

use std::fmt::{self, Display};

/// Shown as text or inside a quoted attribute.
pub struct Escaped<T>(pub T);

impl<T: AsRef<str>> Display for Escaped<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0.as_ref();
        while let Some(at) = rest.find(|c| matches!(c, '&' | '<' | '>' | '"' | '\'') || !is_xml(c)) {
            f.write_str(&rest[..at])?;
            let special = rest[at..].chars().next().unwrap_or_default();
            f.write_str(match special {
                '&' => "&amp;",
                '<' => "&lt;",
                '>' => "&gt;",
                '"' => "&quot;",
                '\'' => "&#39;",
                // No XML document may hold it, not even escaped.
                _ => "\u{fffd}",
            })?;
            rest = &rest[at + special.len_utf8()..];
        }
        f.write_str(rest)
    }
}

/// Characters XML 1.0 can hold.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</script><!--<script>]]>&amp;\u{2028}\u{2029}'\"";

    #[test]
    fn text_can_not_become_markup() {
        let shown = Escaped(HOSTILE).to_string();
        assert!(!shown.contains(['<', '>', '"', '\'']), "{shown}");
        assert!(shown.starts_with("&lt;/script&gt;&lt;!--") && shown.contains("&amp;amp;"), "{shown}");
        assert_eq!(Escaped("a\u{0}b\u{8}c\u{ffff}").to_string(), "a\u{fffd}b\u{fffd}c\u{fffd}");
        assert_eq!(Escaped("温泉\n").to_string(), "温泉\n");
    }
}
