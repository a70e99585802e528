//! Substring search in Japanese text without a dictionary.
//!
//! The engine's default tokenizer treats a run of kanji or kana as one word, so 温泉 would not find 箱根温泉の夏旅行. The indexer therefore writes a
//! companion of overlapping character pairs ([`companion`]), and queries are split into words and then pairs ([`segment`]), so that each
//! word of the query must occur in the text as a substring. Words end where the script changes. Long runs of kanji are split into words of
//! two characters, the most common length (温泉旅行 becomes 温泉 and 旅行).
//!
//! Half-width and full-width forms, katakana and hiragana, and ヴァ and バ are equivalent.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::readings;

/// Minimum length of a word whose final long vowel is optional (コンピューター).
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

/// Converts katakana to hiragana.
fn hiragana(c: char) -> char {
    match c {
        '\u{30A1}'..='\u{30F6}' => char::from_u32(c as u32 - 0x60).unwrap_or(c),
        other => other,
    }
}

/// Returns a word in the companion's spelling.
pub fn plain(word: &str) -> String {
    let kana: String = word.chars().map(hiragana).collect();
    // ゔ alone comes last, because it is a prefix of the others.
    [("ゔぁ", "ば"), ("ゔぃ", "び"), ("ゔぇ", "べ"), ("ゔぉ", "ぼ"), ("ゔ", "ぶ")]
        .iter()
        .fold(kana, |text, (from, to)| text.replace(from, to))
}

/// Returns maximal runs of kanji and kana. A middle dot within a name (ミア・クラーク) doesn't end a run.
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

/// Splits a run into words where the script changes, and splits four or more consecutive kanji into pairs.
pub(super) fn cut(run: &str) -> Vec<String> {
    let mut words: Vec<(Script, Vec<char>)> = Vec::new();
    for c in run.chars() {
        match words.last_mut() {
            // A long vowel mark belongs to the preceding character (らーめん).
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

/// Encodes a kanji that begins a word by doubling it, because this pair cannot collide with others.
fn beginning(kanji: char) -> String {
    [kanji, kanji].iter().collect()
}

fn first_kanji(word: &str) -> Option<char> {
    word.chars().next().filter(|c| is_kanji(*c))
}

/// Returns the kanji in a run that may begin a word. In a run of odd length, any kanji may, because word boundaries are unknown. The second
/// kanji of a pair is returned if its reading shows that it is a word ([`readings::second_is_word`]): 雪 in 初雪, but not 海 in 上海.
fn beginnings(run: &str) -> impl Iterator<Item = char> {
    let kanji = run.split(|c| !is_kanji(c)).filter(|part| !part.is_empty());
    kanji.flat_map(|part| {
        let kanji: Vec<char> = part.chars().collect();
        let pairs = kanji.len().is_multiple_of(2);
        let begins = |at: usize| !pairs || at.is_multiple_of(2) || readings::second_is_word([kanji[at - 1], kanji[at]]);
        (0..kanji.len()).filter(|at| begins(*at)).map(|at| kanji[at]).collect::<Vec<_>>()
    })
}

/// Returns the second kanji of a pair if it is a word by itself.
pub(super) fn second_word(word: &str) -> Option<String> {
    let pair = <[char; 2]>::try_from(word.chars().collect::<Vec<_>>()).ok()?;
    readings::second_is_word(pair).then(|| pair[1].to_string())
}

/// Returns the searchable companion of a text: every pair of adjacent characters in its Japanese runs, and the kanji that begin words. The
/// result is empty for a text without Japanese.
#[must_use]
pub fn companion(text: &str) -> String {
    let mut out = Vec::new();
    for run in runs(text) {
        push_pairs(&run, &mut out);
        out.extend(beginnings(&run).map(beginning));
    }
    out.join(" ")
}

/// Returns the words of a query. Single kana (particles and endings) are left out unless there is nothing else, because they occur in every
/// sentence.
fn words(query: &str) -> Vec<String> {
    let words: Vec<String> = runs(query).iter().flat_map(|run| cut(run)).collect();
    let content: Vec<String> =
        words.iter().filter(|word| word.chars().count() > 1 || first_kanji(word).is_some()).cloned().collect();
    if content.is_empty() { words } else { content }
}

/// Segments the Japanese parts of a query to match [`companion`].
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

/// Segments a quoted or excluded phrase into all its pairs, in the same order as in the companion.
#[must_use]
pub fn phrase(run: &str) -> String {
    let mut out = Vec::new();
    for run in runs(run) {
        push_pairs(&run, &mut out);
    }
    if out.is_empty() { segment(run) } else { out.join(" ") }
}

/// Returns the byte ranges of a run's content words. The run is split in the same way as by [`segment`].
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

/// Returns the byte ranges in a text that match words of a query.
#[must_use]
pub fn find_words(text: &str, query: &str) -> Vec<Range<usize>> {
    let letters: Vec<(usize, char)> = text.char_indices().map(|(at, c)| (at, hiragana(c))).collect();
    let end = |index: usize| letters.get(index).map_or(text.len(), |(at, _)| *at);
    let mut found = Vec::new();
    let whole: String = runs(query).concat();
    let mut wanted = words(query);
    // A verbatim match is marked as a whole.
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
    fn substring_is_found_in_title() {
        for query in ["温泉", "箱根温泉", "旅行", "温泉 旅行", "温泉旅行", "夏旅行", "箱根の旅行"]
        {
            assert!(finds("箱根温泉の夏旅行", query), "{query}");
        }
    }

    #[test]
    fn non_adjacent_characters_share_no_pair() {
        assert!(!finds("上海の夜景", "海夜"));
    }

    #[test]
    fn particles_are_dropped() {
        assert_eq!(segment("の"), "の");
        assert!(!segment("夏の旅行").split(' ').any(|word| word == "の"));
        assert_eq!(segment("tokyo"), "");
    }

    #[test]
    fn katakana_compounds_are_found_by_part() {
        assert!(finds("ファッションショー", "ショー"));
    }

    #[test]
    fn single_kanji_is_found_at_the_start_of_a_word() {
        assert!(finds("海の家", "海"));
        assert!(finds("日本海の夕日", "海の夕"));
        assert!(!finds("上海の夜", "海"));
        assert!(finds("初雪の夜", "雪"));
    }

    #[test]
    fn kana_spellings_are_equivalent() {
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
