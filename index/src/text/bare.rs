//! Normalizes text visually, to detect disguised text: `f0rbіdden`, `ⓕorbidden` and `FORBIDDEN` become equal.
//!
//! Invisible characters are removed, and compatibility forms are normalized (NFKC). Confusable characters from other scripts are replaced
//! by the letter they look like (Unicode TS 39 and [`lookalike`]). Accents are removed, and digits are replaced by the letters they stand
//! for. The result is for comparison only, because some letters share a spelling (`i` and `l`, `m` and `rn`). Each character is mapped
//! separately, so the bare form of a concatenation is the concatenation of the parts' bare forms.

use unicode_normalization::UnicodeNormalization;
use unicode_security::skeleton;

use super::{fold, fold::is_mark, japanese::is_japanese};

/// Whether the character is invisible (`Default_Ignorable_Code_Point`): zero-width and directional characters, fillers, variation
/// selectors, tags, and controls for shorthand and music.
#[must_use]
pub fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}' | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// Returns the visually normalized text without separators. Names that readers could confuse have the same result.
#[must_use]
pub fn bare(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in visible(text).chars().filter(|&c| is_word_char(c)) {
        push_bare(c, &mut out);
    }
    out
}

/// Removes invisible characters and normalizes compatibility forms.
pub(super) fn visible(text: &str) -> String {
    text.chars().filter(|&c| !is_ignorable(c)).nfkc().collect()
}

/// Whether the character is a letter or digit of any script, or looks like one.
pub(super) fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c) || enclosed(c).is_some()
}

/// Word as written in a text.
pub(super) struct Written<'a>(&'a str);

impl Written<'_> {
    /// Returns the visually normalized word.
    pub(super) fn bare(&self) -> String {
        spelled(self.0)
    }

    /// Like [`Self::bare`], but without leading and trailing digits. Returns `None` if there are no such digits.
    pub(super) fn without_digits(&self) -> Option<String> {
        let inside = self.0.trim_matches(|c: char| c.is_ascii_digit());
        (inside.len() < self.0.len() && !inside.is_empty()).then(|| spelled(inside))
    }
}

fn spelled(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    word.chars().for_each(|c| push_bare(c, &mut out));
    out
}

/// Splits a text from [`visible`] into words. With `signs`, symbols inside a word count as the letters they stand for (`forb!dden`).
pub(super) fn words(text: &str, signs: bool) -> Vec<Written<'_>> {
    let mut words: Vec<(usize, usize)> = Vec::new();
    let mut open = None;
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map_or(' ', |(_, next)| *next);
        let belongs = is_word_char(c) || signs && is_letter_by(before, c, next);
        // Regional indicators stand alone, and Japanese has no spaces.
        let begins = is_regional(c) || is_regional(before) || is_japanese(c) != is_japanese(before);
        before = c;
        match (belongs, open) {
            (true, Some(start)) if begins => {
                words.push((start, at));
                open = Some(at);
            }
            (true, None) => open = Some(at),
            (false, Some(start)) => {
                words.push((start, at));
                open = None;
            }
            _ => {}
        }
    }
    words.extend(open.map(|start| (start, text.len())));
    words.into_iter().map(|(start, end)| Written(&text[start..end])).collect()
}

/// Whether a text contains symbols that may stand for letters.
pub(super) fn has_signs(text: &str) -> bool {
    text.chars().any(|c| sign(c).is_some())
}

/// Whether a symbol stands for a letter at this position. At the end of a word, most symbols mean something else.
fn is_letter_by(before: char, c: char, next: char) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || sign(c).is_some();
    match c {
        '@' | '$' | '€' | '£' | '¢' => is_part(before) || is_part(next),
        _ => sign(c).is_some() && is_part(next),
    }
}

fn sign(c: char) -> Option<char> {
    Some(match c {
        '@' => 'a',
        '$' => 's',
        '€' => 'e',
        '£' | '!' | '¡' | '|' => 'l',
        '¢' => 'c',
        '+' => 't',
        _ => return None,
    })
}

fn is_regional(c: char) -> bool {
    matches!(c, '\u{1F1E6}'..='\u{1F1FF}')
}

/// Returns the letter inside an enclosed Latin capital that has no compatibility form.
fn enclosed(c: char) -> Option<char> {
    let first = match c {
        '\u{1F150}'..='\u{1F169}' => 0x1F150,
        '\u{1F170}'..='\u{1F189}' => 0x1F170,
        '\u{1F1E6}'..='\u{1F1FF}' => 0x1F1E6,
        _ => return None,
    };
    char::from_u32(u32::from(c) - first + u32::from('a'))
}

/// Maps letters that TS 39 doesn't map: small capitals, and Greek and Cyrillic letters whose capitals look like Latin ones.
fn lookalike(c: char) -> Option<char> {
    Some(match c {
        'ᴀ' => 'a',
        'ʙ' | 'в' | 'β' | 'ь' => 'b',
        'ᴄ' => 'c',
        'ᴅ' => 'd',
        'ᴇ' | 'ε' | 'ɛ' | 'з' => 'e',
        'ꜰ' => 'f',
        'ɢ' => 'g',
        'ʜ' | 'н' => 'h',
        'ɪ' | 'ι' => 'i',
        'ᴊ' => 'j',
        'ᴋ' | 'к' | 'κ' | 'ĸ' => 'k',
        'ʟ' => 'l',
        'ᴍ' | 'м' => 'm',
        'ɴ' | 'и' | 'п' | 'η' => 'n',
        'ᴏ' | 'σ' => 'o',
        'ᴘ' => 'p',
        'ꞯ' => 'q',
        'ʀ' | 'я' => 'r',
        'ꜱ' => 's',
        'ᴛ' | 'т' | 'τ' => 't',
        'ᴜ' | 'υ' => 'u',
        'ᴠ' | 'ν' => 'v',
        'ᴡ' | 'ω' => 'w',
        'χ' => 'x',
        'ʏ' | 'γ' => 'y',
        'ᴢ' => 'z',
        _ => return None,
    })
}

fn push_bare(c: char, out: &mut String) {
    if let Some(c) = sign(c).or_else(|| enclosed(c)) {
        return push_letter(c, out);
    }
    let lower = || c.to_lowercase();
    if c.is_ascii() {
        return lower().for_each(|c| push_letter(c, out));
    }
    // Remove accents first: TS 39 maps some accented letters to other letters.
    for c in fold(c.encode_utf8(&mut [0; 4])).chars() {
        if c.is_ascii() {
            push_letter(c, out);
            continue;
        }
        match lookalike(c) {
            Some(c) => push_letter(c, out),
            None => push_prototype(c, out),
        }
    }
}

/// Appends a letter's prototype according to TS 39. If only the prototype of its capital is ASCII, appends that one instead.
fn push_prototype(c: char, out: &mut String) {
    let of = |c: char| skeleton(c.encode_utf8(&mut [0; 4])).collect::<String>();
    let (small, capital) = (of(c), c.to_uppercase().map(of).collect::<String>());
    let alike = if small.is_ascii() || !capital.is_ascii() { small } else { capital };
    for c in fold(&alike).chars() {
        push_letter(lookalike(c).unwrap_or(c), out);
    }
}

fn push_letter(c: char, out: &mut String) {
    match c {
        '0' => out.push('o'),
        '1' | 'i' => out.push('l'),
        '2' => out.push('z'),
        '3' => out.push('e'),
        '4' => out.push('a'),
        '5' => out.push('s'),
        '6' | '8' => out.push('b'),
        '7' => out.push('t'),
        '9' => out.push('g'),
        'm' => out.push_str("rn"),
        'w' => out.push_str("vv"),
        c => out.push(c),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookalikes_have_one_spelling() {
        for text in [
            "FORBIDDEN",
            "f0rbidden",
            "f\u{43e}rbidden",
            "ｆｏｒｂｉｄｄｅｎ",
            "𝒻𝑜𝓇𝒷𝒾𝒹𝒹𝑒𝓃",
            "𝐟𝐨𝐫𝐛𝐢𝐝𝐝𝐞𝐧",
            "ꜰᴏʀʙɪᴅᴅᴇɴ",
            "ⓕⓞⓡⓑⓘⓓⓓⓔⓝ",
            "🅵🅾🆁🅱🅸🅳🅳🅴🅽",
            "🇫🇴🇷🇧🇮🇩🇩🇪🇳",
            "FОRВIDDЕИ",
            "förbïddéń",
            "f\u{336}o\u{336}r\u{336}b\u{336}i\u{336}d\u{336}d\u{336}e\u{336}n\u{336}",
            "for\u{1D173}bid\u{1BCA0}den",
            "f o-r_b.i/d d e n",
            "forb1dden",
            "forblddeп",
        ] {
            assert_eq!(bare(text), bare("forbidden"), "{text}");
        }
        assert_eq!(bare("Mоdеrаtоr"), bare("rnoderator"), "Cyrillic vowels, and r with n for m");
        assert_ne!(bare("lantern"), bare("lanterns"));
    }

    #[test]
    fn words_of_other_scripts_stay_apart() {
        for (a, b) in [("ночной", "рынок"), ("夜市", "夜空"), ("νύχτα", "αγορά")] {
            assert_ne!(bare(a), bare(b));
            assert!(!bare(a).is_empty());
        }
    }

    #[test]
    fn invisible_characters_are_removed() {
        // TS 39 omits the same characters.
        for c in '\0'..=char::MAX {
            let is_left_out = skeleton(c.encode_utf8(&mut [0; 4])).next().is_none();
            assert_eq!(is_ignorable(c), is_left_out, "{:x}", u32::from(c));
        }
        assert_eq!(bare("\u{200B}\u{1D173}\u{E0041} \u{1BCA3}!"), "");
    }
}
