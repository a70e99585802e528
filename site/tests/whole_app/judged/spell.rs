//! Misspells words, removes accents, and transliterates words to Latin letters.

use super::{dice::Dice, words::script};

/// Letters and their replacements on a keyboard without accents.
const PLAIN: [(&str, &str); 12] = [
    ("áàâãäåą", "a"),
    ("éèêëę", "e"),
    ("íìîï", "i"),
    ("óòôõö", "o"),
    ("úùûü", "u"),
    ("çć", "c"),
    ("ñń", "n"),
    ("śš", "s"),
    ("źżž", "z"),
    ("ł", "l"),
    ("ß", "ss"),
    ("ё", "е"),
];
/// German without umlauts.
const DIGRAPHS: [(&str, &str); 4] = [("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")];
/// Russian in Latin letters.
const LATIN: [(&str, &str); 33] = [
    ("а", "a"),
    ("б", "b"),
    ("в", "v"),
    ("г", "g"),
    ("д", "d"),
    ("е", "e"),
    ("ё", "yo"),
    ("ж", "zh"),
    ("з", "z"),
    ("и", "i"),
    ("й", "y"),
    ("к", "k"),
    ("л", "l"),
    ("м", "m"),
    ("н", "n"),
    ("о", "o"),
    ("п", "p"),
    ("р", "r"),
    ("с", "s"),
    ("т", "t"),
    ("у", "u"),
    ("ф", "f"),
    ("х", "kh"),
    ("ц", "ts"),
    ("ч", "ch"),
    ("ш", "sh"),
    ("щ", "shch"),
    ("ъ", ""),
    ("ы", "y"),
    ("ь", ""),
    ("э", "e"),
    ("ю", "yu"),
    ("я", "ya"),
];

fn replaced(word: &str, table: &[(&str, &str)]) -> String {
    let of = |c: char| table.iter().find(|(from, _)| from.contains(c)).map(|(_, to)| *to);
    word.chars().map(|c| of(c).map_or_else(|| c.to_string(), str::to_owned)).collect()
}

/// Returns spellings of a lowercase word without accents, umlauts or Cyrillic letters.
pub fn plainly(word: &str) -> Vec<String> {
    let mut ways: Vec<String> = [&PLAIN[..], &DIGRAPHS, &LATIN].map(|table| replaced(word, table)).into();
    ways.retain(|way| way != word && !is_half_done(way));
    ways.dedup();
    ways
}

/// Whether the table left accents unreplaced, or left nothing of the word.
fn is_half_done(way: &str) -> bool {
    way.is_empty() || PLAIN.iter().any(|(from, _)| way.contains(|c| c != 'ё' && from.contains(c)))
}

/// Returns the word with `slips` typing errors. In each, a letter is omitted, doubled, swapped with the next, or replaced by one of
/// `letters` in its script, because a keyboard has only one script.
pub fn misspelled(dice: &mut Dice, word: &str, slips: usize, letters: &[char]) -> String {
    let mut word: Vec<char> = word.chars().collect();
    for _ in 0..slips {
        let at = dice.below(word.len());
        match dice.below(4) {
            0 => {
                word.remove(at);
            }
            1 => word.insert(at, word[at]),
            2 if at + 1 < word.len() => word.swap(at, at + 1),
            _ => {
                let alike: Vec<char> = letters.iter().copied().filter(|c| script(*c) == script(word[at])).collect();
                word[at] = *dice.pick(&alike);
            }
        }
    }
    word.into_iter().collect()
}

#[test]
fn plain_spellings_have_neither_accents_nor_cyrillic() {
    assert_eq!(plainly("straße"), ["strasse"]);
    assert_eq!(plainly("märkte"), ["markte", "maerkte"]);
    assert_eq!(plainly("źródło"), ["zrodlo"]);
    assert_eq!(plainly("ёлка"), ["елка", "yolka"]);
    assert!(plainly("market").is_empty() && plainly("温泉").is_empty());
}
