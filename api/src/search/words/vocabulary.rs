//! The words of titles in memory: which of them a word is, is near to, or is the reading of.

use std::collections::{BTreeMap, HashMap};

use lantern_catalog::words::WordList;
use lantern_config::Lang;
use lantern_index::text::{self, Word, readings};
use time::OffsetDateTime;

use crate::search::spelling::{Known, allowed_between, differ};

/// Letters that differ at most between words of any length.
const MOST_LETTERS: usize = 3;

/// What is known of a language: its words by their number of letters, so that few are compared.
type Lexicon = BTreeMap<usize, Vec<Entry>>;

struct Entry {
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
    lexicons: HashMap<Lang, Lexicon>,
}

impl Vocabulary {
    pub fn new(lists: &[WordList]) -> Self {
        let mut vocabulary = Self { learned_at: lists.iter().map(|list| list.learned_at).max(), ..Self::default() };
        for WordList { lang, list, .. } in lists {
            let Ok(lang) = lang.parse() else { continue };
            let lexicon = vocabulary.lexicons.entry(lang).or_default();
            for (written, videos) in list.lines().filter_map(|line| line.split_once('\t')) {
                let spelled = text::spelled(written);
                let entry = Entry {
                    letters: letters(&spelled),
                    videos: videos.parse().unwrap_or(1),
                    written: written.to_owned(),
                    spelled,
                };
                lexicon.entry(entry.spelled.chars().count()).or_default().push(entry);
            }
        }
        vocabulary
    }

    /// The word that titles have most often of those that are read so. Latin letters are romaji for Japanese visitors alone.
    pub fn written(&self, word: &Word, lang: Lang) -> Option<&'static str> {
        if self.lexicons.values().any(|lexicon| has(lexicon, &word.spelled)) {
            return None;
        }
        let lexicon = self.lexicons.get(&Lang::Ja)?;
        let videos = |written: &str| {
            let words = text::japanese::content(written);
            words
                .into_iter()
                .map(|at| find(lexicon, &text::spelled(&written[at])).map_or(0, |entry| entry.videos))
                .min()
        };
        let counted =
            readings::written(&word.spelled, lang == Lang::Ja).into_iter().map(|written| (videos(written), written));
        counted
            .filter(|(videos, _)| *videos > Some(0))
            .rev()
            .max_by_key(|(videos, _)| *videos)
            .map(|(_, written)| written)
    }

    pub fn near(&self, word: &Word, lang: Lang) -> Vec<Known> {
        let own = self.lexicons.get(&lang).into_iter();
        let others = || self.lexicons.iter().filter(|(of, _)| **of != lang).map(|(_, lexicon)| lexicon);
        if self.lexicons.values().any(|lexicon| has(lexicon, &word.spelled)) {
            return vec![Known { title: word.spelled.clone(), weight: i64::MAX }];
        }
        let found = nearest(own, word);
        if found.is_empty() { nearest(others(), word) } else { found }
    }
}

fn letters(spelled: &str) -> u64 {
    spelled.chars().fold(0, |letters, c| letters | 1 << (u32::from(c) % 64))
}

fn find<'a>(lexicon: &'a Lexicon, spelled: &str) -> Option<&'a Entry> {
    lexicon.get(&spelled.chars().count())?.iter().find(|entry| entry.spelled == spelled)
}

fn has(lexicon: &Lexicon, spelled: &str) -> bool {
    find(lexicon, spelled).is_some()
}

/// The words that differ least.
fn nearest<'a>(lexicons: impl Iterator<Item = &'a Lexicon>, word: &Word) -> Vec<Known> {
    let asked: Vec<char> = word.spelled.chars().collect();
    let letters = letters(&word.spelled);
    let (mut least, mut found, mut known) = (MOST_LETTERS, Vec::new(), Vec::new());
    if asked.iter().any(|c| c.is_numeric()) {
        return found;
    }
    let lengths = asked.len().saturating_sub(MOST_LETTERS)..=asked.len() + MOST_LETTERS;
    for (length, entries) in lexicons.flat_map(|lexicon| lexicon.range(lengths.clone())) {
        let allowed = allowed_between(asked.len(), *length, word.japanese);
        for entry in entries {
            let most = allowed.min(least);
            // Each letter that differs is one that the other hasn't.
            let [more, fewer] = [letters & !entry.letters, entry.letters & !letters].map(u64::count_ones);
            if more.max(fewer) as usize > most {
                continue;
            }
            known.clear();
            known.extend(entry.spelled.chars());
            let Some(far) = differ(&asked, &known, most) else { continue };
            if far < least {
                (least, found) = (far, Vec::new());
            }
            found.push(Known { title: entry.written.clone(), weight: entry.videos });
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
            ("hrabour", Lang::En, &["habour", "harbour"]),
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
            [Known { title: "laufen".to_owned(), weight: i64::MAX }],
            "a known word is itself in any language"
        );
    }

    #[test]
    fn a_reading_is_the_word_that_titles_have_most_often() {
        let vocabulary = vocabulary(&[("ja", "京都\t4\n灯\t2\n東台\t1\n灯台\t3\nすいか\t1\n"), ("en", "kyoto\t2\n")]);
        for (typed, lang, written) in [
            ("きょうと", Lang::En, Some("京都")),
            ("キョウト", Lang::Ja, Some("京都")),
            ("toudai", Lang::Ja, Some("灯台")),
            ("toudai", Lang::En, None),
            ("あかり", Lang::Ja, Some("灯")),
            ("すいか", Lang::Ja, None),
            ("kyoto", Lang::Ja, None),
            ("さくら", Lang::Ja, None),
        ] {
            assert_eq!(vocabulary.written(&plain_words(typed)[0], lang), written, "{typed}");
        }
    }
}
