//! Query plan: decides what each word of a query means before the index is queried.
//!
//! Each wanted word becomes a [`Token`] with alternatives: the word as typed, its other forms, translations, and categories with that
//! label. A video matches if it has an alternative of every token, except function words. The plan is rendered as a [`Filter`] that
//! selects the videos and a text that ranks them.

mod alternatives;
mod badges;
mod build;
mod correct;
mod display;
mod expand;
mod planned;
mod planner;
#[cfg(test)]
mod table;
mod tokens;

use std::collections::{BTreeMap, BTreeSet, HashSet};

use lantern_config::Lang;
use lantern_index::{
    EVERY, Filter, IndexName, settings,
    text::{self, keys::title_key},
};

pub use planned::{POPULAR, PlannedCount, PlannedSearch};
pub use planner::Planner;

/// How an alternative follows from the typed word, surest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// The word as typed, in a language in which titles or meanings have it.
    Typed,
    /// Another form with the same root.
    Form,
    /// The same spelling in another language in which it has no other meaning.
    Spelling,
    /// A category or badge with this label.
    Label,
    /// A synonym or translation.
    Meaning,
    /// The word with this reading, typed in kana or romaji.
    Reading,
    /// A word that begins with the typed letters.
    Prefix,
    /// A word that occurs nowhere as far as is known, in every language.
    Literal,
}

/// What a video must have for an alternative.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// All of these keys ([`lantern_index::text::keys`]).
    Keys(Vec<String>),
    /// This category.
    Category(String),
    /// The badge with this field.
    Badge(&'static str),
}

/// One of the ways in which a video can match a token.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// Why it is an alternative.
    pub origin: Origin,
    /// Language of the word, or `None` for names and categories.
    pub lang: Option<Lang>,
    /// The word as shown to a visitor.
    pub text: String,
    /// What a video must have.
    pub condition: Condition,
}

/// A word of the query, or several that mean something together.
#[derive(Debug, Clone, PartialEq)]
pub struct Token {
    /// As typed.
    pub text: String,
    /// Whether a video may lack it.
    pub is_optional: bool,
    /// Whether titles, meanings or labels have the word.
    pub is_known: bool,
    /// Whether it is probably a name, of a place for example: most languages write it alike.
    pub is_name: bool,
    /// Surest first.
    pub alternatives: Vec<Alternative>,
}

/// The meaning of a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Tokens that a video must match.
    pub wanted: Vec<Token>,
    /// Tokens that a video must not match.
    pub excluded: Vec<Token>,
    /// Language of the visitor.
    pub lang: Lang,
    /// Languages of the query, in which titles are compared with it; the visitor's first.
    pub langs: Vec<Lang>,
    /// The query as shown to the visitor, with corrections applied.
    pub text: String,
    /// The text for the engine: words that rank the videos, and quoted phrases, which the videos must have.
    pub ranking: String,
    /// The part of that text with the excluded phrases.
    pub excluded_phrases: String,
    /// Whether the query has quoted phrases, wanted or excluded, which only the engine can find.
    pub has_phrases: bool,
}

impl Plan {
    /// Returns the condition that the videos must meet.
    pub fn filter(&self) -> Filter {
        self.required(|_| true).and(self.excluding())
    }

    /// Returns disjoint conditions that together select all videos with the wanted tokens, those of the best videos first: titles that equal
    /// the query, videos with each token in the visitor's language, others, and videos that only their categories describe.
    pub fn tiers(&self) -> Vec<Filter> {
        let (title, all, own) =
            (Filter::eq("keys", title_key(&self.text)), self.required(|_| true), self.required(|one| self.is_own(one)));
        let is_label = |one: &Alternative| one.origin == Origin::Label;
        let best = if self.tokens().all(|token| token.alternatives.iter().any(is_label)) {
            vec![own.and(self.any_word(|one| self.is_own(one))), all.clone().and(self.any_word(|_| true))]
        } else {
            vec![own]
        };
        let mut tiers = vec![title.clone().and(all.clone())];
        let mut others = title.not();
        for condition in best {
            tiers.push(condition.clone().and(others.clone()));
            others = others.and(condition.not());
        }
        tiers.push(all.and(others));
        tiers
    }

    /// Returns the condition that the videos have one of the tokens in one of these ways, other than by a label.
    fn any_word(&self, is_good: impl Fn(&Alternative) -> bool) -> Filter {
        let is_word = |one: &&Alternative| one.origin != Origin::Label && is_good(one);
        Filter::any(self.tokens().map(|token| filter_of(token.alternatives.iter().filter(is_word))))
    }

    /// Returns the tokens that a video must match.
    pub fn tokens(&self) -> impl Iterator<Item = &Token> {
        self.wanted.iter().filter(|token| !token.is_optional)
    }

    /// Returns the condition that the videos have each token in one of these ways. Nothing has a token without such an alternative.
    fn required(&self, is_good: impl Fn(&Alternative) -> bool) -> Filter {
        Filter::all(self.tokens().map(|token| filter_of(token.alternatives.iter().filter(|one| is_good(one)))))
    }

    /// Returns whether an alternative is a form of the typed word, in the visitor's language, or in a name or category.
    fn is_own(&self, one: &Alternative) -> bool {
        matches!(one.origin, Origin::Typed | Origin::Form) || one.lang.is_none_or(|lang| lang == self.lang)
    }

    /// Returns the condition that the videos have nothing that is excluded.
    pub fn excluding(&self) -> Filter {
        Filter::all(self.excluded.iter().map(|token| token.filter().not()))
    }

    /// Returns the words that a title in each language may have: the alternatives in that language and, for the visitor's, what was typed.
    pub fn words(&self) -> BTreeMap<Lang, String> {
        let mut words: BTreeMap<Lang, Vec<&str>> = BTreeMap::new();
        for token in self.tokens() {
            words.entry(self.lang).or_default().push(&token.text);
            for Alternative { lang, text, .. } in &token.alternatives {
                words.entry(lang.unwrap_or(self.lang)).or_default().push(text);
            }
        }
        words.into_iter().map(|(lang, words)| (lang, words.join(" "))).collect()
    }

    /// Returns the wanted words with the known ones in quotes, so that they match names only as a whole: Kyoto is not a typo for Kyoko.
    pub fn name_query(&self) -> String {
        let word = |token: &Token| if token.is_known { format!("\"{}\"", token.text) } else { token.text.clone() };
        text::query(&self.wanted.iter().map(word).collect::<Vec<_>>().join(" "), self.lang)
    }

    /// Returns the query for videos without the excluded phrases, or `None` if nothing is excluded that the filter lacks.
    pub fn excluding_query(&self) -> Option<String> {
        (!self.excluded_phrases.is_empty()).then(|| format!("\"{EVERY}\" {}", self.excluded_phrases))
    }

    /// Returns the fields in which the words rank the videos.
    pub fn fields(&self) -> Vec<String> {
        let fields = self.langs.iter().flat_map(|lang| settings::searched(IndexName::Videos, Some(*lang)));
        let mut seen = HashSet::new();
        fields.filter(|field| seen.insert(field.clone())).collect()
    }

    /// Returns the query that ranks videos with some of the words only. Each of them has [`EVERY`].
    pub fn any_query(&self) -> String {
        format!("\"{EVERY}\" {}", self.ranking)
    }

    /// Returns the query that ranks the videos of the filter. Each of them has [`EVERY`], so it drops none except for a phrase.
    pub fn ranking_query(&self) -> String {
        // The phrase comes last, so that the words have the same positions as in a title that begins with them.
        format!("{} \"{EVERY}\"", self.ranking).trim_start().to_owned()
    }
}

impl Token {
    /// Returns the word as typed.
    pub fn as_typed(&self) -> &str {
        &self.text
    }

    /// Returns the condition that a video has one of the alternatives.
    pub fn filter(&self) -> Filter {
        filter_of(self.alternatives.iter())
    }

    /// Returns the condition that something with these keys has one of the alternatives, other than by a category or badge.
    pub fn keys_filter(&self) -> Filter {
        filter_of(self.alternatives.iter().filter(|one| matches!(one.condition, Condition::Keys(_))))
    }

    /// Whether these keys contain one of the alternatives.
    pub fn is_in(&self, keys: &BTreeSet<String>) -> bool {
        self.alternatives.iter().any(|one| match &one.condition {
            Condition::Keys(wanted) => wanted.iter().all(|key| keys.contains(key)),
            Condition::Category(_) | Condition::Badge(_) => false,
        })
    }
}

fn filter_of<'a>(alternatives: impl Iterator<Item = &'a Alternative>) -> Filter {
    let (mut single, mut categories, mut parts) = (Vec::new(), Vec::new(), Vec::new());
    for alternative in alternatives {
        match &alternative.condition {
            Condition::Keys(keys) => match &keys[..] {
                [key] => single.push(key.as_str()),
                keys => parts.push(Filter::all(keys.iter().map(|key| Filter::eq("keys", key.as_str())))),
            },
            Condition::Category(dir) => categories.push(dir.as_str()),
            Condition::Badge(field) => parts.push(Filter::eq(*field, true)),
        }
    }
    if !single.is_empty() {
        parts.push(Filter::in_("keys", single));
    }
    if !categories.is_empty() {
        parts.push(Filter::in_("category_dirs", categories));
    }
    Filter::any(parts)
}
