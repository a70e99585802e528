//! A list of terms, found in texts whatever their case and accents.

use std::sync::Arc;

use super::{fold, japanese, pieces};

/// Terms that are looked for as whole words; Japanese ones anywhere, because it has no spaces. A clone is another handle.
#[derive(Debug, Clone, Default)]
pub struct TermList(Arc<[String]>);

impl TermList {
    /// Prepares the terms; those without a word are left out.
    #[must_use]
    pub fn new(terms: &[String]) -> Self {
        Self(terms.iter().map(|term| spelled(term)).filter(|term| !term.trim().is_empty()).collect())
    }

    /// Whether the text has one of them.
    #[must_use]
    pub fn found_in(&self, text: &str) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let text = spelled(text);
        self.0.iter().any(|term| match term.contains(japanese::is_japanese) {
            true => text.contains(term.trim()),
            false => text.contains(term.as_str()),
        })
    }
}

/// Words between single blanks, with one at both ends.
fn spelled(text: &str) -> String {
    let mut out = String::from(" ");
    for piece in pieces(text) {
        let run = &text[piece.at];
        out.push_str(&if piece.japanese { japanese::plain(run) } else { fold(run) });
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::TermList;

    #[test]
    fn terms_are_whole_words_except_in_japanese() {
        let list = TermList::new(&["Bad word".to_owned(), "禁止".to_owned(), "Épée".to_owned(), "!".to_owned()]);
        for text in ["a BAD  word here", "bad-word", "これは禁止です", "epee"] {
            assert!(list.found_in(text), "{text}");
        }
        for text in ["bad words", "word bad", "epees", ""] {
            assert!(!list.found_in(text), "{text}");
        }
        assert!(!TermList::default().found_in("anything"));
    }
}
