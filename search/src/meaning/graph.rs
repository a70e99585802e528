//! Graph of words with the same meaning, and the alternative queries that it yields.

use std::collections::HashMap;

use lantern_catalog::meanings::Meaning;
use lantern_config::Lang;
use lantern_index::text;
use time::OffsetDateTime;

use super::MIN_RATIO_TO_SUREST;

/// Maximum number of synonyms per word and language.
const MAX_SYNONYMS: usize = 2;
/// Minimum confidence of a synonym reached through another word.
const MIN_WEIGHT: f32 = 0.3;

pub(crate) type Node = u32;

struct KnownNode {
    lang: Lang,
    written: String,
    /// Neighbors with the same meaning, each with its confidence.
    synonyms: Vec<(Node, f32)>,
}

/// All words and their pairs.
#[derive(Default)]
pub struct Graph {
    pub changed_at: Option<OffsetDateTime>,
    known: Vec<KnownNode>,
    by_key: HashMap<Lang, HashMap<String, Node>>,
    /// Single words by their root, which all forms of a verb share.
    by_root: HashMap<Lang, HashMap<String, Node>>,
}

impl Graph {
    pub fn new(changed_at: OffsetDateTime, meanings: &[Meaning]) -> Self {
        let mut graph = Self { changed_at: Some(changed_at), ..Self::default() };
        for meaning in meanings {
            let (Ok(a), Ok(b)) = (meaning.lang.parse(), meaning.other_lang.parse()) else { continue };
            let [Some(a), Some(b)] = [graph.node(&meaning.word, a), graph.node(&meaning.other, b)] else { continue };
            if a != b {
                graph.known[a as usize].synonyms.push((b, meaning.weight));
                graph.known[b as usize].synonyms.push((a, meaning.weight));
            }
        }
        graph
    }

    fn node(&mut self, written: &str, lang: Lang) -> Option<Node> {
        let key = text::key(written, lang);
        let next = Node::try_from(self.known.len()).ok()?;
        if key.is_empty() {
            return None;
        }
        let node = *self.by_key.entry(lang).or_default().entry(key).or_insert(next);
        if node == next {
            if let Some(root) = text::root(written, lang) {
                self.by_root.entry(lang).or_default().entry(root).or_insert(node);
            }
            self.known.push(KnownNode { lang, written: written.to_owned(), synonyms: Vec::new() });
        }
        Some(node)
    }

    /// Returns the node of a word or phrase in the language.
    pub(crate) fn node_of(&self, text: &str, lang: Lang) -> Option<Node> {
        self.by_key.get(&lang)?.get(&text::key(text, lang)).copied()
    }

    /// Returns the node of a word with the same root in the language.
    pub(crate) fn node_by_root(&self, text: &str, lang: Lang) -> Option<Node> {
        self.by_root.get(&lang)?.get(&text::root(text, lang)?).copied()
    }

    /// Returns the synonyms and translations of a word in every language, surest first in each language.
    pub(crate) fn meanings(&self, node: Node) -> Vec<(Lang, &str)> {
        Lang::ALL.iter().flat_map(|lang| self.synonyms(node, *lang).into_iter().map(|word| (*lang, word))).collect()
    }

    /// Whether the word has a meaning in the language.
    pub fn knows(&self, word: &str, lang: Lang) -> bool {
        self.by_key.get(&lang).is_some_and(|known| known.contains_key(&text::key(word, lang)))
    }

    /// Whether the word has a meaning in the language as it is written, not only as a form of another word.
    pub fn has_spelling(&self, word: &str, lang: Lang) -> bool {
        let is_same = |node: Node| text::spelled(&self.known[node as usize].written) == text::spelled(word);
        self.node_of(word, lang).is_some_and(is_same)
    }

    /// Returns the synonyms in a language, surest first. They are direct synonyms and those reached through one word in
    /// another language.
    fn synonyms(&self, node: Node, lang: Lang) -> Vec<&str> {
        let start = &self.known[node as usize];
        let mut weights: HashMap<Node, f32> = HashMap::new();
        let mut reach = |to: Node, weight: f32| {
            let best = weights.entry(to).or_default();
            *best = best.max(weight);
        };
        for (via, weight) in &start.synonyms {
            reach(*via, *weight);
            // If a word is translated back into its original language, the result tends to have a similar meaning, but
            // not the same.
            let onward = self.known[*via as usize].synonyms.iter().filter(|_| start.lang != lang);
            onward
                .map(|(to, second)| (*to, weight * second))
                .filter(|(_, weight)| *weight >= MIN_WEIGHT)
                .for_each(|(to, weight)| reach(to, weight));
        }
        let mut found: Vec<(f32, &str)> = weights
            .into_iter()
            .filter(|(to, _)| *to != node && self.known[*to as usize].lang == lang)
            .map(|(to, weight)| (weight, self.known[to as usize].written.as_str()))
            .collect();
        found.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| one.cmp(other)));
        let min_weight = found.first().map_or(0.0, |(weight, _)| weight * MIN_RATIO_TO_SUREST);
        found
            .into_iter()
            .take(MAX_SYNONYMS)
            .filter(|(weight, _)| *weight >= min_weight)
            .map(|(_, written)| written)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(lines: &[(&str, &str, &str, &str)]) -> Graph {
        let meaning = |(lang, word, other_lang, other): &(&str, &str, &str, &str)| Meaning {
            lang: (*lang).to_owned(),
            word: (*word).to_owned(),
            other_lang: (*other_lang).to_owned(),
            other: (*other).to_owned(),
            kind: "translation".to_owned(),
            origin: "learned".to_owned(),
            weight: 0.9,
            refused: false,
        };
        Graph::new(OffsetDateTime::UNIX_EPOCH, &lines.iter().map(meaning).collect::<Vec<_>>())
    }

    fn piano() -> Graph {
        graph(&[
            ("en", "piano", "ru", "фортепиано"),
            ("ru", "пианино", "ru", "фортепиано"),
            ("en", "piano", "pl", "fortepian"),
            ("de", "Klavier", "en", "piano"),
            ("en", "piano", "ja", "ピアノ"),
            ("en", "Hanoi", "ja", "ハノイ"),
            ("en", "Hanoi", "ru", "Ханой"),
            ("de", "Abend", "en", "evening"),
            ("en", "coffee shop", "en", "café"),
            ("es", "nevar", "en", "snow"),
            ("ja", "電車", "ja", "列車"),
        ])
    }

    #[test]
    fn synonyms_of_a_word_are_at_most_one_word_away() {
        let graph = piano();
        let meanings = |word, lang| graph.meanings(graph.node_of(word, lang).expect("known"));
        assert_eq!(meanings("пианино", Lang::Ru), [(Lang::En, "piano"), (Lang::Ru, "фортепиано")]);
        let klavier = meanings("Klavier", Lang::De);
        assert!(klavier.contains(&(Lang::Pl, "fortepian")) && klavier.contains(&(Lang::Ja, "ピアノ")), "{klavier:?}");
        assert_eq!(meanings("coffee shops", Lang::En), [(Lang::En, "café")]);
        assert!(graph.node_of("nevando", Lang::Es).is_none() && graph.node_by_root("nevando", Lang::Es).is_some());
        assert!(graph.node_of("zeppelin", Lang::En).is_none());
    }
}
