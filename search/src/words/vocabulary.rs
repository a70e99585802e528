//! The words from titles in memory, with lookup by form, similarity and reading.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
};

use lantern_catalog::words::WordList;
use lantern_config::Lang;
use lantern_index::text::{self, Word, japanese, keys, readings};
use time::OffsetDateTime;

use crate::spelling::{FAST_TYPO_COST, KnownSpelling, TYPO_COST, cost_within, max_cost};

/// Maximum number of letters in which similar words of any length may differ.
const MAX_DIFFERENT_LETTERS: usize = 3;

/// Languages in which compounds are written as one word.
const COMPOUNDING: [Lang; 2] = [Lang::De, Lang::Nl];
/// Minimum number of letters in a part of a compound. Shorter words occur within many unrelated ones.
const MIN_PART_LETTERS: usize = 4;
/// Linking letters between two parts of a compound.
const LINKS: [&str; 6] = ["", "s", "es", "n", "en", "e"];
/// Minimum number of kana in a word. Shorter runs of kana are particles between words.
const MIN_KANA: usize = 3;
/// Maximum number of other forms to try in place of a word.
const MAX_FORMS: usize = 3;

/// Number of videos below which a word may be a misspelling of a more frequent one.
const MAX_RARE: i64 = 5;
/// Number of times that a word must be more frequent than a similar rare one.
const RIVAL_RATIO: i64 = 10;

/// The words in a language by number of letters, which limits the number of comparisons.
type WordsByLength = BTreeMap<usize, Vec<KnownWord>>;

struct KnownWord {
    spelled: String,
    written: String,
    /// One bit per letter. If many bits differ between two words, the words needn't be compared in detail.
    letters: u64,
    videos: i64,
}

impl KnownWord {
    fn new(spelled: String, written: &str, videos: i64) -> Self {
        Self { letters: letter_bits(&spelled), videos, written: written.to_owned(), spelled }
    }
}

fn add(lexicon: &mut WordsByLength, word: KnownWord) {
    lexicon.entry(word.spelled.chars().count()).or_default().push(word);
}

/// The words of all languages.
#[derive(Default)]
pub struct Vocabulary {
    pub learned_at: Option<OffsetDateTime>,
    lexicons: HashMap<Lang, WordsByLength>,
    /// Sorted spellings of all words.
    spelled: Vec<String>,
    /// Keys that all forms of a word share, for words and for parts of compounds.
    keys: HashMap<Lang, HashMap<String, i64>>,
    /// Keys of compounds.
    compounds: HashMap<Lang, HashSet<String>>,
    /// Words, and parts of compounds, by root: the key and spelling of each distinct word, those with the most videos first.
    roots: HashMap<Lang, HashMap<String, Vec<(String, String)>>>,
    /// Words by spelling, sorted, with their numbers of videos.
    sorted: HashMap<Lang, Vec<(String, String, i64)>>,
    /// Japanese kana words by pronunciation, each with its number of videos.
    sounds: HashMap<String, Vec<(String, i64)>>,
    /// Japanese words by reading, sorted, with their numbers of videos.
    readings: Vec<(&'static str, &'static str, i64)>,
    /// Words of the models' names, which belong to no language.
    names: WordsByLength,
    /// Sorted spellings of these words.
    sorted_names: Vec<String>,
    /// Whole names.
    whole_names: WordsByLength,
    /// Keys of whole names.
    whole_name_keys: HashSet<String>,
}

impl Vocabulary {
    /// Creates a vocabulary of words from titles and of models' names.
    pub fn new(lists: &[WordList], names: &[String]) -> Self {
        let mut vocabulary = Self { learned_at: lists.iter().map(|list| list.learned_at).max(), ..Self::default() };
        for WordList { lang, list, .. } in lists {
            let Ok(lang) = lang.parse() else { continue };
            let lexicon = vocabulary.lexicons.entry(lang).or_default();
            let keys = vocabulary.keys.entry(lang).or_default();
            // A part of a compound is a word, too.
            let mut parts: BTreeMap<String, i64> = BTreeMap::new();
            for (written, videos) in list.lines().filter_map(|line| line.split_once('\t')) {
                let spelled = text::spelled(written);
                let key = text::key(written, lang);
                vocabulary.spelled.push(spelled.clone());
                let count = videos.parse().unwrap_or(1);
                if COMPOUNDING.contains(&lang) && key.contains(' ') {
                    vocabulary.compounds.entry(lang).or_default().insert(key.clone());
                }
                for part in key.split(' ') {
                    *keys.entry(part.to_owned()).or_default() += count;
                    if COMPOUNDING.contains(&lang) && part.len() < key.len() {
                        *parts.entry(part.to_owned()).or_default() += count;
                    }
                }
                vocabulary.sorted.entry(lang).or_default().push((spelled.clone(), written.to_owned(), count));
                let sound = || readings::sound(written, false).filter(|_| written.chars().count() >= MIN_KANA);
                if lang == Lang::Ja
                    && let Some(sound) = sound()
                {
                    let videos = videos.parse().unwrap_or(1);
                    vocabulary.sounds.entry(sound).or_default().push((written.to_owned(), videos));
                }
                add(lexicon, KnownWord::new(spelled, written, count));
            }
            for (part, count) in parts {
                if find(lexicon, &part).is_none() {
                    add(lexicon, KnownWord::new(part.clone(), &part, count));
                }
            }
        }
        for name in names {
            let words: Vec<String> = text::plain_words(name).into_iter().map(|word| word.spelled).collect();
            vocabulary.whole_name_keys.insert(keys::whole_name_key(name));
            add(&mut vocabulary.whole_names, KnownWord::new(words.join(" "), name, 1));
        }
        for written in names.iter().flat_map(|name| text::title_words(name)).collect::<BTreeSet<_>>() {
            let spelled = text::spelled(&written);
            vocabulary.spelled.push(spelled.clone());
            vocabulary.sorted_names.push(spelled.clone());
            add(&mut vocabulary.names, KnownWord::new(spelled, &written, 1));
        }
        vocabulary.sorted_names.sort_unstable();
        vocabulary.spelled.sort_unstable();
        vocabulary.spelled.dedup();
        vocabulary.roots = vocabulary.sorted.iter().map(|(lang, words)| (*lang, by_root(words, *lang))).collect();
        vocabulary.sorted.values_mut().for_each(|words| words.sort_unstable());
        if let Some(japanese) = vocabulary.keys.get(&Lang::Ja) {
            let known = |(reading, word)| japanese.get(word).map(|videos| (reading, word, *videos));
            vocabulary.readings = readings::all().filter_map(known).collect();
            vocabulary.readings.sort_unstable();
        }
        vocabulary
    }

    fn contains(&self, spelled: &str) -> bool {
        self.lower_bound(spelled).is_some_and(|word| word == spelled)
    }

    /// Returns the first word that is not less than this one.
    fn lower_bound(&self, spelled: &str) -> Option<&String> {
        self.spelled.get(self.spelled.partition_point(|word| word.as_str() < spelled))
    }

    /// Whether titles in the language have a form of the word, or a form of each part of a compound.
    pub fn knows(&self, word: &str, lang: Lang) -> bool {
        self.keys.get(&lang).is_some_and(|keys| text::key(word, lang).split(' ').all(|key| keys.contains_key(key)))
    }

    /// Whether titles in the language have a form of the word as a whole, even if it is a compound.
    pub fn knows_whole(&self, word: &str, lang: Lang) -> bool {
        let key = text::key(word, lang);
        match key.contains(' ') {
            true => self.compounds.get(&lang).is_some_and(|compounds| compounds.contains(&key)),
            false => self.knows(word, lang),
        }
    }

    /// Whether a title in the language has exactly this word.
    pub fn has_spelling(&self, spelled: &str, lang: Lang) -> bool {
        self.sorted
            .get(&lang)
            .is_some_and(|words| words.binary_search_by(|(word, ..)| word.as_str().cmp(spelled)).is_ok())
    }

    /// Whether a model's name has exactly this word.
    pub fn is_name(&self, spelled: &str) -> bool {
        self.sorted_names.binary_search_by(|name| name.as_str().cmp(spelled)).is_ok()
    }

    /// Whether a model has this name, in either order.
    pub fn is_whole_name(&self, name: &str) -> bool {
        !name.contains(japanese::is_japanese) && self.whole_name_keys.contains(&keys::whole_name_key(name))
    }

    /// Returns at most `most` words of models' names that begin with these letters.
    pub fn names_beginning_with(&self, spelled: &str, most: usize) -> impl Iterator<Item = &str> {
        let from = self.sorted_names.partition_point(|name| name.as_str() < spelled);
        let found = self.sorted_names[from..].iter().take_while(move |name| name.starts_with(spelled));
        found.take(most).map(String::as_str)
    }

    /// Returns the words of the language that begin with these letters, those with the most videos first.
    pub fn beginning_with(&self, spelled: &str, lang: Lang, most: usize) -> Vec<(&str, i64)> {
        let Some(words) = self.sorted.get(&lang) else { return Vec::new() };
        let from = words.partition_point(|(word, ..)| word.as_str() < spelled);
        let found = words[from..].iter().take_while(|(word, ..)| word.starts_with(spelled));
        let mut found: Vec<(&str, i64)> = found.map(|(_, written, videos)| (written.as_str(), *videos)).collect();
        found.sort_by_key(|(_, videos)| Reverse(*videos));
        found.truncate(most);
        found
    }

    /// Returns the Japanese words whose reading begins with these kana, those with the most videos first.
    pub fn read_as(&self, kana: &str, most: usize) -> Vec<(&str, i64)> {
        let from = self.readings.partition_point(|(reading, ..)| *reading < kana);
        let found = self.readings[from..].iter().take_while(|(reading, ..)| reading.starts_with(kana));
        let mut found: Vec<(&str, i64)> = found.map(|(_, word, videos)| (*word, *videos)).collect();
        found.sort_by_key(|(word, videos)| (Reverse(*videos), *word));
        found.dedup();
        found.truncate(most);
        found
    }

    /// Returns words with the same root and a different stem, those with the most videos first, then parts of compounds
    /// with the same property.
    pub fn forms(&self, word: &str, lang: Lang) -> Vec<&str> {
        let (Some(root), Some(roots)) = (text::root(word, lang), self.roots.get(&lang)) else { return Vec::new() };
        let own = text::key(word, lang);
        let Some(forms) = roots.get(&root) else { return Vec::new() };
        let initial = root.chars().next();
        let is_form =
            |(key, written): &&(String, String)| *key != own && text::spelled(written).chars().next() == initial;
        let forms = forms.iter().filter(is_form);
        forms.take(MAX_FORMS).map(|(_, written)| written.as_str()).collect()
    }

    /// Splits an unknown compound into two words of titles.
    pub fn split_compound<'a>(&self, spelled: &'a str, lang: Lang) -> Option<[&'a str; 2]> {
        if !COMPOUNDING.contains(&lang) || self.knows(spelled, lang) {
            return None;
        }
        let keys = self.keys.get(&lang)?;
        let is_word =
            |part: &str| part.chars().count() >= MIN_PART_LETTERS && keys.contains_key(&text::key(part, lang));
        spelled.char_indices().skip(1).find_map(|(at, _)| {
            let (head, tail) = spelled.split_at(at);
            let head = LINKS.iter().filter_map(|link| head.strip_suffix(link)).find(|head| is_word(head))?;
            is_word(tail).then_some([head, tail])
        })
    }

    /// Returns the most frequent word in titles with this reading. Latin letters count as romaji only for Japanese
    /// visitors.
    pub fn written(&self, word: &Word, lang: Lang) -> Option<&str> {
        if self.contains(&word.spelled) {
            return None;
        }
        let (lexicon, romaji) = (self.lexicons.get(&Lang::Ja)?, lang == Lang::Ja);
        let videos = |written: &str| {
            let words = japanese::content(written);
            words
                .into_iter()
                .map(|at| find(lexicon, &text::spelled(&written[at])).map_or(0, |entry| entry.videos))
                .min()
        };
        // A long vowel is written with `ー` only in words that have no kanji.
        let kanji = readings::written(&word.spelled, romaji).into_iter().filter(|_| !word.spelled.contains('ー'));
        let kanji = kanji.map(|written| (videos(written), written));
        let kana = readings::sound(&word.spelled, romaji).and_then(|sound| self.sounds.get(&sound));
        let kana = kana.into_iter().flatten().map(|(written, videos)| (Some(*videos), written.as_str()));
        let known: Vec<(Option<i64>, &str)> = kanji.chain(kana).filter(|(videos, _)| *videos > Some(0)).collect();
        known.into_iter().rev().max_by_key(|(videos, _)| *videos).map(|(_, written)| written)
    }

    /// Returns a word with nearly the same letters that has at least [`RIVAL_RATIO`] times as many videos, if the word is rare.
    pub fn rival(&self, word: &Word, lang: Lang) -> Option<&str> {
        let lexicon = self.lexicons.get(&lang)?;
        let videos = find(lexicon, &word.spelled).map(|known| known.videos).filter(|videos| *videos < MAX_RARE)?;
        let chars: Vec<char> = word.spelled.chars().collect();
        let near = lexicon.range(chars.len().saturating_sub(1)..=chars.len() + 1).flat_map(|(_, known)| known);
        let near = near.filter(|known| known.videos >= videos * RIVAL_RATIO && known.spelled != word.spelled);
        let letters = letter_bits(&word.spelled);
        let near = near.filter(|known| {
            if differing_letters(letters, known.letters) > 1 {
                return false;
            }
            let other: Vec<char> = known.spelled.chars().collect();
            cost_within(&chars, &other, max_cost(chars.len(), other.len(), false).min(TYPO_COST)).is_some()
        });
        near.max_by_key(|known| (known.videos, Reverse(&known.written))).map(|known| known.written.as_str())
    }

    /// Whether titles in any language, or names, have exactly this word.
    pub fn has(&self, spelled: &str) -> bool {
        self.contains(spelled)
    }

    /// Returns the nearest whole names.
    pub fn near_names(&self, words: &[Word]) -> Vec<KnownSpelling> {
        let spelled = words.iter().map(|word| word.spelled.as_str()).collect::<Vec<_>>().join(" ");
        nearest([&self.whole_names].into_iter(), &Word { spelled, ..words[0].clone() })
    }

    /// Returns the word itself if it is known, otherwise the nearest words in the language or in names, otherwise those in any other
    /// language.
    pub fn near(&self, word: &Word, lang: Lang) -> Vec<KnownSpelling> {
        let own = self.lexicons.get(&lang).into_iter().chain([&self.names]);
        let others = || self.lexicons.iter().filter(|(of, _)| **of != lang).map(|(_, lexicon)| lexicon);
        if self.contains(&word.spelled) {
            return vec![KnownSpelling { title: word.spelled.clone(), weight: i64::MAX }];
        }
        let found = nearest(own, word);
        if found.is_empty() { nearest(others(), word) } else { found }
    }
}

/// Returns the words by root, those with the most videos first. In languages that write compounds as one word, their parts follow.
fn by_root(words: &[(String, String, i64)], lang: Lang) -> HashMap<String, Vec<(String, String)>> {
    let mut words: Vec<&(String, String, i64)> = words.iter().collect();
    words.sort_by_key(|(_, written, videos)| (Reverse(*videos), written));
    let whole = words.iter().map(|(_, written, _)| (text::key(written, lang), written.clone()));
    let parts = || {
        let keys: BTreeSet<String> = words
            .iter()
            .flat_map(|(_, written, _)| text::key(written, lang).split(' ').map(str::to_owned).collect::<Vec<_>>())
            .collect();
        keys.into_iter().map(|key| (key.clone(), key)).collect::<Vec<_>>()
    };
    let parts = if COMPOUNDING.contains(&lang) { parts() } else { Vec::new() };
    let (mut roots, mut seen) = (HashMap::<String, Vec<(String, String)>>::new(), HashSet::new());
    for (key, written) in whole.chain(parts) {
        if let Some(root) = text::root(&written, lang).filter(|_| seen.insert(key.clone())) {
            roots.entry(root).or_default().push((key, written));
        }
    }
    roots
}

fn letter_bits(spelled: &str) -> u64 {
    spelled.chars().fold(0, |letters, c| letters | 1 << (u32::from(c) % 64))
}

/// Returns the minimum number of typos between two words with these letters. Each differing bit is a letter that one of them lacks.
fn differing_letters(one: u64, other: u64) -> usize {
    let [more, fewer] = [one & !other, other & !one].map(u64::count_ones);
    more.max(fewer) as usize
}

fn find<'a>(lexicon: &'a WordsByLength, spelled: &str) -> Option<&'a KnownWord> {
    lexicon.get(&spelled.chars().count())?.iter().find(|entry| entry.spelled == spelled)
}

/// Returns the words with the lowest typo cost.
fn nearest<'a>(lexicons: impl Iterator<Item = &'a WordsByLength>, word: &Word) -> Vec<KnownSpelling> {
    let chars: Vec<char> = word.spelled.chars().collect();
    let letters = letter_bits(&word.spelled);
    let (mut least, mut found, mut known) = (usize::MAX, Vec::new(), Vec::new());
    if chars.iter().any(|c| c.is_numeric()) {
        return found;
    }
    let lengths = chars.len().saturating_sub(MAX_DIFFERENT_LETTERS)..=chars.len() + MAX_DIFFERENT_LETTERS;
    for (length, entries) in lexicons.flat_map(|lexicon| lexicon.range(lengths.clone())) {
        let allowed = max_cost(chars.len(), *length, word.japanese);
        for entry in entries {
            let most = allowed.min(least);
            if differing_letters(letters, entry.letters) > most / FAST_TYPO_COST {
                continue;
            }
            known.clear();
            known.extend(entry.spelled.chars());
            let Some(cost) = cost_within(&chars, &known, most) else { continue };
            if cost < least {
                (least, found) = (cost, Vec::new());
            }
            found.push(KnownSpelling { title: entry.written.clone(), weight: entry.videos });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use lantern_index::text::plain_words;

    use super::*;

    fn vocabulary(lists: &[(&str, &str)]) -> Vocabulary {
        let learned_at = OffsetDateTime::UNIX_EPOCH;
        let list =
            |(lang, list): &(&str, &str)| WordList { lang: (*lang).to_owned(), list: (*list).to_owned(), learned_at };
        Vocabulary::new(&lists.iter().map(list).collect::<Vec<_>>(), &["Yuki Mori".to_owned()])
    }

    #[test]
    fn nearest_words_prefer_the_visitors_language() {
        let vocabulary = vocabulary(&[
            ("en", "harbour\t9\nkimono\t4\ncafé\t3\nhabour\t1\n"),
            ("de", "hafen\t7\nhaben\t2\nlaufen\t1\n"),
            ("ja", "カフェ\t2\n"),
        ]);
        for (typed, lang, near) in [
            ("hafwn", Lang::De, &["hafen"][..]),
            ("haven", Lang::De, &["hafen", "haben"]),
            ("kinomo", Lang::De, &["kimono"]),
            ("hrabour", Lang::En, &["harbour"]),
            ("cfae", Lang::En, &["café"]),
            ("カフエ", Lang::Ja, &["カフェ"]),
            ("submarine", Lang::En, &[]),
            ("yuky", Lang::De, &["yuki"]),
            ("haf", Lang::De, &[]),
        ] {
            let found = vocabulary.near(&plain_words(typed)[0], lang);
            let titles: Vec<&str> = found.iter().map(|known| known.title.as_str()).collect();
            assert_eq!(titles, near, "{typed}");
        }
        let known = vocabulary.near(&plain_words("LAUFEN")[0], Lang::En);
        assert_eq!(
            known,
            [KnownSpelling { title: "laufen".to_owned(), weight: i64::MAX }],
            "a known word of any language stays as it is"
        );
    }

    #[test]
    fn unknown_compounds_are_split_by_words_of_titles() {
        let vocabulary =
            vocabulary(&[("de", "funkturm\t3\nturm\t1\nbernsteinsonate\t2\nbernstein\t1\nsonate\t1\ntürmer\t1\n")]);
        assert_eq!(vocabulary.split_compound("bernsteinturm", Lang::De), Some(["bernstein", "turm"]));
        assert_eq!(vocabulary.split_compound("turmbernstein", Lang::En), None);
        assert_eq!(vocabulary.split_compound("funkturm", Lang::De), None, "known from titles");
    }

    #[test]
    fn forms_of_a_word_share_its_root() {
        let vocabulary = vocabulary(&[
            ("ru", "танец\t3\nтанцы\t5\nтанго\t9\n"),
            ("es", "nieve\t2\nnave\t3\n"),
            ("en", "hike\t1\n"),
            ("nl", "bergwandeling\t2\n"),
        ]);
        for (typed, lang, forms) in [
            ("wandelen", Lang::Nl, &["wandeling"][..]),
            ("танцует", Lang::Ru, &["танцы"]),
            ("nevando", Lang::Es, &["nieve"]),
            ("nevando", Lang::En, &[]),
            ("hiking", Lang::En, &[]),
            ("nieves", Lang::Es, &[]),
        ] {
            assert_eq!(vocabulary.forms(typed, lang), forms, "{typed}");
        }
    }

    #[test]
    fn word_is_known_if_titles_have_a_form_of_it() {
        let vocabulary = vocabulary(&[("de", "strandspaziergang\t3\n"), ("it", "sciare\t1\n")]);
        for (word, lang, known) in [
            ("Spaziergänge", Lang::De, true),
            ("Strandspaziergänge", Lang::De, true),
            ("sciare", Lang::De, false),
            ("sciare", Lang::It, true),
            ("sciare", Lang::Fr, false),
        ] {
            assert_eq!(vocabulary.knows(word, lang), known, "{word}");
        }
    }

    #[test]
    fn reading_becomes_the_most_frequent_word() {
        let vocabulary = vocabulary(&[
            ("ja", "京都\t4\n灯\t2\n東台\t1\n灯台\t3\nすいか\t1\nスキー\t2\nから\t9\n"),
            ("en", "kyoto\t2\n"),
        ]);
        for (typed, lang, written) in [
            ("きょうと", Lang::En, Some("京都")),
            ("キョウト", Lang::Ja, Some("京都")),
            ("toudai", Lang::Ja, Some("灯台")),
            ("toudai", Lang::En, None),
            ("あかり", Lang::Ja, Some("灯")),
            ("すいか", Lang::Ja, None),
            ("sukii", Lang::Ja, Some("スキー")),
            ("すきい", Lang::En, Some("スキー")),
            ("sukii", Lang::En, None),
            ("kara", Lang::Ja, None),
            ("kyoto", Lang::Ja, None),
            ("さくら", Lang::Ja, None),
        ] {
            assert_eq!(vocabulary.written(&plain_words(typed)[0], lang), written, "{typed}");
        }
    }
}
