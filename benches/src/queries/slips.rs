//! Misspells words as people do: slips of the finger, letters that sound alike, and missing accents.

use lantern_config::Lang;
use rand::{
    Rng,
    seq::{IndexedRandom, SliceRandom},
};
use rand_chacha::ChaCha8Rng;

use super::words::{Script, plain, script};

/// Minimum length of a misspelled word in letters. Of shorter words too little is left to recognize them.
pub const SLIP_LETTERS: usize = 5;

/// Rows of keyboards.
const QWERTY: [&str; 3] = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];
const QWERTZ: [&str; 3] = ["qwertzuiopü", "asdfghjklöä", "yxcvbnm"];
const AZERTY: [&str; 3] = ["azertyuiop", "qsdfghjklm", "wxcvbn"];
const RUSSIAN: [&str; 3] = ["йцукенгшщзхъ", "фывапролджэ", "ячсмитьбю"];

/// Spellings that sound alike, in each script.
const LATIN_SOUNDS: [(&str, &str); 6] = [("ph", "f"), ("ck", "k"), ("sch", "sh"), ("ie", "ei"), ("y", "i"), ("z", "s")];
const CYRILLIC_SOUNDS: [(&str, &str); 5] = [("о", "а"), ("е", "и"), ("ться", "тся"), ("нн", "н"), ("ы", "и")];
const KATAKANA_SOUNDS: [(&str, &str); 4] = [("ー", ""), ("ヴァ", "バ"), ("ッ", "ツ"), ("ティ", "チ")];

#[derive(Debug, Clone, Copy)]
enum Slip {
    Neighbour,
    Doubled,
    Dropped,
    Swapped,
    Sound,
    Accents,
}

const SLIPS: [Slip; 6] = [Slip::Neighbour, Slip::Doubled, Slip::Dropped, Slip::Swapped, Slip::Sound, Slip::Accents];

/// Misspells a word once. Returns `None` if it is too short, or written in kanji.
pub fn misspelled(word: &str, lang: Lang, rng: &mut ChaCha8Rng) -> Option<String> {
    let word = word.to_lowercase();
    let letters: Vec<char> = word.chars().collect();
    let is_spelled = letters.iter().all(|c| matches!(script(*c), Some(Script::Letters | Script::Katakana)));
    if letters.len() < SLIP_LETTERS || !is_spelled {
        return None;
    }
    let mut slips = SLIPS;
    slips.shuffle(rng);
    slips.into_iter().filter_map(|slip| slipped(slip, &letters, lang, rng)).find(|typed| *typed != word)
}

fn slipped(slip: Slip, letters: &[char], lang: Lang, rng: &mut ChaCha8Rng) -> Option<String> {
    let at = rng.random_range(0..letters.len() - 1);
    let mut typed = letters.to_vec();
    match slip {
        Slip::Neighbour => {
            let near = |at: usize| neighbours(letters[at], lang).into_iter().map(move |near| (at, near));
            let (at, near) = *(0..letters.len()).flat_map(near).collect::<Vec<_>>().choose(rng)?;
            typed[at] = near;
        }
        Slip::Doubled => typed.insert(at, letters[at]),
        Slip::Dropped => drop(typed.remove(at)),
        Slip::Swapped => typed.swap(at, at + 1),
        Slip::Sound => return misheard(letters, rng),
        Slip::Accents => return Some(without_accents(letters)),
    }
    Some(typed.into_iter().collect())
}

/// Returns the letters beside a letter on the keyboard.
fn neighbours(letter: char, lang: Lang) -> Vec<char> {
    let rows = match lang {
        Lang::De => &QWERTZ,
        Lang::Fr => &AZERTY,
        Lang::Ru => &RUSSIAN,
        _ => &QWERTY,
    };
    for row in rows {
        let row: Vec<char> = row.chars().collect();
        if let Some(at) = row.iter().position(|c| *c == letter) {
            return [at.checked_sub(1), Some(at + 1)]
                .into_iter()
                .flatten()
                .filter_map(|at| row.get(at))
                .copied()
                .collect();
        }
    }
    Vec::new()
}

fn misheard(letters: &[char], rng: &mut ChaCha8Rng) -> Option<String> {
    let sounds: &[(&str, &str)] = match letters.first().copied()? {
        '\u{400}'..='\u{4FF}' => &CYRILLIC_SOUNDS,
        c if script(c) == Some(Script::Katakana) => &KATAKANA_SOUNDS,
        _ => &LATIN_SOUNDS,
    };
    let word: String = letters.iter().collect();
    let both = sounds.iter().flat_map(|(a, b)| [(*a, *b), (*b, *a)]).filter(|(from, _)| !from.is_empty());
    let heard = both.flat_map(|(from, to)| {
        let word = &word;
        word.match_indices(from).map(move |(at, _)| format!("{}{to}{}", &word[..at], &word[at + from.len()..]))
    });
    heard.collect::<Vec<String>>().choose(rng).cloned()
}

/// Removes accents. The Russian й is a letter of its own.
fn without_accents(letters: &[char]) -> String {
    let bare = |c: &char| plain(*c).filter(|_| *c != 'й').map_or_else(|| c.to_string(), str::to_owned);
    letters.iter().map(bare).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::SeedableRng;

    use super::*;

    fn typed(word: &str, lang: Lang) -> BTreeSet<String> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        (0..500).filter_map(|_| misspelled(word, lang, &mut rng)).collect()
    }

    #[test]
    fn every_kind_of_slip_occurs() {
        let typed = typed("Fischerin", Lang::De);
        for slip in ["fisherin", "fidcherin", "fiischerin", "ficherin", "ifscherin", "phischerin", "fyscherin"] {
            assert!(typed.contains(slip), "{slip}: {typed:?}");
        }
        assert!(!typed.contains("fischerin"));
    }

    #[test]
    fn accents_are_left_out() {
        assert_eq!(without_accents(&"źródło".chars().collect::<Vec<_>>()), "zrodlo");
        assert_eq!(without_accents(&"зелёный".chars().collect::<Vec<_>>()), "зеленый");
        assert!(typed("Märkte", Lang::De).contains("markte"));
    }

    #[test]
    fn short_words_and_kanji_are_not_misspelled() {
        assert!(typed("cats", Lang::En).is_empty() && typed("東京温泉旅行", Lang::Ja).is_empty());
        assert!(typed("スキーヤー", Lang::Ja).contains("スキヤー"));
    }

    #[test]
    fn neighbours_follow_keyboard_of_language() {
        assert_eq!(neighbours('a', Lang::En), ['s']);
        assert_eq!(neighbours('a', Lang::Fr), ['z']);
        assert_eq!(neighbours('z', Lang::De), ['t', 'u']);
        assert_eq!(neighbours('ы', Lang::Ru), ['ф', 'в']);
    }
}
