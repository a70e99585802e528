//! Splits titles into words and compares them. The rules are independent of those of the search, so that a change of one can't please the
//! other.

use std::ops::Range;

use lantern_config::Lang;

use super::function_words::function_words;

/// Number of letters that two forms of a word share at least. Shorter beginnings are common to unrelated words.
pub const SHARED_LETTERS: usize = 5;
/// Maximum number of letters that two forms of a word don't share, which is the length of most endings.
const ENDING_LETTERS: usize = 3;
/// Minimum length of a content word in letters. Shorter words are mostly function words.
const CONTENT_LETTERS: usize = 3;
/// Minimum length of a Japanese content word. A single kanji is part of many words.
const CONTENT_KANJI: usize = 2;

/// Accented letters and ligatures of the ten languages, with what they become.
const PLAIN: [(&str, &str); 18] = [
    ("áàâãäåāą", "a"),
    ("éèêëēęě", "e"),
    ("íìîïī", "i"),
    ("óòôõöōøő", "o"),
    ("úùûüūůű", "u"),
    ("ýÿ", "y"),
    ("çćč", "c"),
    ("ñńň", "n"),
    ("śšş", "s"),
    ("źżž", "z"),
    ("ğ", "g"),
    ("ř", "r"),
    ("ł", "l"),
    ("ß", "ss"),
    ("æ", "ae"),
    ("œ", "oe"),
    ("ё", "е"),
    ("й", "и"),
];

/// Writing system of a run of characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Script {
    Kanji,
    Katakana,
    Hiragana,
    Letters,
}

/// Returns the script of a letter or digit.
pub fn script(c: char) -> Option<Script> {
    match c {
        '\u{3041}'..='\u{309F}' => Some(Script::Hiragana),
        '\u{30A1}'..='\u{30FA}' | 'ー' => Some(Script::Katakana),
        '\u{4E00}'..='\u{9FFF}' | '々' => Some(Script::Kanji),
        c if c.is_alphanumeric() => Some(Script::Letters),
        _ => None,
    }
}

fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}')
}

/// Returns the byte ranges of the words in a text. A word also ends where the script changes, because Japanese has no spaces.
pub fn pieces(text: &str) -> Vec<Range<usize>> {
    let (mut pieces, mut last) = (Vec::<Range<usize>>::new(), None);
    for (start, c) in text.char_indices() {
        let now = if is_mark(c) { last } else { script(c) };
        let end = start + c.len_utf8();
        match pieces.last_mut() {
            Some(piece) if now.is_some() && now == last => piece.end = end,
            _ if now.is_some() => pieces.push(start..end),
            _ => {}
        }
        last = now;
    }
    pieces
}

/// Returns the words of a text as written.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).into_iter().map(|piece| &text[piece])
}

/// Returns whether a visitor would search for the word: it is neither a number nor a function word.
pub fn is_content(word: &str, lang: Lang) -> bool {
    let count = word.chars().filter(|c| !is_mark(*c)).count();
    match word.chars().next().and_then(script) {
        Some(Script::Kanji | Script::Katakana) => count >= CONTENT_KANJI,
        Some(Script::Letters) => {
            count >= CONTENT_LETTERS
                && word.chars().all(|c| c.is_alphabetic() || is_mark(c))
                && !function_words(lang).contains(&word.to_lowercase().as_str())
        }
        _ => false,
    }
}

/// Removes the accent of a lowercase letter.
pub fn plain(c: char) -> Option<&'static str> {
    if c.is_ascii() {
        return None;
    }
    PLAIN.iter().find(|(letters, _)| letters.contains(c)).map(|(_, plain)| *plain)
}

/// Lowercases a text and removes accents. Full-width letters become ordinary ones.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().map(narrowed).flat_map(char::to_lowercase).filter(|c| !is_mark(*c)) {
        match plain(c) {
            Some(plain) => folded.push_str(plain),
            None => folded.push(c),
        }
    }
    folded
}

/// Distance between a full-width character and the ASCII character that it stands for.
const FULL_WIDTH: u32 = 0xFEE0;

fn narrowed(c: char) -> char {
    match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - FULL_WIDTH).unwrap_or(c),
        _ => c,
    }
}

/// Returns whether two folded words are equal or differ only at the end, as forms of one word do.
pub fn are_alike(a: &str, b: &str) -> bool {
    let shared = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count();
    let is_ending = |word: &str| word.chars().count() - shared <= ENDING_LETTERS;
    a == b || shared >= SHARED_LETTERS && is_ending(a) && is_ending(b)
}

/// Returns the first letters of a folded word. Words that are alike have the same ones.
pub fn key(word: &str) -> &str {
    word.char_indices().nth(SHARED_LETTERS).map_or(word, |(end, _)| &word[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_end_at_punctuation_and_where_script_changes() {
        let split = |text| words(text).collect::<Vec<_>>();
        assert_eq!(split("L’été à Saint-Malo, 2"), ["L", "été", "à", "Saint", "Malo", "2"]);
        assert_eq!(split("東京の夜カフェ、VLOG"), ["東京", "の", "夜", "カフェ", "VLOG"]);
        assert_eq!(split("e\u{301}te\u{301}"), ["e\u{301}te\u{301}"]);
    }

    #[test]
    fn content_words_exclude_numbers_and_function_words() {
        let content =
            |text, lang| words(text).filter(|word| is_content(word, lang)).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(content("The Market of Rome, part 2", Lang::En), ["Market", "Rome", "part"]);
        assert_eq!(content("Auf DEM Markt", Lang::De), ["Markt"]);
        assert_eq!(content("東京の夜カフェ", Lang::Ja), ["東京", "カフェ"]);
    }

    #[test]
    fn folding_ignores_case_accents_and_width() {
        assert_eq!(fold("ŹRÓDŁO Straße Ёлка Œuvre"), "zrodlo strasse елка oeuvre");
        assert_eq!(fold("e\u{301}te\u{301} ＴＯＫＹＯ"), "ete tokyo");
        assert_eq!(fold("カフェ"), "カフェ");
    }

    #[test]
    fn forms_of_a_word_share_its_beginning() {
        assert!(are_alike("garden", "gardens") && are_alike("rynek", "rynek") && are_alike("танцует", "танцуют"));
        assert!(!are_alike("night", "nice") && !are_alike("market", "marketplace") && !are_alike("cats", "cat"));
        assert_eq!((key("gardens"), key("cat"), key("ёлочки")), ("garde", "cat", "ёлочк"));
    }
}
