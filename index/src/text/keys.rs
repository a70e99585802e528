//! Keys by which a search finds the words of titles and names through a filter. Each key has the language whose rules it follows, so that
//! `de:art` and `en:art` stay apart.

use std::collections::BTreeSet;

use lantern_config::Lang;

use super::{cyrillic, fold, is_word_char, japanese, parts, pieces};

/// Characters that join two words without a space: `KXR-204`, `rock'n'roll`.
const JOINERS: [char; 9] = ['-', '‐', '‑', '\'', '’', 'ʼ', '`', '.', '_'];
/// Tag of words without a language: names, and words joined by a hyphen or apostrophe.
const NAME: &str = "n";
/// Tag of characters in scripts without spaces.
const UNSPACED: &str = "u";

/// Tag of whole titles.
const TITLE: &str = "t";
/// Maximum number of characters of a title in its key. A query is hardly longer, and the engine's values are limited to 468 bytes.
const MAX_TITLE: usize = 69;

/// Returns the key of a companion's word.
#[must_use]
pub fn word_key(lang: Lang, stem: &str) -> String {
    format!("{lang}:{stem}")
}

/// Returns the key of a word in a name, or of a joined word.
#[must_use]
pub fn name_key(folded: &str) -> String {
    format!("{NAME}:{folded}")
}

/// Returns the key of a whole title. It ignores case, accents, punctuation and emoji, and the end of a long title.
#[must_use]
pub fn title_key(title: &str) -> String {
    let folded = fold(title);
    let words: Vec<&str> = folded.split(|c| !is_word_char(c)).filter(|word| !word.is_empty()).collect();
    format!("{TITLE}:{}", words.join(" ").chars().take(MAX_TITLE).collect::<String>())
}

/// Returns the keys of a typed word in a language: one for each part of a compound, or for each pair of Japanese characters.
#[must_use]
pub fn word_keys(word: &str, lang: Lang) -> Vec<String> {
    if word.contains(japanese::is_japanese) {
        let pairs = japanese::segment(word);
        return pairs.split(' ').filter(|pair| !pair.is_empty()).map(|pair| word_key(Lang::Ja, pair)).collect();
    }
    parts(word, lang).iter().filter(|stem| !stem.is_empty()).map(|stem| word_key(lang, stem)).collect()
}

/// Returns the keys of companions ([`super::companion`]) in a language.
pub fn companion_keys(lang: Lang, companion: &str) -> impl Iterator<Item = String> + '_ {
    companion.split(' ').filter(|stem| !stem.is_empty()).map(move |stem| word_key(lang, stem))
}

/// Returns the keys of names' companions ([`super::names::joined`]): each word, and the whole name if it has several.
pub fn name_keys(companion: &str) -> impl Iterator<Item = String> + '_ {
    let whole = companion.contains(' ').then(|| whole_name_key(companion));
    companion.split(' ').filter(|word| !word.is_empty()).map(name_key).chain(whole)
}

/// Returns the key of a whole name, whichever of its words comes first.
#[must_use]
pub fn whole_name_key(name: &str) -> String {
    let is_cyrillic = |word: &str| word.chars().any(cyrillic::is_cyrillic);
    let spelled = |word: &str| if is_cyrillic(word) { parts(word, Lang::Ru).concat() } else { fold(word) };
    let mut words: Vec<String> = pieces(name).into_iter().map(|piece| spelled(&name[piece.at])).collect();
    words.sort_unstable();
    name_key(&words.join(" "))
}

/// Returns the keys of names' Japanese companions. A kanji alone means something else than the name in which it is.
pub fn japanese_name_keys(companion: &str) -> impl Iterator<Item = String> + '_ {
    let is_alone = |pair: &str| {
        let mut chars = pair.chars();
        matches!((chars.next(), chars.next()), (Some(one), Some(other)) if one == other && japanese::is_kanji(one))
    };
    companion.split(' ').filter(move |pair| !pair.is_empty() && !is_alone(pair)).map(name_key)
}

/// Returns the keys of words that are joined by a hyphen or apostrophe, and may also be typed without it. A code is also found by its
/// beginning, up to the last digit: `WFM5799` for *WF-M5799DWFX*.
#[must_use]
pub fn joined_keys(text: &str) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for run in text.split(|c: char| !is_word_char(c) && !JOINERS.contains(&c)) {
        let run = run.trim_matches(JOINERS);
        if run.contains(JOINERS) && !run.contains(japanese::is_japanese) {
            let joined = join(run);
            if let Some(end) = joined.rfind(|c: char| c.is_ascii_digit()).filter(|end| end + 1 < joined.len()) {
                keys.insert(name_key(&joined[..=end]));
            }
            keys.insert(name_key(&joined));
        }
    }
    keys
}

/// Returns a run of joined words without hyphens and apostrophes, folded.
#[must_use]
pub fn join(run: &str) -> String {
    fold(&run.replace(JOINERS, ""))
}

/// Whether the character joins two words.
#[must_use]
pub fn is_joiner(c: char) -> bool {
    JOINERS.contains(&c)
}

/// Returns the keys of Japanese companions.
pub fn japanese_keys(companion: &str) -> impl Iterator<Item = String> + '_ {
    companion_keys(Lang::Ja, companion)
}

/// Whether the character belongs to a script that is written without spaces, or with so few that words are found inside others, and that has
/// no companions of its own; or whether it is a picture, which is a word by itself.
#[must_use]
pub fn is_unspaced(c: char) -> bool {
    is_picture(c)
        || matches!(c,
            '\u{E00}'..='\u{EFF}' | '\u{1000}'..='\u{109F}' | '\u{1100}'..='\u{11FF}' | '\u{1780}'..='\u{17FF}' | '\u{AC00}'..='\u{D7A3}')
}

/// Whether the character is an emoji.
#[must_use]
pub fn is_picture(c: char) -> bool {
    matches!(c, '\u{1F300}'..='\u{1FAFF}' | '\u{2600}'..='\u{27BF}')
}

/// Returns the keys of the unspaced runs in a text: each character and each pair of adjacent ones.
#[must_use]
pub fn unspaced_keys(text: &str) -> BTreeSet<String> {
    let runs = text.split(|c| !is_unspaced(c)).filter(|run| !run.is_empty());
    runs.flat_map(|run| run_keys(run, 1).into_iter().chain(run_keys(run, 2))).collect()
}

/// Returns the keys of a typed word in an unspaced script, or none if it has other characters.
#[must_use]
pub fn typed_unspaced_keys(word: &str) -> Vec<String> {
    let is_other = |c| !is_unspaced(c);
    match word.chars().count() {
        0 => Vec::new(),
        _ if word.contains(is_other) => Vec::new(),
        1 => run_keys(word, 1),
        _ => run_keys(word, 2),
    }
}

/// Returns the keys of what is said, by the rules of titles. `companion` is the text's companion and its language. Words of a language
/// without rules have the keys of names.
#[must_use]
pub fn spoken_keys(text: &str, companion: Option<(Lang, &str)>) -> BTreeSet<String> {
    let mut keys: BTreeSet<String> = match companion {
        Some((lang, companion)) => companion_keys(lang, companion).collect(),
        None => {
            let words = pieces(text).into_iter().filter(|piece| !piece.japanese).map(|piece| &text[piece.at]);
            words.flat_map(|word| typed_name_keys(word, Lang::En)).collect()
        }
    };
    keys.extend(japanese_keys(&japanese::companion(text)));
    keys.extend(joined_keys(text));
    keys.extend(unspaced_keys(text));
    keys
}

fn run_keys(run: &str, length: usize) -> Vec<String> {
    let chars: Vec<char> = run.chars().collect();
    chars.windows(length).map(|part| format!("{UNSPACED}:{}", part.iter().collect::<String>())).collect()
}

/// Returns the keys by which a word that is typed in a language finds names. The names themselves have keys for their other spellings.
#[must_use]
pub fn typed_name_keys(word: &str, lang: Lang) -> BTreeSet<String> {
    if word.contains(japanese::is_japanese) {
        return BTreeSet::new();
    }
    let folded = fold(word);
    let plain = if folded.chars().any(cyrillic::is_cyrillic) { cyrillic::latin(&folded) } else { folded };
    parts(word, lang).into_iter().chain([plain]).filter(|word| !word.is_empty()).map(|word| name_key(&word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_words_are_found_without_the_joint() {
        for (text, keys) in [
            ("KXR-204 test", &["n:kxr204"][..]),
            ("Epson WF-M5799DWFX", &["n:wfm5799", "n:wfm5799dwfx"]),
            ("Rock'n'Rollator", &["n:rocknrollator"]),
            ("l'Amourette, lʼété", &["n:lamourette", "n:lete"]),
            ("well - known", &[]),
            ("end.", &[]),
        ] {
            assert_eq!(joined_keys(text).into_iter().collect::<Vec<_>>(), keys, "{text}");
        }
    }

    #[test]
    fn inner_words_of_unspaced_scripts_are_found() {
        for (text, typed) in
            [("한국어밤시장", "시장"), ("서울의 밤", "밤"), ("ตลาดกลางคืน", "กลางคืน"), ("Piano 🎹 night", "🎹")]
        {
            let keys = unspaced_keys(text);
            let typed = typed_unspaced_keys(typed);
            assert!(!typed.is_empty() && typed.iter().all(|key| keys.contains(key)), "{text} {typed:?}");
        }
        assert!(typed_unspaced_keys("night").is_empty() && unspaced_keys("night 夜市").is_empty());
    }

    #[test]
    fn names_are_found_whole_in_either_order_and_not_by_a_kanji() {
        let keys: Vec<String> = name_keys("kyoko takahashi").collect();
        assert_eq!(keys, ["n:kyoko", "n:takahashi", "n:kyoko takahashi"]);
        assert_eq!(whole_name_key("Takahashi Kyōko"), "n:kyoko takahashi");
        assert_eq!(whole_name_key("Giulia D’Angelo"), "n:angelo giulia");
        let russian = super::super::names::spell("Орлов Дмитрий");
        assert!(
            super::super::names::joined([&russian].into_iter())
                .iter()
                .flat_map(|companion| name_keys(companion))
                .any(|key| key == whole_name_key("Дмитрий Орлов"))
        );
        let japanese: Vec<String> = japanese_name_keys(&japanese::companion("七海")).collect();
        assert_eq!(japanese, ["n:七海"]);
    }

    #[test]
    fn titles_are_compared_without_decoration() {
        assert_eq!(title_key("🔥 Café – „NIGHT“!"), title_key("cafe night"));
        assert_ne!(title_key("Night market"), title_key("Market night"));
    }

    #[test]
    fn spoken_words_are_found_in_every_language() {
        for (text, lang, typed) in [
            ("Guten Abend am Hafen", Some(Lang::De), &word_keys("Häfen", Lang::De)[..]),
            ("夜市へ行こう", Some(Lang::Ja), &word_keys("夜市", Lang::Ja)),
            ("God natt, Göteborg", None, &["n:goteborg".to_owned(), "n:natt".to_owned()]),
            ("오늘 밤", None, &typed_unspaced_keys("밤")),
        ] {
            let companion = lang.map(|lang| (lang, super::super::companion(text, lang)));
            let keys = spoken_keys(text, companion.as_ref().map(|(lang, companion)| (*lang, companion.as_str())));
            assert!(!typed.is_empty() && typed.iter().all(|key| keys.contains(key)), "{text} {keys:?}");
        }
    }

    #[test]
    fn typed_words_have_the_keys_of_titles() {
        assert_eq!(word_keys("Spaziergänge", Lang::De), word_keys("Spaziergang", Lang::De));
        assert_eq!(word_keys("夜市", Lang::Ja), ["ja:夜市"]);
        assert_eq!(word_keys("Klavierabend", Lang::De).len(), 2);
    }
}
