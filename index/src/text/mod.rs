//! Normalizes words for search, so that all variants of a word have one spelling.
//!
//! The engine tolerates typos and completes the last word, but does not handle inflection, compounds or other scripts. Therefore every text
//! has a companion field, in which words are folded ([`fold`]) and stemmed ([`stem`]), compounds are split ([`compound`]), and Cyrillic is
//! transliterated ([`cyrillic`]). Transliteration also makes bytes equal to letters, which matters because the engine's typo limits count
//! bytes. Queries are normalized in the same way, in the visitor's language. Japanese has separate companions ([`japanese`]).

pub mod alphabet;
mod bare;
mod compound;
pub mod cyrillic;
mod endings;
mod fold;
pub mod function;
pub mod japanese;
pub mod keys;
pub mod layout;
mod lemma;
pub mod marks;
pub mod names;
mod query;
pub mod readings;
mod romaji;
mod root;
mod stem;
mod terms;
mod written;

use std::ops::Range;

use lantern_config::Lang;

pub use bare::{bare, is_ignorable};
pub use fold::{fold, is_mark, without_digraphs};
pub use lemma::{Lemma, key, langs_of, lemmas};
pub use query::{
    Word, all_readings, exclusions, has_words, initial, last_word, phrases, plain_words, query, readings, spelled,
    title_words, unquoted, wanted,
};
pub use root::root;
pub use terms::TermList;
pub use written::plain;

/// Elided articles and prepositions (French, Italian), which are ignored.
const ELIDED: [&str; 8] = ["l", "d", "j", "n", "m", "s", "c", "qu"];
const APOSTROPHES: [char; 3] = ['\'', '’', 'ʼ'];

/// Run of letters and digits, as a byte range of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    at: Range<usize>,
    japanese: bool,
}

/// Splits a text in any script into words, and Japanese into runs, because it has no spaces.
fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for (start, c) in text.char_indices() {
        let japanese = japanese::is_japanese(c);
        if !japanese && !is_word_char(c) {
            continue;
        }
        let end = start + c.len_utf8();
        match pieces.last_mut() {
            Some(last) if last.at.end == start && last.japanese == japanese => last.at.end = end,
            _ => pieces.push(Piece { at: start..end, japanese }),
        }
    }
    pieces.retain(|piece| piece.japanese || !is_elided(text, piece));
    pieces
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c)
}

fn is_elided(text: &str, piece: &Piece) -> bool {
    let joined =
        text[piece.at.end..].starts_with(APOSTROPHES) && text[piece.at.end..].chars().nth(1).is_some_and(is_word_char);
    joined && ELIDED.contains(&text[piece.at.clone()].to_lowercase().as_str())
}

/// Returns the folded parts of a German or Dutch compound of known parts.
#[must_use]
pub fn compound_parts(word: &str, lang: Lang) -> Option<Vec<String>> {
    let folded = fold(word);
    let folded = if lang == Lang::De { without_digraphs(&folded) } else { folded };
    let parts = compound::split(&folded, lang)?;
    Some(parts.into_iter().map(|at| folded[at].to_owned()).collect())
}

/// Returns the stem of a word, or the stems of its parts.
fn parts(word: &str, lang: Lang) -> Vec<String> {
    forms(word, lang).0
}

/// Returns the stems of a word's parts. For a compound, also returns the stems of the whole word and of each of its tails.
fn forms(word: &str, lang: Lang) -> (Vec<String>, Vec<String>) {
    let folded = fold(word);
    if folded.chars().any(cyrillic::is_cyrillic) {
        return (vec![cyrillic::latin(&stem::stem(&folded, Lang::Ru))], Vec::new());
    }
    let lang = latin_lang(lang);
    let folded = if lang == Lang::De { without_digraphs(&folded) } else { folded };
    let Some(parts) = compound::split(&folded, lang) else { return (vec![stem::stem(&folded, lang)], Vec::new()) };
    // The last tail is a simple word, which is already among the parts.
    let tails = (0..parts.len() - 1).map(|from| stem::stem(&folded[parts[from].start..], lang)).collect();
    (parts.into_iter().map(|part| stem::stem(&folded[part], lang)).collect(), tails)
}

/// Returns the language of words in Latin script. In Russian and Japanese texts, such words are mostly English.
fn latin_lang(lang: Lang) -> Lang {
    if matches!(lang, Lang::Ru | Lang::Ja) { Lang::En } else { lang }
}

/// Character that never occurs in queries.
const NEVER_TYPED: char = 'ǀ';

/// Marks companions so that they weigh less than those of a title. The engine ranks fields first if they start with the query or equal it.
/// A leading character that is never typed prevents both.
#[must_use]
pub fn rank_below_titles(companions: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut companions: Vec<String> = companions.into_iter().filter(|companion| !companion.is_empty()).collect();
    if let Some(first) = companions.first_mut() {
        first.insert_str(0, &format!("{NEVER_TYPED} "));
    }
    companions
}

/// Returns the companion of a text in `lang`. It is empty if the text has only Japanese words.
#[must_use]
pub fn companion(text: &str, lang: Lang) -> String {
    companion_by(text, |word| companion_of_word(word, lang))
}

/// Like [`companion`], with `spell` in place of [`companion_of_word`].
#[must_use]
pub fn companion_by(text: &str, spell: impl FnMut(&str) -> String) -> String {
    let words = pieces(text).into_iter().filter(|piece| !piece.japanese).map(|piece| &text[piece.at]);
    words.map(spell).collect::<Vec<String>>().join(" ")
}

/// Returns the companion of a single word.
#[must_use]
pub fn companion_of_word(word: &str, lang: Lang) -> String {
    // Include whole compounds too, because a query may end before the second part of one.
    let (mut parts, wholes) = forms(word, lang);
    parts.extend(wholes);
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_word_are_equal() {
        for (lang, a, b) in [
            (Lang::De, "heiße Quellen", "HEISSE quelle"),
            (Lang::De, "Tänzer", "Taenzer"),
            (Lang::Pl, "Łódź", "lodz"),
            (Lang::Ru, "Ёлка", "елки"),
            (Lang::Fr, "l’œuvre", "oeuvre"),
            (Lang::Pt, "corações", "coracao"),
            (Lang::En, "e\u{301}toiles", "Étoile"),
        ] {
            assert_eq!(companion(a, lang), query(b, lang), "{a} {b}");
        }
    }

    #[test]
    fn compounds_are_found_by_part_and_by_prefix() {
        let text = companion("Strandspaziergang", Lang::De);
        assert_eq!(text, "strand spaziergang strandspaziergang");
        assert_eq!(query("Spaziergänge", Lang::De), query("Spaziergang", Lang::De));
    }

    #[test]
    fn cyrillic_is_transliterated() {
        assert_eq!(companion("Ночной рынок", Lang::Ru), query("ночного рынка", Lang::Ru));
        assert!(companion("Ночной рынок", Lang::En).is_ascii());
    }
}
