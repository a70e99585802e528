//! Detects prohibited terms, even if they are disguised.
//!
//! Texts are compared after visual normalization ([`super::bare`]). A term is found
//! - as a word, in any of its inflected forms;
//! - as a sequence of words that form it when joined, whatever separates them: `for-bidden`, `f o r b i d d e n`, `under age`;
//! - inside a word, if it has at least `safety.compound_letters` letters: shorter terms occur in innocent words (`thunder agenda` does not
//!   count as containing `under age`, which doesn't begin and end at word boundaries there);
//! - anywhere, if it is Japanese, which has no spaces.
//!
//! Names have no word boundaries, so a term is found anywhere in them.

mod forms;
#[cfg(test)]
mod tests;

use std::{collections::HashSet, sync::Arc};

use lantern_config::{Config, Lang, Safety};

use super::{
    bare::{Written, bare, has_signs, is_word_char, visible, words},
    japanese,
};

/// Prohibited terms. They are cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct TermList(Arc<Terms>);

/// Visually normalized terms.
#[derive(Debug, Default)]
struct Terms {
    /// Terms and their forms, matched by whole words or sequences of words.
    whole: HashSet<String>,
    /// Length in bytes of the longest entry in `whole`.
    longest: usize,
    /// Terms found inside words.
    within: Vec<String>,
    /// Japanese terms, found anywhere.
    japanese: Vec<String>,
    /// All non-Japanese terms, for names.
    all: Vec<String>,
    /// Words that contain a term but mean something else.
    innocent: Vec<String>,
}

impl TermList {
    /// Creates a list that contains only these terms, without a specific language. All other settings have their defaults.
    #[must_use]
    pub fn new(terms: &[String]) -> Self {
        let prohibited_terms = terms.to_owned();
        let shipped = Config::default().safety;
        Self::of(&Safety { prohibited_terms, prohibited_terms_by_language: Default::default(), ..shipped })
    }

    /// Creates a list from the configuration. Terms without word characters are ignored.
    #[must_use]
    pub fn of(safety: &Safety) -> Self {
        let mut terms =
            Terms { innocent: safety.innocent_words.iter().map(|word| bare(word)).collect(), ..Terms::default() };
        terms.innocent.retain(|word| !word.is_empty());
        // Terms without a specific language are mostly English.
        let general = safety.prohibited_terms.iter().map(|term| (term, Lang::En));
        let of_languages = safety.prohibited_terms_by_language.iter();
        let of_languages = of_languages.flat_map(|(lang, terms)| terms.iter().map(move |term| (term, *lang)));
        for (term, lang) in general.chain(of_languages) {
            terms.add(term, lang, safety.compound_letters);
        }
        Self(Arc::new(terms))
    }

    /// Whether the text contains a term.
    #[must_use]
    pub fn found_in(&self, text: &str) -> bool {
        let terms = &*self.0;
        if terms.is_empty() {
            return false;
        }
        let text = visible(text);
        terms.found_in_words(&words(&text, false))
            || has_signs(&text) && terms.found_in_words(&words(&text, true))
            || terms.found_in_japanese(&text)
    }

    /// Whether a name contains a term anywhere, because readers recognize words in a name even without separators.
    #[must_use]
    pub fn found_in_name(&self, name: &str) -> bool {
        let without_digits = || name.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
        self.found_in(name)
            || self.0.found_within(&bare(name), &self.0.all)
            || self.0.found_within(&bare(&without_digits()), &self.0.all)
    }
}

impl Terms {
    fn add(&mut self, term: &str, lang: Lang, compound_letters: usize) {
        if term.contains(japanese::is_japanese) {
            self.japanese.push(unspaced(&visible(term)));
            return;
        }
        let Some(last) = words(&visible(term), false).len().checked_sub(1) else { return };
        let spelled = bare(term);
        for form in forms::of(term, lang) {
            let form = bare(&form);
            self.longest = self.longest.max(form.len());
            self.whole.insert(form);
        }
        let letters = visible(term).chars().filter(|c| is_word_char(*c)).count();
        // Terms of several words are excluded, because otherwise `thunderagenda` would contain `under age`.
        if last == 0 && letters >= compound_letters {
            self.within.push(spelled.clone());
        }
        self.all.push(spelled);
    }

    fn is_empty(&self) -> bool {
        self.all.is_empty() && self.japanese.is_empty()
    }

    fn found_in_words(&self, words: &[Written<'_>]) -> bool {
        if self.all.is_empty() {
            return false;
        }
        let spelled: Vec<String> = words.iter().map(Written::bare).collect();
        let alone = |word: &str| self.whole.contains(word) || self.found_within(word, &self.within);
        let plain = words.iter().filter_map(Written::without_digits);
        spelled
            .iter()
            .cloned()
            .chain(plain)
            .any(|word| alone(&word) || collapse_repeats(&word).any(|word| alone(&word)))
            || self.found_in_sequence(&spelled)
    }

    /// Whether consecutive words form a term when joined.
    fn found_in_sequence(&self, words: &[String]) -> bool {
        let mut together = String::with_capacity(self.longest);
        (0..words.len()).any(|start| {
            together.clear();
            for word in &words[start..] {
                together.push_str(word);
                if together.len() > self.longest {
                    return false;
                }
                if self.whole.contains(&together) {
                    return true;
                }
            }
            false
        })
    }

    fn found_within(&self, word: &str, terms: &[String]) -> bool {
        if !terms.iter().any(|term| word.contains(term.as_str())) {
            return false;
        }
        // No term contains the space that replaces an innocent word.
        let rest = self.innocent.iter().fold(word.to_owned(), |word, innocent| word.replace(innocent.as_str(), " "));
        terms.iter().any(|term| rest.contains(term.as_str()))
    }

    fn found_in_japanese(&self, text: &str) -> bool {
        if self.japanese.is_empty() {
            return false;
        }
        let text = unspaced(text);
        self.japanese.iter().any(|term| text.contains(term.as_str()))
    }
}

/// Returns only the letters and digits of a text. Ends of sentences are kept.
fn unspaced(text: &str) -> String {
    let kept: String = text.chars().filter(|&c| is_word_char(c) || matches!(c, '。' | '、' | '\n')).collect();
    japanese::plain(&kept).to_lowercase()
}

/// If letters are repeated three times or more, returns the word with them reduced to two and to one. Otherwise returns nothing.
fn collapse_repeats(word: &str) -> impl Iterator<Item = String> {
    let letters: Vec<char> = word.chars().collect();
    let is_stretched = letters.windows(3).any(|three| three[0] == three[1] && three[1] == three[2]);
    let write = move |times: usize| {
        let mut out = String::with_capacity(letters.len());
        for run in letters.chunk_by(|a, b| a == b) {
            let most = if run.len() > 2 { times } else { run.len() };
            out.extend(&run[..most]);
        }
        out
    };
    [2, 1].into_iter().filter(move |_| is_stretched).map(write)
}
