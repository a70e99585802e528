//! Queries that complete the last typed word with a word from titles.

use lantern_config::{Gender, Lang};
use lantern_index::{
    Filter,
    text::{self, function::is_function_word, readings},
};

use crate::plan::Planner;

/// Maximum number of completions. Each one is counted.
const MAX_COMPLETIONS: usize = 8;

/// The typed text, with the visitor's language and orientation.
pub struct TypedText<'a> {
    /// Text as typed so far, without quotes.
    pub text: &'a str,
    /// Language of the visitor.
    pub lang: Lang,
    /// Orientation of the videos to count, or `None` to count all.
    pub gender: Option<Gender>,
}

impl TypedText<'_> {
    /// Filter for videos of the orientation.
    pub fn filter(&self) -> Filter {
        Filter::all(self.gender.map(|gender| Filter::eq("gender", gender.as_str())))
    }
}

/// Returns queries that complete the last word, those with the most frequent words first. The completed word is in the language of the
/// words before it: the visitor's if it has any of them.
pub fn complete(planner: &Planner, typed: &TypedText<'_>) -> Vec<String> {
    let Some((before, prefix)) = text::last_word(typed.text).filter(|(_, prefix)| !prefix.is_empty()) else {
        return Vec::new();
    };
    let words = langs(planner, typed, before, &prefix)
        .into_iter()
        .map(|lang| completing_words(planner, &prefix, lang, typed.lang));
    let words = words.into_iter().find(|words| !words.is_empty()).unwrap_or_default();
    words.into_iter().map(|word| format!("{before}{word}")).collect()
}

/// Returns the languages to look for a completion in, in order.
fn langs(planner: &Planner, typed: &TypedText<'_>, before: &str, prefix: &str) -> Vec<Lang> {
    let all = text::langs_of(prefix, typed.lang);
    let words = text::plain_words(before);
    let knows = |lang: &Lang| words.iter().any(|word| planner.knows(&before[word.at.clone()], *lang));
    match words.is_empty() {
        // Letters may also be the romaji of a Japanese word.
        true if typed.lang == Lang::Ja => std::iter::once(Lang::Ja).chain(all).collect(),
        true => all,
        false => {
            let own = std::iter::once(typed.lang).chain(all.iter().copied());
            own.filter(|lang| all.contains(lang) || *lang == Lang::Ja).find(knows).into_iter().collect()
        }
    }
}

fn completing_words(planner: &Planner, prefix: &str, lang: Lang, visitor: Lang) -> Vec<String> {
    let vocabulary = &planner.vocabulary;
    let mut found = vocabulary.beginning_with(prefix, lang, MAX_COMPLETIONS);
    if found.is_empty() && lang == Lang::De {
        // `fruehl` begins Frühling.
        found = vocabulary.beginning_with(&text::without_digraphs(prefix), lang, MAX_COMPLETIONS);
    }
    if lang == Lang::Ja
        && let Some(kana) = readings::reading(prefix, visitor == Lang::Ja)
    {
        found.extend(vocabulary.read_as(&kana, MAX_COMPLETIONS));
        found.sort_by_key(|(_, videos)| std::cmp::Reverse(*videos));
        found.truncate(MAX_COMPLETIONS);
    }
    let is_word = |word: &&str| !is_function_word(&text::spelled(word), lang);
    found.into_iter().map(|(word, _)| word).filter(is_word).map(str::to_owned).collect()
}
