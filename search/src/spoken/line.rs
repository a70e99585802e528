//! The line of a passage that matches a search.

use std::{collections::BTreeSet, iter};

use lantern_index::{
    CaptionsDoc,
    text::{
        self,
        keys::{is_unspaced, spoken_keys},
    },
};

use crate::plan::{Plan, Token};

/// Maximum number of characters shown of a line, about two lines on a phone. Captions rarely have more than 84.
const SHOWN: usize = 160;
/// Number of characters shown before the first match of a longer line.
const BEFORE: usize = 40;

/// What a line must have.
pub struct Wanted<'a> {
    tokens: Vec<&'a Token>,
    /// Normalized quoted phrases.
    phrases: Vec<String>,
    /// Normalized excluded phrases.
    excluded: Vec<String>,
}

/// A line with all words, or two in succession.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundLine {
    /// Second at which it appears.
    pub second: u32,
    /// The text.
    pub text: String,
    /// Whether it is two lines.
    pub is_split: bool,
}

impl<'a> Wanted<'a> {
    /// Prepares a plan, and the phrases of the typed text.
    pub fn new(plan: &'a Plan, typed: &str) -> Self {
        let excluded = text::exclusions(typed).into_iter().filter(|(_, is_phrase)| *is_phrase);
        Self {
            tokens: plan.tokens().collect(),
            phrases: text::phrases(typed).into_iter().map(phrase).collect(),
            excluded: excluded.map(|(quoted, _)| phrase(quoted)).collect(),
        }
    }

    /// Returns the first line that has everything, or else the first two in succession.
    pub fn find(&self, passage: &CaptionsDoc) -> Option<FoundLine> {
        let lines: Vec<(u32, &str)> = passage.spoken().collect();
        let single = lines.iter().map(|(second, text)| (*second, (*text).to_owned(), false));
        let pairs = lines.windows(2).map(|pair| (pair[0].0, format!("{} {}", pair[0].1, pair[1].1), true));
        let mut candidates = single.chain(pairs);
        let (second, text, is_split) = candidates.find(|(_, text, _)| self.is_in(text, &passage.lang))?;
        Some(FoundLine { second, text, is_split })
    }

    fn is_in(&self, text: &str, lang: &str) -> bool {
        let companion = lang.parse().ok().map(|lang| (lang, text::companion(text, lang)));
        let keys: BTreeSet<String> =
            spoken_keys(text, companion.as_ref().map(|(lang, companion)| (*lang, companion.as_str())));
        if !self.tokens.iter().all(|token| token.is_in(&keys)) {
            return false;
        }
        let text = normalized(text);
        self.phrases.iter().all(|phrase| text.contains(phrase.as_str()))
            && !self.excluded.iter().any(|phrase| text.contains(phrase.as_str()))
    }
}

/// Returns a phrase as it occurs in [`normalized`] texts: whole words, or a part of a text without spaces.
fn phrase(text: &str) -> String {
    let phrase = normalized(text);
    match phrase.contains(|c| text::japanese::is_japanese(c) || is_unspaced(c)) {
        true => phrase.trim().to_owned(),
        false => phrase,
    }
}

/// Returns the folded words of a text, each between two spaces.
fn normalized(text: &str) -> String {
    let folded = text::fold(text);
    let words = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    iter::once("").chain(words).chain([""]).collect::<Vec<_>>().join(" ")
}

/// Shortens a text to what surrounds the byte at which its first match begins, at spaces if there are any.
pub fn cut(text: &str, first: usize) -> String {
    let count = text.chars().count();
    if count <= SHOWN {
        return text.to_owned();
    }
    let before = text.get(..first).map_or(0, |before| before.chars().count());
    let from = before.saturating_sub(BEFORE).min(count - SHOWN);
    let part: String = text.chars().skip(from).take(SHOWN).collect();
    let (starts, ends) = (from == 0, from + SHOWN == count);
    let start = if starts { 0 } else { part.find(' ').filter(|at| at * 4 < part.len()).map_or(0, |at| at + 1) };
    let end = if ends { part.len() } else { part.rfind(' ').filter(|end| *end > start).unwrap_or(part.len()) };
    format!("{}{}{}", if starts { "" } else { "… " }, &part[start..end], if ends { "" } else { " …" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_whole_words_except_without_spaces() {
        let has = |said: &str, quoted: &str| normalized(said).contains(&phrase(quoted));
        assert!(has("Good evening, Tokyo!", "\"good EVENING\""));
        assert!(!has("Good evenings", "\"good evening\""));
        assert!(has("夜市へ行こう", "「夜市」"));
    }

    #[test]
    fn long_lines_are_cut_around_the_match() {
        assert_eq!(cut("short", 2), "short");
        let long = format!("{}match{}", "before ".repeat(30), " after".repeat(30));
        let shown = cut(&long, 210);
        assert!(shown.starts_with("… before ") && shown.ends_with(" after …"), "{shown}");
        assert!(shown.contains(" match ") && shown.chars().count() <= SHOWN + 4);
        assert!(cut(&long, 0).starts_with("before"));
        let unspaced = "夜".repeat(300);
        assert!(cut(&unspaced, unspaced.len()).ends_with('夜'));
    }
}
