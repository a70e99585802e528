//! Determines how names may be spelled: in their original script, in other languages, and with other endings.

use std::collections::{BTreeSet, HashSet};

use lantern_config::Lang;

use super::{cyrillic, fold, japanese, latin_lang, pieces, romaji::hiragana, stem::stem};

fn replaced(word: &str, rules: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(word.len() + 4);
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        let (put, taken) = rules
            .iter()
            .find(|(from, _)| rest.starts_with(from))
            .map_or((&rest[..c.len_utf8()], c.len_utf8()), |(from, to)| (*to, from.len()));
        out.push_str(put);
        rest = &rest[taken..];
    }
    out
}

/// Russian transcription of Japanese (Сидзука is Shizuka), in the letters that [`cyrillic::latin`] uses.
const RUSSIAN_JAPANESE: [(&str, &str); 13] = [
    ("sha", "sya"),
    ("shu", "syu"),
    ("sho", "se"),
    ("sh", "s"),
    ("cha", "tya"),
    ("chu", "tyu"),
    ("cho", "te"),
    ("ch", "t"),
    ("ja", "dzya"),
    ("ju", "dzyu"),
    ("jo", "dze"),
    ("j", "dz"),
    ("z", "dz"),
];
/// Russian phonetic transcription of other names.
const RUSSIAN_SOUNDS: [(&str, &str); 16] = [
    ("sch", "sh"),
    ("ch", "ch"),
    ("ck", "k"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "si"),
    ("c", "k"),
    ("x", "ks"),
    ("w", "v"),
    ("ph", "f"),
    ("th", "t"),
    ("qu", "kv"),
    ("q", "k"),
    ("yo", "e"),
    ("ö", "e"),
    ("ü", "yu"),
];
const UMLAUTS: [(&str, &str); 3] = [("ä", "ae"), ("ö", "oe"), ("ü", "ue")];

/// Returns the spellings by which a word of a name may be searched, the plain one first.
fn spellings(word: &str) -> Vec<String> {
    let lower = word.to_lowercase();
    let plain = fold(word);
    if plain.chars().any(cyrillic::is_cyrillic) {
        return vec![cyrillic::latin(&stem(&plain, Lang::Ru)), cyrillic::latin(&plain)];
    }
    let mut all = vec![plain.clone(), fold(&replaced(&lower, &UMLAUTS))];
    if hiragana(&plain).is_some() {
        all.push(replaced(&plain, &RUSSIAN_JAPANESE));
    }
    all.push(fold(&replaced(&lower, &RUSSIAN_SOUNDS)));
    // Queries are stemmed in the visitor's language, so names are stemmed in every language.
    let endings: Vec<String> =
        all.iter().flat_map(|spelling| Lang::ALL.iter().map(|lang| stem(spelling, latin_lang(*lang)))).collect();
    let cases =
        all.iter().filter(|spelling| spelling.len() > 3).map(|spelling| without_vowel(spelling)).collect::<Vec<_>>();
    all.extend(endings);
    all.extend(cases);
    let mut seen = HashSet::new();
    all.retain(|spelling| !spelling.is_empty() && seen.insert(spelling.clone()));
    all
}

/// Strips the vowel that Russian cases replace: Анны, Анне, Анной.
fn without_vowel(word: &str) -> String {
    let rest = word.trim_end_matches(['a', 'e', 'i', 'o', 'u', 'y']);
    if rest.len() >= 3 { rest.to_owned() } else { word.to_owned() }
}

/// Spellings of a name, which don't depend on the document.
#[derive(Debug, Clone)]
pub struct Spelling {
    plain: String,
    others: BTreeSet<String>,
}

/// Computes the spellings of a name, for [`joined`].
#[must_use]
pub fn spell(name: &str) -> Spelling {
    let (mut plain, mut others) = (Vec::new(), BTreeSet::new());
    for word in pieces(name).into_iter().filter(|piece| !piece.japanese).map(|piece| &name[piece.at]) {
        let mut spellings = spellings(word).into_iter();
        plain.extend(spellings.next());
        others.extend(spellings);
    }
    // D'Angelo is often typed without the apostrophe.
    for joined in name.split_whitespace().filter(|word| word.contains(super::APOSTROPHES)) {
        others.extend(spellings(&joined.replace(super::APOSTROPHES, "")));
    }
    Spelling { plain: plain.join(" "), others }
}

/// Returns the searchable companions of names: the plain names, then each of the other spellings of their words.
#[must_use]
pub fn joined<'a>(names: impl Iterator<Item = &'a Spelling> + Clone) -> Vec<String> {
    let known: HashSet<&str> = names.clone().flat_map(|name| name.plain.split(' ')).collect();
    let others: BTreeSet<&String> = names.clone().flat_map(|name| &name.others).collect();
    let others = others.into_iter().filter(|spelling| !known.contains(spelling.as_str()));
    names.map(|name| &name.plain).chain(others).filter(|companion| !companion.is_empty()).cloned().collect()
}

/// Spells names and returns their companions ([`joined`]).
#[must_use]
pub fn companions<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let names: Vec<Spelling> = names.into_iter().map(spell).collect();
    joined(names.iter())
}

/// Returns the companions of a name in kana and kanji. A name in romaji is also returned in hiragana, with its words in both orders.
#[must_use]
pub fn japanese_spellings(name: &str) -> Vec<String> {
    let mut out = vec![japanese::companion(name)];
    let words: Option<Vec<String>> = fold(name).split_whitespace().map(hiragana).collect();
    if let Some(mut words) = words.filter(|words| words.len() > 1) {
        out.push(japanese::companion(&words.concat()));
        words.reverse();
        out.push(japanese::companion(&words.concat()));
    }
    out.retain(|part| !part.is_empty());
    out
}

/// Returns the distinct Japanese companions of names.
#[must_use]
pub fn japanese_companions<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut out: Vec<String> = names.into_iter().flat_map(japanese_spellings).collect();
    let mut seen = HashSet::new();
    out.retain(|part| seen.insert(part.clone()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::query;

    fn has_all(companions: &[String], words: &str) -> bool {
        words.split(' ').all(|word| companions.iter().any(|companion| companion.split(' ').any(|token| token == word)))
    }

    #[test]
    fn names_are_found_in_cyrillic_and_in_every_language() {
        for (name, typed) in [
            ("Shizuka Tachibana", "Сидзука Татибана"),
            ("Yuki Mori", "Юки Мори"),
            ("Kenji Ito", "Кендзи Ито"),
            ("Mia Clark", "Мия Кларк"),
            ("Lena Schröder", "Лена Шрёдер"),
            ("Anna Lind", "Анны Линд"),
        ] {
            assert!(has_all(&companions([name]), &query(typed, Lang::Ru)), "{typed}: {:?}", companions([name]));
        }
        for lang in Lang::ALL {
            for name in ["Carlos Reyes", "Lena Schroeder", "Inés Núñez", "Giulia D'Angelo", "Sanne de Vries"] {
                let spelled = companions([name.replace("Schroeder", "Schröder").as_str()]);
                assert!(has_all(&spelled, &query(name, *lang)), "{lang} {name}: {spelled:?}");
            }
        }
    }

    #[test]
    fn names_are_found_in_kana_in_either_order() {
        let text = japanese_companions(["Shizuka Tachibana"]);
        for typed in ["たちばなしずか", "シズカ タチバナ"] {
            assert!(has_all(&text, &query(typed, Lang::Ja)), "{typed}: {text:?}");
        }
    }
}
