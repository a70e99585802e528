//! Words as they are searched: one spelling for every way a word is written.
//!
//! The engine forgives typos and completes the last word, but knows nothing of inflection, compounds, or other
//! scripts. So every text has a companion field of its words without accents ([`fold`]), without endings
//! ([`stem`]), compounds with their parts ([`compound`]) and Cyrillic in Latin letters ([`cyrillic`], which
//! also makes the engine's typo limits count letters: it counts bytes). A query is written the same way, in
//! the visitor's language. Japanese goes into companions of its own ([`japanese`]).

mod bare;
mod compound;
mod cyrillic;
mod endings;
mod fold;
pub mod japanese;
mod lemma;
pub mod marks;
pub mod names;
mod query;
pub mod readings;
mod romaji;
mod root;
mod stem;
mod terms;

use std::ops::Range;

use lantern_config::Lang;

pub use bare::{bare, is_ignorable};
pub use fold::{fold, is_mark};
pub use lemma::{Lemma, key, langs_of, lemmas};
pub use query::{
    Word, all_readings, count_words, excluded, initial, last_word, plain_words, query, readings, spelled, title_words,
    wanted, without, without_last,
};
pub use root::root;
pub use terms::TermList;

/// Elided articles and prepositions (French, Italian), which no one searches by.
const ELIDED: [&str; 8] = ["l", "d", "j", "n", "m", "s", "c", "qu"];
const APOSTROPHES: [char; 3] = ['\'', '’', 'ʼ'];

/// A run of letters and digits, in bytes of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Piece {
    at: Range<usize>,
    japanese: bool,
}

/// The words of a text in any script; Japanese by runs, because it has no spaces.
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

/// How a word is searched: its stem, or those of its parts.
fn parts(word: &str, lang: Lang) -> Vec<String> {
    forms(word, lang).0
}

/// The stems of a word's parts; of a compound also what it is as a whole and from each later part on.
fn forms(word: &str, lang: Lang) -> (Vec<String>, Vec<String>) {
    let folded = fold(word);
    if folded.chars().any(cyrillic::is_cyrillic) {
        return (vec![cyrillic::latin(&stem::stem(&folded, Lang::Ru))], Vec::new());
    }
    let lang = latin_lang(lang);
    let folded = if lang == Lang::De { fold::without_digraphs(&folded) } else { folded };
    let Some(parts) = compound::split(&folded, lang) else { return (vec![stem::stem(&folded, lang)], Vec::new()) };
    // The last part is a simple word already.
    let tails = (0..parts.len() - 1).map(|from| stem::stem(&folded[parts[from].start..], lang)).collect();
    (parts.into_iter().map(|part| stem::stem(&folded[part], lang)).collect(), tails)
}

/// Latin words among Russian and Japanese are English more often than anything else.
fn latin_lang(lang: Lang) -> Lang {
    if matches!(lang, Lang::Ru | Lang::Ja) { Lang::En } else { lang }
}

/// A letter that nobody types.
const NEVER_TYPED: char = 'ǀ';

/// Companions that weigh less than those of a title. The engine puts first what begins with the words of a query, or is just
/// them, in any field; here nothing does.
#[must_use]
pub fn behind_titles(companions: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut companions: Vec<String> = companions.into_iter().filter(|companion| !companion.is_empty()).collect();
    if let Some(first) = companions.first_mut() {
        first.insert_str(0, &format!("{NEVER_TYPED} "));
    }
    companions
}

/// The companion of a text written in `lang`; empty where it has no word but Japanese ones.
#[must_use]
pub fn companion(text: &str, lang: Lang) -> String {
    companion_by(text, |word| companion_of_word(word, lang))
}

/// The same, each word as `spell` says ([`companion_of_word`]).
#[must_use]
pub fn companion_by(text: &str, spell: impl FnMut(&str) -> String) -> String {
    let words = pieces(text).into_iter().filter(|piece| !piece.japanese).map(|piece| &text[piece.at]);
    words.map(spell).collect::<Vec<String>>().join(" ")
}

/// What one word of a text is searched by.
#[must_use]
pub fn companion_of_word(word: &str, lang: Lang) -> String {
    // Compounds whole as well: who types the beginning of one has not come to its second part yet.
    let (mut parts, wholes) = forms(word, lang);
    parts.extend(wholes);
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_word_is_one() {
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
    fn compounds_are_found_by_their_parts_and_their_beginning() {
        let text = companion("Strandspaziergang", Lang::De);
        assert_eq!(text, "strand spaziergang strandspaziergang");
        assert_eq!(query("Spaziergänge", Lang::De), query("Spaziergang", Lang::De));
    }

    #[test]
    fn cyrillic_is_searched_in_latin_letters() {
        assert_eq!(companion("Ночной рынок", Lang::Ru), query("ночного рынка", Lang::Ru));
        assert!(companion("Ночной рынок", Lang::En).is_ascii());
    }
}
