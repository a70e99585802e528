//! Other queries that the visitor may have meant.

use std::collections::HashSet;

use lantern_index::{
    Filter,
    text::{self, Word, layout::other_layout},
};

use super::{
    Plan, Planner,
    build::{MAX_COMPLETIONS, MIN_ROOT, all_keys},
};
use crate::spelling::{self, KnownSpelling};

impl Planner {
    /// Returns what the visitor probably meant if words are unknown: the text on another keyboard layout if that makes all its words known,
    /// otherwise the text with unknown words replaced by the nearest known ones. Returns `None` if there are none.
    pub fn correct(&self, plan: &Plan) -> Option<String> {
        let words: Vec<Word> = text::plain_words(&plan.text).into_iter().take(spelling::MAX_WORDS).collect();
        // A compound is known by its parts, which may be there by chance.
        let is_whole = |word: &Word| {
            self.vocabulary.has(&word.spelled) || !text::key(&plan.text[word.at.clone()], plan.lang).contains(' ')
        };
        if words.is_empty() || plan.wanted.iter().all(|token| token.is_known) && words.iter().all(is_whole) {
            return None;
        }
        if let Some(other) = other_layout(&plan.text)
            && self.plan(&other, plan.lang).wanted.iter().all(|token| token.is_known)
        {
            return Some(other);
        }
        let known = plan.wanted.iter().filter(|token| token.is_known).flat_map(|token| text::plain_words(&token.text));
        let known: HashSet<String> = known.map(|word| word.spelled).collect();
        let near = words.iter().flat_map(|word| match known.contains(&word.spelled) && is_whole(word) {
            true => vec![KnownSpelling { title: word.spelled.clone(), weight: i64::MAX }],
            false => self.vocabulary.near(word, plan.lang),
        });
        let label = |label: &str| KnownSpelling { title: label.to_owned(), weight: 0 };
        let labels = self.categories.labels().map(label);
        let known: Vec<_> = near.chain(self.vocabulary.near_names(&words)).chain(labels).collect();
        spelling::corrected(&plan.text, &known)
    }

    /// Returns the query with each rare word replaced by a similar one that is far more frequent, or `None` if there are none.
    pub fn rival(&self, plan: &Plan) -> Option<String> {
        let mut text = plan.text.clone();
        for word in text::plain_words(&plan.text).iter().rev().filter(|word| !word.japanese) {
            if let Some(rival) = self.vocabulary.rival(word, plan.lang) {
                text.replace_range(word.at.clone(), rival);
            }
        }
        (text != plan.text).then_some(text)
    }

    /// Returns words in the visitor's language that begin with the stem of the plan's only word, such as *callejero* for *calle*, each with the
    /// condition of its videos.
    pub fn similar(&self, plan: &Plan) -> Vec<(String, Filter)> {
        let mut content = plan.tokens();
        let (Some(token), None) = (content.next(), content.next()) else { return Vec::new() };
        let stem = text::key(&token.text, plan.lang);
        if stem.chars().count() < MIN_ROOT || stem.contains(' ') {
            return Vec::new();
        }
        let words = self.vocabulary.beginning_with(&stem, plan.lang, MAX_COMPLETIONS).into_iter().map(|(word, _)| word);
        words
            .map(|word| {
                (
                    word.to_owned(),
                    Filter::all(all_keys(word, plan.lang).iter().map(|key| Filter::eq("keys", key.as_str()))),
                )
            })
            .collect()
    }
}
