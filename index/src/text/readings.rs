//! Looks up the readings of Japanese words: きもの, キモノ and kimono are all readings of 着物.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use unicode_normalization::UnicodeNormalization;

use super::{japanese::plain, romaji};

/// Returns the readings, each with its words.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = include_str!("readings.ja.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' '))
}

/// Readings and their words, by [`key`].
static READINGS: LazyLock<HashMap<String, Vec<(&str, &str)>>> = LazyLock::new(|| {
    let mut readings: HashMap<String, Vec<(&str, &str)>> = HashMap::new();
    for (reading, words) in lines() {
        readings.entry(key(reading)).or_default().push((reading, words));
    }
    readings
});

/// Minimum number of sounds in a reading that identifies a kanji within a word. Shorter readings match by chance and are mostly
/// Sino-Japanese.
const SOUNDS: usize = 2;

/// Words of two kanji whose reading ends with the reading that the second kanji has as a separate word: 初雪 (はつゆき) contains 雪 (ゆき), but 上海
/// (しゃんはい) doesn't contain 海 (うみ).
static WITH_SECOND_WORD: LazyLock<HashSet<[char; 2]>> = LazyLock::new(|| {
    let mut alone: HashMap<char, Vec<&str>> = HashMap::new();
    for (reading, words) in lines().filter(|(reading, _)| sounds(reading) >= SOUNDS) {
        for word in words.split(' ') {
            let mut kanji = word.chars();
            if let (Some(one), None) = (kanji.next(), kanji.next()) {
                alone.entry(one).or_default().push(reading);
            }
        }
    }
    let pair = |(reading, word): (&str, &str)| {
        let pair = <[char; 2]>::try_from(word.chars().collect::<Vec<_>>()).ok()?;
        alone.get(&pair[1])?.iter().any(|behind| ends_with_reading(reading, behind)).then_some(pair)
    };
    lines().flat_map(|(reading, words)| words.split(' ').map(move |word| (reading, word))).filter_map(pair).collect()
});

fn sounds(reading: &str) -> usize {
    reading.chars().filter(|kana| !"ゃゅょっー".contains(*kana)).count()
}

/// Whether a reading ends with another one. The first sound of the latter may be voiced within a word: よぞら ends with そら.
fn ends_with_reading(reading: &str, behind: &str) -> bool {
    let unvoiced = |text: &str| text.chars().next().and_then(|kana| std::iter::once(kana).nfd().next());
    let Some(at) = reading.len().checked_sub(behind.len()).filter(|at| *at > 0) else { return false };
    let Some(end) = reading.get(at..) else { return false };
    unvoiced(end) == unvoiced(behind) && end.chars().skip(1).eq(behind.chars().skip(1))
}

/// Whether the second of two kanji is a separate word within the word they form.
pub fn second_is_word(pair: [char; 2]) -> bool {
    WITH_SECOND_WORD.contains(&pair)
}

/// Returns the kanji words whose reading is the given word, which is in kana or, with `romaji`, in Latin letters. Words with exactly this
/// reading come first. Long vowels are optional.
#[must_use]
pub fn written(word: &str, romaji: bool) -> Vec<&'static str> {
    let Some(reading) = reading(word, romaji) else { return Vec::new() };
    let mut found = READINGS.get(&key(&reading)).cloned().unwrap_or_default();
    found.sort_by_key(|(known, _)| *known != reading);
    found.into_iter().flat_map(|(_, words)| words.split(' ')).collect()
}

/// Returns the sound of a word in kana or, with `romaji`, in Latin letters, independent of how long vowels are written: スキー, すきい and sukii
/// are equal. Returns `None` if the word has no reading.
#[must_use]
pub fn sound(word: &str, romaji: bool) -> Option<String> {
    let mut sound = String::new();
    for c in reading(word, romaji)?.chars().filter(|c| *c != 'ー') {
        let vowel = romaji::vowel(c);
        if vowel.is_none() && c != 'ん' && c != 'っ' {
            return None;
        }
        let lengthens = match c {
            'い' => &[1, 3][..],
            'う' => &[2, 4],
            'あ' => &[0],
            'え' => &[3],
            'お' => &[4],
            _ => &[],
        };
        let before = sound.chars().next_back().and_then(romaji::vowel);
        if !before.is_some_and(|before| lengthens.contains(&before)) {
            sound.push(c);
        }
    }
    Some(sound)
}

/// Returns every reading with each of its words.
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    lines().flat_map(|(reading, words)| words.split(' ').map(move |word| (reading, word)))
}

/// Returns the word in hiragana, or `None` if it is in Latin letters and not `romaji`.
pub fn reading(word: &str, romaji: bool) -> Option<String> {
    match word.chars().all(|c| c.is_ascii_alphabetic()) {
        true if romaji => romaji::hiragana(word),
        true => None,
        false => Some(plain(word)),
    }
}

/// Returns a reading without vowel lengthening: きょうと and きょと are equal.
fn key(reading: &str) -> String {
    let mut key = String::new();
    for c in plain(reading).chars() {
        let lengthens = match c {
            'ー' => true,
            'う' => key.ends_with(is_lengthened_by_u),
            _ => false,
        };
        if !lengthens {
            key.push(c);
        }
    }
    key
}

/// Whether う lengthens this kana, that is, whether it ends in o or u.
fn is_lengthened_by_u(c: char) -> bool {
    "おこごそぞとどのほぼぽもよょろをうくぐすずつづぬふぶぷむゆゅる".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_kanji_is_a_word_if_its_reading_matches() {
        for (word, is_one) in [
            (['初', '雪'], true),
            (['夜', '空'], true),
            (['上', '海'], false),
            (['電', '車'], false),
            (['京', '都'], false),
        ] {
            assert_eq!(second_is_word(word), is_one, "{word:?}");
        }
    }

    #[test]
    fn words_are_found_by_reading_in_any_script() {
        for (typed, word) in [
            ("もみじ", "紅葉"),
            ("キモノ", "着物"),
            ("きょうと", "京都"),
            ("kyoto", "京都"),
            ("toudai", "灯台"),
            ("todai", "灯台"),
            ("matcha", "抹茶"),
            ("yuki", "雪"),
        ] {
            assert!(written(typed, true).contains(&word), "{typed}: {:?}", written(typed, true));
        }
        assert_eq!(written("kyouto", true)[0], "京都");
        assert_eq!(written("とうだい", false)[0], "灯台");
        for (typed, like) in [("sukii", "スキー"), ("すきい", "スキー"), ("gitaa", "ギター"), ("keeki", "ケイキ")]
        {
            assert_eq!(sound(typed, true), sound(like, false), "{typed}");
        }
        for (typed, other) in [("suki", "スシ"), ("kai", "カ"), ("kiu", "キ")] {
            assert_ne!(sound(typed, true), sound(other, false), "{typed}");
        }
        for typed in ["雪", "harbour", "sukii 2"] {
            assert_eq!(sound(typed, true), None, "{typed}");
        }
        for (typed, romaji) in [("kyoto", false), ("harbour", true), ("ぬぬぬ", true), ("京都", true)] {
            assert!(written(typed, romaji).is_empty(), "{typed}");
        }
    }
}
