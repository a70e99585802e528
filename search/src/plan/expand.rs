//! What a word may stand for: its forms, meanings, spellings elsewhere, labels and completions.

use lantern_config::Lang;
use lantern_index::text::{self, function::is_function_word, keys};

use super::{
    Alternative, Condition, Origin, Planner,
    alternatives::Alternatives,
    badges,
    build::{Builder, MAX_COMPLETIONS, MIN_ROOT, all_keys},
};
use crate::meaning::graph::Node;

impl Builder<'_> {
    /// Adds the word that a hyphenated one may be written as: `candle-light`.
    pub(super) fn add_joined(&self, found: &mut Alternatives, word: &str) {
        let joined = keys::join(word);
        let is_word = |lang: &&Lang| self.known.vocabulary.has_spelling(&text::spelled(&joined), **lang);
        for lang in self.langs.iter().filter(|_| word.contains(keys::is_joiner)).filter(is_word) {
            self.add_word(found, &joined, *lang, Origin::Spelling);
        }
    }

    /// Adds a word that its language knows, its other forms, and its meanings in every language.
    pub(super) fn add_word(&self, found: &mut Alternatives, word: &str, lang: Lang, origin: Origin) {
        let Planner { vocabulary, graph, .. } = self.known;
        found.keys(origin, Some(lang), word, all_keys(word, lang));
        let root = text::root(word, lang).map_or(0, |root| root.chars().count());
        let is_reliable = root >= MIN_ROOT || !vocabulary.knows(word, lang);
        for form in vocabulary.forms(word, lang).into_iter().filter(|_| is_reliable) {
            found.keys(Origin::Form, Some(lang), form, keys::word_keys(form, lang));
        }
        if let Some([head, tail]) = vocabulary.split_compound(&text::spelled(word), lang) {
            found.keys(
                Origin::Form,
                Some(lang),
                word,
                [keys::word_keys(head, lang), keys::word_keys(tail, lang)].concat(),
            );
        }
        match graph.node_of(word, lang).or_else(|| graph.node_by_root(word, lang)) {
            Some(node) => self.add_meanings(found, node),
            None => self.add_compound_meanings(found, word, lang),
        }
    }

    pub(super) fn add_meanings(&self, found: &mut Alternatives, node: Node) {
        for (lang, meaning) in self.known.graph.meanings(node) {
            found.keys(Origin::Meaning, Some(lang), meaning, all_keys(meaning, lang));
        }
    }

    /// Adds the meanings of a compound's parts, if each part has one in the same language.
    pub(super) fn add_compound_meanings(&self, found: &mut Alternatives, word: &str, lang: Lang) {
        let graph = &self.known.graph;
        let key = text::key(word, lang);
        let nodes: Option<Vec<Node>> = key.split(' ').map(|part| graph.node_of(part, lang)).collect();
        let Some(nodes) = nodes.filter(|nodes| nodes.len() > 1) else { return };
        for other in Lang::ALL {
            let first =
                |node: &Node| graph.meanings(*node).into_iter().find(|(lang, _)| lang == other).map(|(_, word)| word);
            if let Some(parts) = nodes.iter().map(first).collect::<Option<Vec<_>>>() {
                let keys = parts.iter().flat_map(|part| all_keys(part, *other)).collect();
                found.keys(Origin::Meaning, Some(*other), &parts.join(" "), keys);
            }
        }
    }

    /// Adds the same spelling in other languages. If the word means something in its own language, languages in which it means something
    /// else are left out (Polish *Seul* is a city, French *seul* is alone). If it has no known meaning, it probably is the same name, which
    /// may also be written in another alphabet (*Осака*).
    pub(super) fn add_same_spelling(&self, found: &mut Alternatives, word: &str, typed: &[Lang]) {
        let Planner { vocabulary, graph, .. } = self.known;
        let node = |lang: Lang| graph.node_of(word, lang);
        let has_meaning = typed.iter().any(|lang| node(*lang).is_some());
        let spelled = text::spelled(word);
        let is_long = word.chars().count() >= MIN_ROOT;
        let is_possible = |lang: &&Lang| **lang != Lang::Ja && is_long && !typed.is_empty() && !typed.contains(lang);
        for lang in Lang::ALL.iter().filter(is_possible) {
            if !vocabulary.knows(word, *lang) || is_function_word(&spelled, *lang) {
                continue;
            }
            match node(*lang) {
                Some(_) if has_meaning => {}
                Some(_) if !typed.contains(&self.visitor) => self.add_word(found, word, *lang, Origin::Spelling),
                _ => found.keys(Origin::Spelling, Some(*lang), word, all_keys(word, *lang)),
            }
        }
    }

    pub(super) fn add_labels(&self, found: &mut Alternatives, word: &str, langs: &[Lang]) {
        for lang in langs.iter().chain([&self.visitor]) {
            let categories = self.known.categories.labelled(word, *lang).into_iter();
            let categories = categories.map(|dir| Condition::Category(dir.to_owned()));
            for condition in categories.chain(badges::labelled(word, *lang).map(Condition::Badge)) {
                found.add(Alternative { origin: Origin::Label, lang: None, text: word.to_owned(), condition });
            }
        }
    }

    /// Adds what an unknown word may stand for.
    pub(super) fn add_guesses(&self, found: &mut Alternatives, word: &str, all: &[Lang], is_last: bool) {
        let vocabulary = &self.known.vocabulary;
        let before = found.0.len();
        if let Some(typed) = text::plain_words(word).first()
            && let Some(written) = vocabulary.written(typed, self.visitor)
        {
            let written = written.to_owned();
            self.add_word(found, &written, Lang::Ja, Origin::Reading);
        } else if let Some(typed) = text::plain_words(word).first() {
            // Titles may have a synonym of the word with this reading.
            let written = text::readings::written(&typed.spelled, self.visitor == Lang::Ja);
            let written = written.into_iter().find(|written| self.known.graph.knows(written, Lang::Ja));
            written.into_iter().for_each(|written| self.add_word(found, written, Lang::Ja, Origin::Reading));
        }
        if self.visitor == Lang::Ru {
            let cyrillic = text::cyrillic::from_latin(&text::fold(word));
            if vocabulary.knows(&cyrillic, Lang::Ru) {
                self.add_word(found, &cyrillic, Lang::Ru, Origin::Reading);
            }
        }
        for lang in all {
            if let Some([head, tail]) = vocabulary.split_compound(&text::spelled(word), *lang) {
                let keys = [keys::word_keys(head, *lang), keys::word_keys(tail, *lang)].concat();
                found.keys(Origin::Form, Some(*lang), word, keys);
            }
        }
        let (own, others): (Vec<Lang>, Vec<Lang>) = all.iter().partition(|lang| self.langs.contains(lang));
        for langs in [own, others].iter().filter(|langs| !langs.is_empty()) {
            if found.0.len() > before {
                break;
            }
            for lang in langs {
                for form in vocabulary.forms(word, *lang) {
                    self.add_word(found, form, *lang, Origin::Form);
                    self.add_labels(found, form, &[*lang]);
                }
            }
        }
        if found.0.len() == before && is_last {
            self.add_completions(found, word, all);
        }
    }

    /// Adds words and names that begin with the typed letters.
    pub(super) fn add_completions(&self, found: &mut Alternatives, word: &str, all: &[Lang]) {
        let (vocabulary, spelled) = (&self.known.vocabulary, text::spelled(word));
        for name in vocabulary.names_beginning_with(&spelled, MAX_COMPLETIONS) {
            for key in keys::typed_name_keys(name, self.visitor) {
                found.keys(Origin::Prefix, None, name, vec![key]);
            }
        }
        let names = found.0.len();
        for lang in all {
            let completions = vocabulary.beginning_with(&spelled, *lang, MAX_COMPLETIONS);
            completions.iter().for_each(|(word, _)| self.add_word(found, word, *lang, Origin::Prefix));
            if found.0.len() > names {
                break;
            }
        }
    }
}
