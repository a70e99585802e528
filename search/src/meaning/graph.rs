//! Graph of words with the same meaning, and the alternative queries that it yields.

use std::{collections::HashMap, ops::Range};

use lantern_catalog::meanings::Meaning;
use lantern_config::Lang;
use lantern_index::text::{self, Word, japanese, plain_words, readings};
use time::OffsetDateTime;

use super::MIN_RATIO_TO_SUREST;

/// Maximum number of words in a phrase that has a separate meaning (`behind the scenes`).
const MAX_PHRASE_WORDS: usize = 3;
/// Maximum number of query words to look up. Longer texts are sentences.
const MAX_WORDS: usize = 6;
/// Maximum number of synonyms per word and language.
const MAX_SYNONYMS: usize = 2;
/// Minimum confidence of a synonym reached through another word.
const MIN_WEIGHT: f32 = 0.3;

type Node = u32;

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

/// A query expressed in other words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// Text to show.
    pub text: String,
    /// Query for the engine. Each word is a phrase, so that typos and prefixes don't match.
    pub reading: String,
    /// Whether the typed words themselves have a meaning, rather than only their roots or readings.
    pub is_sure: bool,
}

/// A part of a query that has a meaning: a word, a phrase, or a compound whose parts each have a meaning.
struct Unit {
    /// Byte range in the query, including the particles that follow.
    at: Range<usize>,
    /// Byte range without particles.
    word: Range<usize>,
    nodes: Vec<Node>,
    is_sure: bool,
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

    /// Whether the word has a meaning in the language.
    pub fn knows(&self, word: &str, lang: Lang) -> bool {
        self.by_key.get(&lang).is_some_and(|known| known.contains_key(&text::key(word, lang)))
    }

    /// Returns at most `most` alternatives, first those in the visitor's language, then in English, then in other
    /// languages.
    pub fn alternatives(&self, query: &str, visitor: Lang, most: usize) -> Vec<Alternative> {
        let units = self.units(query, visitor);
        let is_sure = units.iter().all(|unit| unit.is_sure);
        let mut found: Vec<Alternative> = Vec::new();
        let first = [visitor, Lang::En];
        let others = Lang::ALL.iter().filter(|lang| !first.contains(lang));
        let mut langs: Vec<Lang> = first.iter().chain(others).copied().collect();
        langs.dedup();
        for lang in langs {
            let choices: Vec<Vec<String>> = units.iter().map(|unit| self.choices(unit, lang)).collect();
            // First choose the surest synonym for every word, then vary one word at a time.
            let mut rounds = vec![vec![0; units.len()]];
            for (at, choices) in choices.iter().enumerate() {
                rounds.extend((1..choices.len()).map(|choice| {
                    let mut round = vec![0; units.len()];
                    round[at] = choice;
                    round
                }));
            }
            for round in rounds {
                let chosen = |at: usize| choices[at].get(round[at]).filter(|word| !word.is_empty());
                if (0..units.len()).all(|at| chosen(at).is_none()) {
                    continue;
                }
                let words: Vec<&str> = (0..units.len())
                    .map(|at| chosen(at).map_or(&query[units[at].word.clone()], String::as_str))
                    .collect();
                let reading = text::query(&rewritten(query, &units, &quoted(&words)), lang);
                if found.iter().all(|known| known.reading != reading) {
                    found.push(Alternative { text: rewritten(query, &units, &words), reading, is_sure });
                }
            }
        }
        found.truncate(most);
        found
    }

    /// Returns the choices for a unit in a language. An empty choice stands for the typed text.
    fn choices(&self, unit: &Unit, lang: Lang) -> Vec<String> {
        let [node] = unit.nodes[..] else {
            let parts: Option<Vec<&str>> =
                unit.nodes.iter().map(|node| self.synonyms(*node, lang).first().copied()).collect();
            return parts.map(|parts| parts.join(" ")).into_iter().collect();
        };
        let known = &self.known[node as usize];
        let own = (known.lang == lang).then(|| if unit.is_sure { String::new() } else { known.written.clone() });
        own.into_iter().chain(self.synonyms(node, lang).into_iter().map(str::to_owned)).collect()
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

    /// Splits a query into units that have a meaning. If several splits are possible, the longest unit comes first.
    /// Other words stay as they are.
    fn units(&self, query: &str, visitor: Lang) -> Vec<Unit> {
        let words = plain_words(query);
        let mut words = &words[..words.len().min(MAX_WORDS)];
        let mut units = Vec::new();
        while let Some(first) = words.first() {
            let together = (1..=MAX_PHRASE_WORDS.min(words.len())).rev().find_map(|count| {
                let at = first.at.start..words[count - 1].at.end;
                let text = &query[at.clone()];
                let whole = count == 1 || text.split_whitespace().count() == count;
                let (node, is_sure) = self.find(text, visitor).filter(|_| whole)?;
                Some((count, Unit { word: at.clone(), at, nodes: vec![node], is_sure }))
            });
            let (count, unit) =
                together.map_or_else(|| (1, self.parts(query, first, visitor)), |(count, unit)| (count, vec![unit]));
            units.extend(unit);
            words = &words[count..];
        }
        units
    }

    /// Splits an unknown word. A Japanese word is split into the known words in it, a compound only if all its parts
    /// are known.
    fn parts(&self, query: &str, word: &Word, visitor: Lang) -> Vec<Unit> {
        let run = &query[word.at.clone()];
        if word.japanese {
            let parts: Vec<Range<usize>> = japanese::content(run)
                .into_iter()
                .map(|part| word.at.start + part.start..word.at.start + part.end)
                .collect();
            let ends = parts.iter().skip(1).map(|next| next.start).chain([word.at.end]);
            let unit = |(part, end): (&Range<usize>, usize)| {
                let known = self.find(&query[part.clone()], visitor);
                let is_sure = known.is_none_or(|(_, is_sure)| is_sure);
                let nodes = known.into_iter().map(|(node, _)| node).collect();
                Unit { at: part.start..end, word: part.clone(), nodes, is_sure }
            };
            return parts.iter().zip(ends).map(unit).collect();
        }
        let compound = text::langs_of(run, visitor).into_iter().find_map(|lang| {
            let key = text::key(run, lang);
            let known = self.by_key.get(&lang)?;
            key.contains(' ')
                .then(|| key.split(' ').map(|part| known.get(part).copied()).collect::<Option<Vec<Node>>>())?
        });
        vec![Unit { at: word.at.clone(), word: word.at.clone(), nodes: compound.unwrap_or_default(), is_sure: true }]
    }

    /// Returns the word, and whether it was found as typed.
    fn find(&self, text: &str, visitor: Lang) -> Option<(Node, bool)> {
        let by_key = |text: &str, lang: Lang| self.by_key.get(&lang)?.get(&text::key(text, lang)).copied();
        let by_root = |lang: Lang| self.by_root.get(&lang)?.get(&text::root(text, lang)?).copied();
        let langs = text::langs_of(text, visitor);
        let known = langs.iter().find_map(|lang| by_key(text, *lang));
        let by_form = || langs.iter().find_map(|lang| by_root(*lang));
        let by_reading = || {
            let words = readings::written(&text::spelled(text), visitor == Lang::Ja);
            words.into_iter().find_map(|word| by_key(word, Lang::Ja))
        };
        known.map(|node| (node, true)).or_else(|| Some((by_form().or_else(by_reading)?, false)))
    }
}

/// Quotes words, so that typos and prefixes don't match.
fn quoted(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| format!("\"{word}\"")).collect()
}

/// Returns the query with its units replaced by these words.
fn rewritten(query: &str, units: &[Unit], words: &[impl AsRef<str>]) -> String {
    let mut out = query.to_owned();
    for (unit, word) in units.iter().zip(words).rev() {
        // Add spaces, because Japanese words have none between them.
        out.replace_range(unit.at.clone(), &format!(" {} ", word.as_ref()));
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the query with each word as a phrase, in every distinct language variant.
pub fn literal_readings(query: &str, visitor: Lang) -> Vec<String> {
    let unit = |word: Word| Unit { at: word.at.clone(), word: word.at, nodes: Vec::new(), is_sure: true };
    let units: Vec<Unit> = plain_words(query).into_iter().map(unit).collect();
    let words: Vec<&str> = units.iter().map(|unit| &query[unit.word.clone()]).collect();
    text::all_readings(&rewritten(query, &units, &quoted(&words)), visitor)
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

    fn texts(query: &str, lang: Lang) -> Vec<String> {
        piano().alternatives(query, lang, 20).into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn alternatives_start_with_the_visitors_language() {
        assert_eq!(texts("пианино", Lang::En)[0], "piano");
        assert_eq!(texts("fortepian", Lang::De)[..2], ["Klavier", "piano"]);
        let hanoi = texts("klavier hanoi", Lang::Pl);
        assert!(hanoi.contains(&"piano hanoi".to_owned()) && hanoi.contains(&"ピアノ ハノイ".to_owned()), "{hanoi:?}");
        assert_eq!(texts("Klavierabend", Lang::En)[0], "piano evening");
        assert_eq!(texts("ピアノ -night", Lang::En)[0], "piano -night");
        assert_eq!(texts("coffee shops", Lang::En)[0], "café");
        assert_eq!(texts("ハノイのピアノ", Lang::En)[0], "Hanoi piano");
        assert_eq!(texts("nevando", Lang::En)[0], "snow", "by its root");
        assert_eq!(texts("でんしゃ", Lang::En), ["電車", "列車"], "by its reading");
        assert_eq!((texts("densha", Lang::Ja), texts("densha", Lang::En).len()), (texts("でんしゃ", Lang::Ja), 0));
        assert_eq!(texts("zeppelin", Lang::En), [""; 0]);
    }

    #[test]
    fn alternatives_match_whole_words() {
        let first = &piano().alternatives("klavier zeppelin -night", Lang::En, 1)[0];
        assert_eq!(first.reading, text::query("-night \"piano\" \"zeppelin\"", Lang::En));
        assert_eq!(literal_readings("piano hanoi", Lang::En)[0], text::query("\"piano\" \"hanoi\"", Lang::En));
    }
}
