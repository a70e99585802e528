//! Sub-words of Japanese text without a dictionary.
//!
//! The engine's default tokenizer keeps a run of kanji or kana as one word, so 温泉 would not find
//! 箱根温泉の夏旅行. The indexer therefore writes a companion text of every such run as overlapping
//! character pairs ([`companion`]), and a query is cut into words first and pairs then
//! ([`segment`]), so that each word of the query must stand in the text as a substring.

use tinysegmenter::tokenize;

fn is_kanji(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '\u{F900}'..='\u{FAFF}' | '々' | '〆')
}

fn is_kana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309F}' | '\u{30A0}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}')
        && c != '・'
}

/// Whether the text holds a character that the companion text covers.
#[must_use]
pub fn has_japanese(text: &str) -> bool {
    text.chars().any(|c| is_kanji(c) || is_kana(c))
}

/// Maximal runs of kanji and kana (`true`) and of anything else (`false`).
fn runs(text: &str) -> Vec<(bool, String)> {
    let mut runs: Vec<(bool, String)> = Vec::new();
    for c in text.chars() {
        let japanese = is_kanji(c) || is_kana(c);
        match runs.last_mut() {
            Some((kind, run)) if *kind == japanese => run.push(c),
            _ => runs.push((japanese, c.to_string())),
        }
    }
    runs
}

fn push_pairs(word: &str, out: &mut Vec<String>) {
    let chars: Vec<char> = word.chars().collect();
    out.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
}

/// The searchable companion of a text: every pair of neighbouring characters of its Japanese runs, and
/// kanji that are words of their own. Empty for a text without Japanese.
#[must_use]
pub fn companion(text: &str) -> String {
    let mut out = Vec::new();
    for (_, run) in runs(text).iter().filter(|(japanese, _)| *japanese) {
        push_pairs(run, &mut out);
        for word in tokenize(run) {
            if word.chars().count() == 1 && word.chars().all(is_kanji) {
                out.push(word);
            }
        }
    }
    out.join(" ")
}

/// A query cut the way [`companion`] cuts texts; other scripts pass unchanged. Single kana (particles)
/// are dropped unless nothing else is left, because they occur in every sentence.
#[must_use]
pub fn segment(query: &str) -> String {
    if !has_japanese(query) {
        return query.to_owned();
    }
    let mut out: Vec<String> = Vec::new();
    for (japanese, run) in runs(query) {
        if !japanese {
            out.extend(run.split_whitespace().map(str::to_owned));
            continue;
        }
        for word in tokenize(&run) {
            match word.chars().count() {
                0 => {}
                1 if word.chars().all(is_kana) => {}
                1 => out.push(word),
                _ => push_pairs(&word, &mut out),
            }
        }
    }
    if out.is_empty() { query.to_owned() } else { out.join(" ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sub_word_is_among_the_pairs_of_its_title() {
        let text = companion("箱根温泉の夏旅行");
        for query in ["温泉", "箱根温泉", "旅行", "温泉 旅行"] {
            for word in segment(query).split(' ') {
                assert!(text.split(' ').any(|token| token == word), "{query}: {word} not in {text}");
            }
        }
    }

    #[test]
    fn words_that_are_not_next_to_each_other_share_no_pair() {
        let text = companion("上海の夜景");
        assert!(!text.split(' ').any(|token| token == "海夜"));
    }

    #[test]
    fn particles_are_dropped_and_latin_is_kept() {
        assert_eq!(segment("の"), "の");
        assert_eq!(segment("tokyo dance"), "tokyo dance");
        assert!(!segment("夏の旅行").split(' ').any(|word| word == "の"));
        assert!(segment("tokyo 夜景").contains("tokyo"));
    }

    #[test]
    fn katakana_compounds_are_found_by_their_parts() {
        let text = companion("ファッションショー");
        assert!(segment("ショー").split(' ').all(|word| text.split(' ').any(|token| token == word)));
    }
}
