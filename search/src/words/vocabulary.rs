//! The words of titles in memory: which of them a word is, is near to, or is the reading of.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use lantern_catalog::words::WordList;
use lantern_config::Lang;
use lantern_index::text::{self, Word, readings};
use time::OffsetDateTime;

use crate::spelling::{FAST, KnownSpelling, allowed_between, differ};

/// Letters that differ at most between words of any length.
const MOST_LETTERS: usize = 3;

/// Languages that write compounds as one word.
const COMPOUNDING: [Lang; 2] = [Lang::De, Lang::Nl];
/// Letters of a part at least; shorter words stand within many that have nothing to do with them.
const PART: usize = 4;
/// Letters between two parts.
const LINKS: [&str; 6] = ["", "s", "es", "n", "en", "e"];
/// Kana of a word at least; those between other words have fewer.
const KANA: usize = 3;
/// Compounds that are looked for instead of a part.
const MOST_COMPOUNDS: usize = 4;
/// Other forms that are looked for instead of a word.
const MOST_FORMS: usize = 3;

/// What is known of a language: its words by their number of letters, so that few are compared.
type WordsByLength = BTreeMap<usize, Vec<KnownWord>>;

struct KnownWord {
    spelled: String,
    written: String,
    /// A bit for each letter: words that differ in many of them are not compared letter by letter.
    letters: u64,
    videos: i64,
}

/// All words.
#[derive(Default)]
pub struct Vocabulary {
    pub learned_at: Option<OffsetDateTime>,
    lexicons: HashMap<Lang, WordsByLength>,
    /// The spellings of all words, in order.
    spelled: Vec<String>,
    /// What forms of a word have in common, of words and of parts of compounds.
    keys: HashMap<Lang, HashSet<String>>,
    /// Japanese words in kana by how they sound, with their number of videos.
    sounds: HashMap<String, Vec<(String, i64)>>,
    /// Words that may be compounds.
    long: HashMap<Lang, Vec<Long>>,
}

/// A word that is long enough for two parts, and isn't known to have them.
struct Long {
    key: String,
    written: String,
    videos: i64,
}

impl Vocabulary {
    pub fn new(lists: &[WordList]) -> Self {
        let mut vocabulary = Self { learned_at: lists.iter().map(|list| list.learned_at).max(), ..Self::default() };
        for WordList { lang, list, .. } in lists {
            let Ok(lang) = lang.parse() else { continue };
            let lexicon = vocabulary.lexicons.entry(lang).or_default();
            let keys = vocabulary.keys.entry(lang).or_default();
            for (written, videos) in list.lines().filter_map(|line| line.split_once('\t')) {
                let spelled = text::spelled(written);
                let key = text::key(written, lang);
                vocabulary.spelled.push(spelled.clone());
                keys.extend(key.split(' ').map(str::to_owned));
                if COMPOUNDING.contains(&lang) && spelled.chars().count() >= 2 * PART && !key.contains(' ') {
                    let videos = videos.parse().unwrap_or(1);
                    vocabulary.long.entry(lang).or_default().push(Long { key, written: written.to_owned(), videos });
                }
                let sound = || readings::sound(written, false).filter(|_| written.chars().count() >= KANA);
                if lang == Lang::Ja
                    && let Some(sound) = sound()
                {
                    let videos = videos.parse().unwrap_or(1);
                    vocabulary.sounds.entry(sound).or_default().push((written.to_owned(), videos));
                }
                let entry = KnownWord {
                    letters: letters(&spelled),
                    videos: videos.parse().unwrap_or(1),
                    written: written.to_owned(),
                    spelled,
                };
                lexicon.entry(entry.spelled.chars().count()).or_default().push(entry);
            }
        }
        vocabulary.spelled.sort_unstable();
        vocabulary.spelled.dedup();
        vocabulary
    }

    /// Whether a title of any language has the word, or a longer one that begins with it.
    pub fn begins(&self, spelled: &str) -> bool {
        self.not_before(spelled).is_some_and(|word| word.starts_with(spelled))
    }

    fn has(&self, spelled: &str) -> bool {
        self.not_before(spelled).is_some_and(|word| word == spelled)
    }

    /// The first word that isn't before this one.
    fn not_before(&self, spelled: &str) -> Option<&String> {
        self.spelled.get(self.spelled.partition_point(|word| word.as_str() < spelled))
    }

    /// Whether titles of the language have a form of the word, or of each part of a compound.
    pub fn knows(&self, word: &str, lang: Lang) -> bool {
        self.keys.get(&lang).is_some_and(|keys| text::key(word, lang).split(' ').all(|key| keys.contains(key)))
    }

    /// Words of titles that begin or end with the word, those of most videos first: compounds that have it as a part.
    pub fn compounds(&self, word: &str, lang: Lang) -> Vec<&str> {
        let part = text::key(word, lang);
        let Some(long) = self.long.get(&lang).filter(|_| part.chars().count() >= PART) else { return Vec::new() };
        let rest = |long: &Long| {
            long.key.strip_suffix(&part).or_else(|| long.key.strip_prefix(&part)).map(|rest| rest.chars().count())
        };
        let mut found: Vec<&Long> = long.iter().filter(|long| rest(long).is_some_and(|rest| rest >= PART)).collect();
        found.sort_by_key(|long| (Reverse(long.videos), &long.written));
        found.into_iter().take(MOST_COMPOUNDS).map(|long| long.written.as_str()).collect()
    }

    /// Words of titles that have the root of a word and another stem, those of most videos first, then parts of compounds: other forms of it,
    /// and what is made of them.
    pub fn forms(&self, word: &str, lang: Lang) -> Vec<&str> {
        let (Some(root), Some(lexicon)) = (text::root(word, lang), self.lexicons.get(&lang)) else { return Vec::new() };
        let (key, initial) = (text::key(word, lang), root.chars().next());
        let is_form = |known: &&KnownWord| {
            known.spelled.chars().next() == initial && text::root(&known.written, lang).as_ref() == Some(&root)
        };
        let mut found: Vec<&KnownWord> = lexicon.values().flatten().filter(is_form).collect();
        found.sort_by_key(|known| (Reverse(known.videos), &known.written));
        let mut seen = HashSet::from([key]);
        let forms = found.into_iter().filter(|known| seen.insert(text::key(&known.written, lang)));
        let mut forms: Vec<&str> = forms.map(|known| known.written.as_str()).collect();
        let is_part = |part: &&String| {
            part.chars().next() == initial && text::root(part, lang).as_ref() == Some(&root) && !seen.contains(*part)
        };
        let keys = self.keys.get(&lang).filter(|_| COMPOUNDING.contains(&lang));
        let mut parts: Vec<&String> = keys.into_iter().flatten().filter(is_part).collect();
        parts.sort_unstable();
        forms.extend(parts.into_iter().map(String::as_str));
        forms.truncate(MOST_FORMS);
        forms
    }

    /// The two words of titles that a word no title has is made of.
    pub fn apart<'a>(&self, spelled: &'a str, lang: Lang) -> Option<[&'a str; 2]> {
        if !COMPOUNDING.contains(&lang) || self.knows(spelled, lang) {
            return None;
        }
        let keys = self.keys.get(&lang)?;
        let is_word = |part: &str| part.chars().count() >= PART && keys.contains(&text::key(part, lang));
        spelled.char_indices().skip(1).find_map(|(at, _)| {
            let (head, tail) = spelled.split_at(at);
            let head = LINKS.iter().filter_map(|link| head.strip_suffix(link)).find(|head| is_word(head))?;
            is_word(tail).then_some([head, tail])
        })
    }

    /// The word that titles have most often of those that are read so. Latin letters are romaji for Japanese visitors alone.
    pub fn written(&self, word: &Word, lang: Lang) -> Option<&str> {
        if self.has(&word.spelled) {
            return None;
        }
        let (lexicon, romaji) = (self.lexicons.get(&Lang::Ja)?, lang == Lang::Ja);
        let videos = |written: &str| {
            let words = text::japanese::content(written);
            words
                .into_iter()
                .map(|at| find(lexicon, &text::spelled(&written[at])).map_or(0, |entry| entry.videos))
                .min()
        };
        let kanji = readings::written(&word.spelled, romaji).into_iter().map(|written| (videos(written), written));
        let kana = readings::sound(&word.spelled, romaji).and_then(|sound| self.sounds.get(&sound));
        let kana = kana.into_iter().flatten().map(|(written, videos)| (Some(*videos), written.as_str()));
        let known: Vec<(Option<i64>, &str)> = kanji.chain(kana).filter(|(videos, _)| *videos > Some(0)).collect();
        known.into_iter().rev().max_by_key(|(videos, _)| *videos).map(|(_, written)| written)
    }

    pub fn near(&self, word: &Word, lang: Lang) -> Vec<KnownSpelling> {
        let own = self.lexicons.get(&lang).into_iter();
        let others = || self.lexicons.iter().filter(|(of, _)| **of != lang).map(|(_, lexicon)| lexicon);
        if self.has(&word.spelled) {
            return vec![KnownSpelling { title: word.spelled.clone(), weight: i64::MAX }];
        }
        let found = nearest(own, word);
        if found.is_empty() { nearest(others(), word) } else { found }
    }
}

fn letters(spelled: &str) -> u64 {
    spelled.chars().fold(0, |letters, c| letters | 1 << (u32::from(c) % 64))
}

fn find<'a>(lexicon: &'a WordsByLength, spelled: &str) -> Option<&'a KnownWord> {
    lexicon.get(&spelled.chars().count())?.iter().find(|entry| entry.spelled == spelled)
}

/// The words that differ least.
fn nearest<'a>(lexicons: impl Iterator<Item = &'a WordsByLength>, word: &Word) -> Vec<KnownSpelling> {
    let signs: Vec<char> = word.spelled.chars().collect();
    let letters = letters(&word.spelled);
    let (mut least, mut found, mut known) = (usize::MAX, Vec::new(), Vec::new());
    if signs.iter().any(|c| c.is_numeric()) {
        return found;
    }
    let lengths = signs.len().saturating_sub(MOST_LETTERS)..=signs.len() + MOST_LETTERS;
    for (length, entries) in lexicons.flat_map(|lexicon| lexicon.range(lengths.clone())) {
        let allowed = allowed_between(signs.len(), *length, word.japanese);
        for entry in entries {
            let most = allowed.min(least);
            // Each letter that differs is one that the other hasn't.
            let [more, fewer] = [letters & !entry.letters, entry.letters & !letters].map(u64::count_ones);
            if more.max(fewer) as usize > most / FAST {
                continue;
            }
            known.clear();
            known.extend(entry.spelled.chars());
            let Some(far) = differ(&signs, &known, most) else { continue };
            if far < least {
                (least, found) = (far, Vec::new());
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
        Vocabulary::new(&lists.iter().map(list).collect::<Vec<_>>())
    }

    #[test]
    fn the_nearest_words_are_those_of_the_visitors_language_first() {
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
            "a known word is itself in any language"
        );
    }

    #[test]
    fn what_begins_a_word_of_any_language_is_known() {
        let vocabulary = vocabulary(&[("de", "hafen\t7\nlaufen\t1\n"), ("ru", "гавань\t2\n")]);
        for (typed, begins) in [("haf", true), ("hafen", true), ("hafens", false), ("гав", true), ("gavan", false)] {
            assert_eq!(vocabulary.begins(typed), begins, "{typed}");
        }
    }

    #[test]
    fn compounds_are_found_by_the_words_of_titles() {
        let vocabulary =
            vocabulary(&[("de", "leuchtturm\t3\nturm\t1\nmondscheinsonate\t2\nmondschein\t1\nsonate\t1\ntürmer\t1\n")]);
        assert_eq!(vocabulary.compounds("Türme", Lang::De), ["leuchtturm"]);
        assert_eq!(vocabulary.compounds("Mondschein", Lang::De), ["mondscheinsonate"]);
        assert_eq!(vocabulary.compounds("turm", Lang::En), [""; 0]);
        assert_eq!(vocabulary.apart("mondscheinturm", Lang::De), Some(["mondschein", "turm"]));
        assert_eq!(vocabulary.apart("turmmondschein", Lang::En), None);
        assert_eq!(vocabulary.apart("leuchtturm", Lang::De), None, "titles have it");
    }

    #[test]
    fn other_forms_of_a_word_are_those_with_its_root() {
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
    fn a_word_is_known_where_a_title_has_a_form_of_it() {
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
    fn a_reading_is_the_word_that_titles_have_most_often() {
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
