//! Draws queries by rule from the titles, labels and names in a corpus, for each visitor language and class of query.

use std::collections::{BTreeMap, BTreeSet};

use lantern_config::Lang;

use super::{
    dice::Dice,
    grade::Sought,
    source::{Query, Source},
    spell::{misspelled, plainly},
    words::{Concept, Text, is_japanese, is_katakana, words},
};

/// Number of queries per class, language and corpus. If a class has two kinds, half of them are of each kind.
const DRAWN: usize = 6;
/// Length of the longest query that fits the search box, in characters.
const BOX: usize = 69;
/// Words shorter than `SHORT` are not misspelled, and words shorter than `LONG` get one error.
const SHORT: usize = 4;
const LONG: usize = 6;
/// Number of frequent words in a language, and number of words of medium frequency.
const FREQUENT: usize = 10;
const MIDDLE: usize = 20;

type Rule = fn(&Source, &mut Dice) -> Vec<Query>;

const CLASSES: [(&str, Rule); 9] = [
    ("word", word),
    ("inflected", inflected),
    ("misspelled", misspelling),
    ("script", script),
    ("other_language", other_language),
    ("category", category),
    ("model", model),
    ("two_subjects", two_subjects),
    ("title", title),
];

/// Returns every query in a language with its class. The result is deterministic.
pub fn draw(name: &str, source: &Source) -> Vec<(&'static str, Query)> {
    let mut all = Vec::new();
    for (class, rule) in CLASSES {
        let mut seen = BTreeSet::new();
        let queries = rule(source, &mut Dice::new(&format!("{name} {} {class}", source.lang))).into_iter();
        let queries: Vec<Query> = queries.filter(|(text, _)| seen.insert(text.clone())).take(DRAWN).collect();
        assert_eq!(queries.len(), DRAWN, "{name} {} {class}: too few candidates: {seen:?}", source.lang);
        all.extend(queries.into_iter().map(|query| (class, query)));
    }
    all
}

fn word(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let mut ranked: Vec<(&String, usize)> = source.counts.iter().map(|(word, count)| (word, *count)).collect();
    ranked.sort_by_key(|(word, count)| (usize::MAX - count, *word));
    let rare = ranked.split_off(FREQUENT + MIDDLE);
    let middle = ranked.split_off(FREQUENT);
    let bins = [rare, middle, ranked].into_iter().flat_map(|bin| dice.some(bin, DRAWN / 3));
    bins.map(|(word, _)| source.query(word, word)).collect()
}

fn inflected(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let groups = dice.some(source.variants(&source.lexicon.forms), DRAWN);
    groups.into_iter().map(|forms| source.member(dice.pick(&forms).clone())).collect()
}

fn misspelling(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let is_typed = |word: &&String| word.chars().count() >= SHORT && (!is_japanese(word) || is_katakana(word));
    let known: Vec<&String> = source.counts.keys().filter(is_typed).collect();
    let letters: Vec<char> = known.iter().flat_map(|word| word.chars()).collect::<BTreeSet<_>>().into_iter().collect();
    let words = dice.some(known, DRAWN);
    let slip = |word: &String| {
        let slips = if word.chars().count() >= LONG && dice.percent(50) { 2 } else { 1 };
        loop {
            let typed = misspelled(dice, word, slips, &letters);
            if typed != *word && !source.counts.contains_key(&typed) {
                return source.query(typed, word);
            }
        }
    };
    words.into_iter().map(slip).collect()
}

fn script(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let plain = |text: &str| plainly(text).into_iter().map(|way| source.query(way, text)).collect::<Vec<_>>();
    let words = source.counts.keys().flat_map(|word| plain(word));
    let names = source.names().into_iter().flat_map(|name| plain(&name.to_lowercase()));
    let spelled = source.variants(&source.lexicon.spellings).into_iter().flatten().map(|form| source.member(form));
    // Two words may become equal when their accents are removed.
    dice.some(words.chain(names).chain(spelled).collect(), 2 * DRAWN)
}

/// Returns words from translations that occur in no title that the visitor sees.
fn other_language(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let mut all = BTreeMap::new();
    for (_, video) in &source.corpus.videos {
        let seen: Text = [source.lang.as_str(), &video.by]
            .iter()
            .filter_map(|lang| video.titles.get(*lang))
            .map(|title| Text::new(title))
            .collect();
        for lang in Lang::ALL.iter().filter(|lang| **lang != source.lang && lang.as_str() != video.by) {
            let Some(title) = video.titles.get(lang.as_str()) else { continue };
            let lexicon = &source.lexicons[lang];
            for word in words(title, lexicon).into_iter().filter(|word| !Concept::alone(word).is_in(&seen, source.lang))
            {
                let words = vec![Concept::of(&word, lexicon)];
                all.insert(word, Sought { words, other: Some(*lang), ..Sought::default() });
            }
        }
    }
    dice.some(all.into_iter().collect(), DRAWN)
}

fn category(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let labels = source.corpus.names.categories.values().map(|titles| &titles[source.lang.as_str()]);
    // A single kanji is not a query.
    let labels = labels.filter(|label| label.chars().count() > 1);
    dice.some(labels.map(|label| source.query(label, label)).collect(), DRAWN)
}

fn model(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let names = source.names();
    let first: BTreeSet<&str> = names.iter().filter_map(|name| name.split_once(' ')).map(|(first, _)| first).collect();
    let mut all = dice.some(names, DRAWN / 2);
    all.extend(dice.some(first.into_iter().collect(), DRAWN / 2));
    all.into_iter().map(|name| source.query(name, name)).collect()
}

/// Returns words from two titles, or a word from a title together with a category of the same video.
fn two_subjects(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let both = |(typed, sought): Query| (typed, Sought { partly: true, ..sought });
    let mut all: Vec<Query> = Vec::new();
    while all.len() < DRAWN / 2 {
        let [one, other] = [(); 2].map(|()| dice.pick(&source.titles));
        let (Some(a), Some(b)) = (one.1.first(), other.1.last()) else { continue };
        if !one.1.contains(b) && !other.1.contains(a) {
            let text = format!("{a} {b}");
            all.push(both(source.query(text.clone(), &text)));
        }
    }
    while all.len() < DRAWN {
        let (_, video) = dice.pick(&source.corpus.videos);
        let Some(title) = video.titles.get(source.lang.as_str()) else { continue };
        let words = words(title, source.lexicon);
        if words.is_empty() || video.categories.is_empty() {
            continue;
        }
        let word = dice.pick(&words);
        let label = &source.corpus.names.categories[dice.pick(&video.categories)][source.lang.as_str()];
        let words = [source.words_of(word), source.words_of(label)].concat();
        all.push(both((format!("{word} {}", label.to_lowercase()), Sought { words, ..Sought::default() })));
    }
    all
}

fn title(source: &Source, dice: &mut Dice) -> Vec<Query> {
    let titles: BTreeSet<&str> = source.titles.iter().map(|(title, _)| *title).collect();
    let titles = dice.some(titles.into_iter().collect(), 2 * DRAWN).into_iter().enumerate();
    let of = |(at, title): (usize, &str)| {
        let typed = if at % 2 == 0 { title.to_owned() } else { first_half(title) };
        let typed: String = typed.chars().take(BOX).collect();
        let words = source.words_of(&typed);
        (typed, Sought { words, title: Some(title.to_owned()), ..Sought::default() })
    };
    titles.map(of).collect()
}

/// Returns the first half of a title, by words or, if it is a single word, by characters.
fn first_half(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    if words.len() > 1 {
        return words[..words.len().div_ceil(2)].join(" ");
    }
    // A single character is not a query.
    title.chars().take(title.chars().count().div_ceil(2).max(2)).collect()
}
