//! Determines lemmas, which serve to compare titles in two languages and to look up synonyms.

use lantern_config::Lang;

use super::{compound, cyrillic, fold, japanese, latin_lang, parts, pieces, stem::stem};

/// Word of a title.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lemma {
    /// Key that all forms of the word share.
    pub key: String,
    /// The word as written, in lower case. A part of a compound has no accents.
    pub written: String,
}

/// Minimum length of a content word in letters. Shorter words are mostly articles and prepositions.
const SHORTEST: usize = 3;

/// Returns the words of a title that may have a counterpart in a translation, in order. Compounds and Japanese runs are split.
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
    let is_content = |lemma: &Lemma| {
        let is_japanese = lemma.written.contains(japanese::is_japanese);
        is_japanese || lemma.written.chars().count() >= SHORTEST && !lemma.written.chars().all(char::is_numeric)
    };
    lemmas.retain(is_content);
    lemmas
}

/// Returns the key that all forms of a word, or of several words, share. It is empty for a text without words.
#[must_use]
pub fn key(text: &str, lang: Lang) -> String {
    let of = |piece: super::Piece| {
        let run = &text[piece.at];
        if piece.japanese { japanese::plain(run) } else { parts(run, lang).join(" ") }
    };
    pieces(text).into_iter().map(of).collect::<Vec<_>>().join(" ")
}

/// Returns the languages that a typed word may belong to according to its script: first the visitor's language, then English.
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
    fn forms_of_a_word_share_their_key() {
        let keys = |title, lang| lemmas(title, lang).into_iter().map(|lemma| lemma.key).collect::<Vec<_>>();
        assert_eq!(keys("A walk in the gardens", Lang::En), ["walk", "the", "garden"]);
        assert_eq!(keys("Strandspaziergang", Lang::De), [key("Strand", Lang::De), key("Spaziergänge", Lang::De)]);
        assert_eq!(keys("ночной рынок", Lang::Ru), [key("ночного", Lang::Ru), key("рынка", Lang::Ru)]);
        assert_eq!(keys("京都のカフェ", Lang::Ja), ["京都", "かふぇ"]);
        assert_eq!(key("Coffee shops", Lang::En), key("coffee shop", Lang::En));
    }

    #[test]
    fn languages_match_the_script_of_a_word() {
        assert_eq!(langs_of("пианино", Lang::De), [Lang::Ru]);
        assert_eq!(langs_of("ピアノ", Lang::De), [Lang::Ja]);
        let latin = langs_of("piano", Lang::De);
        assert_eq!((&latin[..2], latin.len()), (&[Lang::De, Lang::En][..], 8));
        assert_eq!(langs_of("piano", Lang::Ru)[0], Lang::En);
    }
}
