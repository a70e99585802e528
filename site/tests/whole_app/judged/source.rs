//! Titles, words and names from which the queries in a language are drawn.

use std::collections::{BTreeMap, BTreeSet};

use lantern_config::Lang;

use super::{
    corpus::Corpus,
    grade::Sought,
    words::{Concept, Lexicon, Lexicons, Text, has_cyrillic, is_japanese, words},
};

/// The text of a query and its meaning.
pub type Query = (String, Sought);

/// A corpus as visitors of one language see it.
pub struct Source<'a> {
    pub corpus: &'a Corpus,
    pub lexicons: &'a Lexicons,
    pub lexicon: &'a Lexicon,
    pub lang: Lang,
    /// Titles in the language, with the words in each.
    pub titles: Vec<(&'a str, Vec<String>)>,
    /// Number of titles that contain each word.
    pub counts: BTreeMap<String, usize>,
}

impl<'a> Source<'a> {
    pub fn new(corpus: &'a Corpus, lexicons: &'a Lexicons, lang: Lang) -> Self {
        let lexicon = &lexicons[&lang];
        let titles = corpus.videos.iter().filter_map(|(_, video)| video.titles.get(lang.as_str()));
        let titles: Vec<_> = titles.map(|title| (title.as_str(), words(title, lexicon))).collect();
        let mut counts = BTreeMap::new();
        for word in titles.iter().flat_map(|(_, words)| words.iter().collect::<BTreeSet<_>>()) {
            *counts.entry(word.clone()).or_default() += 1;
        }
        Self { corpus, lexicons, lexicon, lang, titles, counts }
    }

    pub fn words_of(&self, text: &str) -> Vec<Concept> {
        let words = words(text, self.lexicon);
        // A single kanji is not a word from a title but may be a label.
        let words = if words.is_empty() { vec![text.to_owned()] } else { words };
        words.iter().map(|word| Concept::of(word, self.lexicon)).collect()
    }

    /// Returns a query `typed` that means the words in `meant`.
    pub fn query(&self, typed: impl Into<String>, meant: &str) -> Query {
        (typed.into(), Sought { words: self.words_of(meant), ..Sought::default() })
    }

    /// Returns a query for one form from a group, which means all forms in the group.
    pub fn member(&self, form: String) -> Query {
        let words = vec![Concept::of(&form, self.lexicon)];
        (form, Sought { words, ..Sought::default() })
    }

    /// Returns, for each group, the forms for which another form occurs in a title.
    pub fn variants(&self, groups: &[String]) -> Vec<Vec<String>> {
        let texts: Vec<Text> = self.titles.iter().map(|(title, _)| Text::new(title)).collect();
        let occurs = |form: &&str| {
            let alone = Concept::alone(form);
            texts.iter().any(|text| alone.is_in(text, self.lang))
        };
        let others = groups.iter().map(|group| {
            let forms: Vec<&str> = group.split(' ').collect();
            let present: Vec<&str> = forms.iter().copied().filter(occurs).collect();
            forms.into_iter().filter(|form| present.iter().any(|other| other != form)).map(str::to_lowercase).collect()
        });
        others.filter(|forms: &Vec<String>| !forms.is_empty()).collect()
    }

    /// Returns the names of models in a script that visitors with this language can read.
    pub fn names(&self) -> Vec<&str> {
        let models = self.corpus.names.models.values();
        let names = models.flat_map(|model| [&model.title].into_iter().chain(&model.aliases)).map(String::as_str);
        names
            .filter(|name| !is_japanese(name) || self.lang == Lang::Ja)
            .filter(|name| !has_cyrillic(name) || self.lang == Lang::Ru)
            .collect()
    }
}
