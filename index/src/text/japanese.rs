//! Sub-words of Japanese text without a dictionary.
//!
//! The engine's default tokenizer keeps a run of kanji or kana as one word, so 温泉 would not find
//! 箱根温泉の夏旅行. The indexer therefore writes a companion text of overlapping character pairs
//! ([`companion`]), and a query is cut into words first and pairs then ([`segment`]), so that each word of the
//! query must stand in the text as a substring. Words end where the script changes, and long runs of kanji
//! are words of two, as most are (温泉旅行 is 温泉 and 旅行).
//!
//! Half-width and full-width, katakana and hiragana are the same here, and so are ヴァ and バ.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::readings;

/// From this length on a long vowel at the end of a word is optional (コンピューター).
const LONG_WORD: usize = 4;

/// Whether the character is a kanji.
#[must_use]
pub fn is_kanji(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '々' | '〆')
}

fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}' | '\u{30A0}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}')
        && c != '・'
}

/// Whether the companion text covers the character.
pub fn is_japanese(c: char) -> bool {
    is_kanji(c) || is_kana(c)
}

/// Katakana as hiragana, character by character.
fn hiragana(c: char) -> char {
    match c {
        '\u{30A1}'..='\u{30F6}' => char::from_u32(c as u32 - 0x60).unwrap_or(c),
        other => other,
    }
}

/// A word in the spelling of the companion.
pub fn plain(word: &str) -> String {
    let kana: String = word.chars().map(hiragana).collect();
    // Not the bare ゔ first: it is what the others begin with.
    [("ゔぁ", "ば"), ("ゔぃ", "び"), ("ゔぇ", "べ"), ("ゔぉ", "ぼ"), ("ゔ", "ぶ")]
        .iter()
        .fold(kana, |text, (from, to)| text.replace(from, to))
}

/// Maximal runs of kanji and kana; a middle dot within a name (ミア・クラーク) is no end.
fn runs(text: &str) -> Vec<String> {
    let full: String = text.nfkc().filter(|c| *c != '・').collect();
    full.split(|c| !is_japanese(c)).filter(|run| !run.is_empty()).map(str::to_owned).collect()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Kanji,
    Katakana,
    Hiragana,
}

fn script(c: char) -> Script {
    match c {
        '\u{3041}'..='\u{309F}' => Script::Hiragana,
        c if is_kana(c) => Script::Katakana,
        _ => Script::Kanji,
    }
}

/// The words of a run: one per script, kanji by twos from four on.
pub(super) fn cut(run: &str) -> Vec<String> {
    let mut words: Vec<(Script, Vec<char>)> = Vec::new();
    for c in run.chars() {
        match words.last_mut() {
            // A long vowel belongs to what it lengthens (らーめん).
            Some((last, word)) if *last == script(c) || c == 'ー' => word.push(c),
            _ => words.push((script(c), vec![c])),
        }
    }
    let by_twos = |(script, word): (Script, Vec<char>)| {
        let pairs = if script == Script::Kanji { word.len() / 2 } else { 1 };
        let size = |at: usize| if at + 1 < pairs { 2 } else { word.len() - 2 * at };
        (0..pairs.max(1)).map(|at| word[2 * at..2 * at + size(at)].iter().collect()).collect::<Vec<String>>()
    };
    words.into_iter().flat_map(by_twos).collect()
}

fn push_pairs(word: &str, out: &mut Vec<String>) {
    let chars: Vec<char> = plain(word).chars().collect();
    out.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
}

/// A kanji that begins a word, written so that it is no other pair: twice.
fn beginning(kanji: char) -> String {
    [kanji, kanji].iter().collect()
}

fn first_kanji(word: &str) -> Option<char> {
    word.chars().next().filter(|c| is_kanji(*c))
}

/// Kanji of a run that may begin a word: of an odd number any may, because which words are longer is unknown. Of a pair the second is one
/// where it is read so ([`readings::has_word_behind`]): 雪 of 初雪, not 海 of 上海.
fn beginnings(run: &str) -> impl Iterator<Item = char> {
    let kanji = run.split(|c| !is_kanji(c)).filter(|part| !part.is_empty());
    kanji.flat_map(|part| {
        let kanji: Vec<char> = part.chars().collect();
        let pairs = kanji.len().is_multiple_of(2);
        let begins =
            |at: usize| !pairs || at.is_multiple_of(2) || readings::has_word_behind([kanji[at - 1], kanji[at]]);
        (0..kanji.len()).filter(|at| begins(*at)).map(|at| kanji[at]).collect::<Vec<_>>()
    })
}

/// The kanji that is a word of its own behind another.
pub(super) fn word_behind(word: &str) -> Option<String> {
    let pair = <[char; 2]>::try_from(word.chars().collect::<Vec<_>>()).ok()?;
    readings::has_word_behind(pair).then(|| pair[1].to_string())
}

/// The searchable companion of a text: every pair of neighbouring characters of its Japanese runs, and the
/// kanji that words begin with. Empty for a text without Japanese.
#[must_use]
pub fn companion(text: &str) -> String {
    let mut out = Vec::new();
    for run in runs(text) {
        push_pairs(&run, &mut out);
        out.extend(beginnings(&run).map(beginning));
    }
    out.join(" ")
}

/// The words of a query: without single kana (particles, endings), unless nothing else is left, because they
/// occur in every sentence.
fn words(query: &str) -> Vec<String> {
    let words: Vec<String> = runs(query).iter().flat_map(|run| cut(run)).collect();
    let content: Vec<String> =
        words.iter().filter(|word| word.chars().count() > 1 || first_kanji(word).is_some()).cloned().collect();
    if content.is_empty() { words } else { content }
}

/// The Japanese of a query cut the way [`companion`] cuts texts.
#[must_use]
pub fn segment(query: &str) -> String {
    let mut out: Vec<String> = Vec::new();
    for word in words(query) {
        match (word.chars().count(), first_kanji(&word)) {
            (1, Some(kanji)) => out.push(beginning(kanji)),
            (1, None) => out.push(plain(&word)),
            (LONG_WORD.., None) => push_pairs(word.trim_end_matches('ー'), &mut out),
            _ => push_pairs(&word, &mut out),
        }
    }
    out.join(" ")
}

/// The Japanese of a quoted or excluded phrase: every pair of it, as they stand side by side in a companion.
#[must_use]
pub fn phrase(run: &str) -> String {
    let mut out = Vec::new();
    for run in runs(run) {
        push_pairs(&run, &mut out);
    }
    if out.is_empty() { segment(run) } else { out.join(" ") }
}

/// The words of a run that say something, as [`segment`] cuts it, in bytes.
#[must_use]
pub fn content(run: &str) -> Vec<Range<usize>> {
    let mut at = 0;
    let mut words = Vec::new();
    for word in cut(run) {
        let range = at..at + word.len();
        at = range.end;
        if word.chars().count() > 1 || first_kanji(&word).is_some() {
            words.push(range);
        }
    }
    words
}

/// Where the words of a query stand in a text, in bytes.
#[must_use]
pub fn find_words(text: &str, query: &str) -> Vec<Range<usize>> {
    let letters: Vec<(usize, char)> = text.char_indices().map(|(at, c)| (at, hiragana(c))).collect();
    let end = |index: usize| letters.get(index).map_or(text.len(), |(at, _)| *at);
    let mut found = Vec::new();
    let whole: String = runs(query).concat();
    let mut wanted = words(query);
    // What stands there as it was typed is marked as one.
    wanted.insert(0, whole);
    for word in wanted.iter().filter(|word| !word.is_empty()) {
        let word: Vec<char> = word.chars().map(hiragana).collect();
        for start in 0..(letters.len() + 1).saturating_sub(word.len().max(1)) {
            if letters[start..].iter().zip(&word).filter(|((_, a), b)| a == *b).count() == word.len() {
                found.push(end(start)..end(start + word.len()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(text: &str, query: &str) -> bool {
        let text = companion(text);
        segment(query).split(' ').all(|word| text.split(' ').any(|token| token == word))
    }

    #[test]
    fn a_sub_word_is_among_the_pairs_of_its_title() {
        for query in ["温泉", "箱根温泉", "旅行", "温泉 旅行", "温泉旅行", "夏旅行", "箱根の旅行"]
        {
            assert!(finds("箱根温泉の夏旅行", query), "{query}");
        }
    }

    #[test]
    fn words_that_are_not_next_to_each_other_share_no_pair() {
        assert!(!finds("上海の夜景", "海夜"));
    }

    #[test]
    fn particles_are_dropped() {
        assert_eq!(segment("の"), "の");
        assert!(!segment("夏の旅行").split(' ').any(|word| word == "の"));
        assert_eq!(segment("tokyo"), "");
    }

    #[test]
    fn katakana_compounds_are_found_by_their_parts() {
        assert!(finds("ファッションショー", "ショー"));
    }

    #[test]
    fn one_kanji_is_found_where_a_word_begins_with_it() {
        assert!(finds("海の家", "海"));
        assert!(finds("日本海の夕日", "海の夕"));
        assert!(!finds("上海の夜", "海"));
        assert!(finds("初雪の夜", "雪"));
    }

    #[test]
    fn spellings_of_kana_are_one() {
        for (text, query) in [
            ("ﾀﾝｺﾞの夜", "タンゴ"),
            ("ラーメン", "らーめん"),
            ("ヴァイオリン", "バイオリン"),
            ("コンピュータ", "コンピューター"),
            ("コンピューター", "コンピュータ"),
            ("ミア・クラーク", "ミアクラーク"),
        ] {
            assert!(finds(text, query), "{text} {query}");
        }
    }
}
