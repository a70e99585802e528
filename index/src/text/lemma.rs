//! Words by which titles in two languages are compared, and by which what means the same is looked up.

use lantern_config::Lang;

use super::{compound, cyrillic, fold, japanese, latin_lang, parts, pieces, stem::stem};

/// A word of a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lemma {
    /// What all its forms have in common.
    pub key: String,
    /// As it is written, in lower case; a part of a compound without accents.
    pub written: String,
}

/// Letters of a word from which on it says something of its own; shorter ones are articles and prepositions.
const SHORTEST: usize = 3;

/// The words of a title that may have a counterpart in a translation, in order: parts of compounds, Japanese by its runs.
#[must_use]
pub fn lemmas(title: &str, lang: Lang) -> Vec<Lemma> {
    let mut lemmas = Vec::new();
    for piece in pieces(title) {
        let run = &title[piece.at];
        if piece.japanese {
            let words = japanese::content(run).into_iter().map(|at| &run[at]);
            lemmas.extend(words.map(|word| Lemma { key: japanese::plain(word), written: word.to_owned() }));
            continue;
        }
        let folded = fold(run);
        let own = if lang == Lang::De { fold::without_digraphs(&folded) } else { folded };
        match compound::split(&own, latin_lang(lang)).filter(|_| !own.chars().any(cyrillic::is_cyrillic)) {
            Some(parts) => lemmas.extend(parts.into_iter().map(|at| {
                let part = &own[at];
                Lemma { key: stem(part, latin_lang(lang)), written: part.to_owned() }
            })),
            None => lemmas.push(Lemma { key: key(run, lang), written: run.to_lowercase() }),
        }
    }
    let says_something = |lemma: &Lemma| {
        let is_japanese = lemma.written.contains(japanese::is_japanese);
        is_japanese || lemma.written.chars().count() >= SHORTEST && !lemma.written.chars().all(char::is_numeric)
    };
    lemmas.retain(says_something);
    lemmas
}

/// What all forms of a word, or of some words, of a language have in common; empty where there is none.
#[must_use]
pub fn key(text: &str, lang: Lang) -> String {
    let of = |piece: super::Piece| {
        let run = &text[piece.at];
        if piece.japanese { japanese::plain(run) } else { parts(run, lang).join(" ") }
    };
    pieces(text).into_iter().map(of).collect::<Vec<_>>().join(" ")
}

/// The languages a typed word may be of by its letters, the visitor's first, then English.
#[must_use]
pub fn langs_of(word: &str, visitor: Lang) -> Vec<Lang> {
    if word.contains(japanese::is_japanese) {
        return vec![Lang::Ja];
    }
    if word.chars().any(cyrillic::is_cyrillic) {
        return vec![Lang::Ru];
    }
    let first = [visitor, Lang::En];
    let others = Lang::ALL.iter().copied().filter(|lang| !first.contains(lang));
    let mut langs: Vec<Lang> =
        first.into_iter().chain(others).filter(|lang| !matches!(lang, Lang::Ru | Lang::Ja)).collect();
    langs.dedup();
    langs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_compared_by_what_forms_of_words_share() {
        let keys = |title, lang| lemmas(title, lang).into_iter().map(|lemma| lemma.key).collect::<Vec<_>>();
        assert_eq!(keys("A walk in the gardens", Lang::En), ["walk", "the", "garden"]);
        assert_eq!(keys("Strandspaziergang", Lang::De), [key("Strand", Lang::De), key("Spaziergänge", Lang::De)]);
        assert_eq!(keys("ночной рынок", Lang::Ru), [key("ночного", Lang::Ru), key("рынка", Lang::Ru)]);
        assert_eq!(keys("京都のカフェ", Lang::Ja), ["京都", "かふぇ"]);
        assert_eq!(key("Coffee shops", Lang::En), key("coffee shop", Lang::En));
    }

    #[test]
    fn a_word_is_of_a_language_that_has_its_letters() {
        assert_eq!(langs_of("пианино", Lang::De), [Lang::Ru]);
        assert_eq!(langs_of("ピアノ", Lang::De), [Lang::Ja]);
        let latin = langs_of("piano", Lang::De);
        assert_eq!((&latin[..2], latin.len()), (&[Lang::De, Lang::En][..], 8));
        assert_eq!(langs_of("piano", Lang::Ru)[0], Lang::En);
    }
}
