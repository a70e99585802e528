//! Function words, which connect the words of a query without narrowing it.

use std::{collections::HashSet, sync::LazyLock};

use lantern_config::Lang;

use super::spelled;

/// Folded function words by language.
static WORDS: LazyLock<HashSet<(Lang, String)>> = LazyLock::new(|| {
    let lines = include_str!("function_words.txt").lines().filter_map(|line| line.split_once(": "));
    let of = |(lang, words): (&str, &'static str)| {
        let lang = lang.parse::<Lang>().ok()?;
        Some(words.split(' ').map(move |word| (lang, spelled(word))))
    };
    lines.filter_map(of).flatten().collect()
});

/// Whether the word, folded as by [`spelled`], is a function word of the language.
#[must_use]
pub fn is_function_word(spelled: &str, lang: Lang) -> bool {
    WORDS.contains(&(lang, spelled.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_function_words() {
        for (lang, word) in [
            (Lang::En, "over"),
            (Lang::De, "über"),
            (Lang::Nl, "bij"),
            (Lang::Fr, "À"),
            (Lang::Es, "sobre"),
            (Lang::It, "dell"),
            (Lang::Pt, "pela"),
            (Lang::Pl, "przy"),
            (Lang::Ru, "под"),
            (Lang::Ja, "の"),
        ] {
            assert!(is_function_word(&spelled(word), lang), "{word}");
        }
        assert!(!is_function_word("on", Lang::De));
    }
}
