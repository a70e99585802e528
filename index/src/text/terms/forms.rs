//! Generates the inflected forms of a term in a language by varying the number and case of its last word.

use lantern_config::Lang;

/// Endings that a language appends to a word, and endings that replace its final letter.
struct Endings {
    added: &'static [&'static str],
    dropped: &'static [char],
    instead: &'static [&'static str],
}

const fn of_language(lang: Lang) -> Endings {
    let (added, dropped, instead): (&[&str], &[char], &[&str]) = match lang {
        Lang::En => (&["s", "es", "ed", "ing"], &['y', 'e'], &["ies", "ied", "ed", "ing"]),
        Lang::De => (&["s", "es", "e", "en", "em", "er", "ern", "n"], &['e'], &["en", "em", "er", "es"]),
        Lang::Nl => (&["s", "en", "e", "es", "je", "jes", "tje", "tjes"], &['e'], &["en"]),
        Lang::Fr => (&["s", "x", "e", "es"], &['e'], &["es", "s"]),
        Lang::Es => (&["s", "es"], &['o', 'a', 'z'], &["o", "a", "os", "as", "ces"]),
        Lang::Pt => (&["s", "es"], &['o', 'a', 'm'], &["o", "a", "os", "as", "ns"]),
        Lang::It => (&[], &['o', 'a', 'e'], &["o", "a", "e", "i"]),
        Lang::Pl => (
            &[
                "y", "i", "a", "e", "u", "ów", "owi", "om", "em", "iem", "ami", "ach", "ego", "emu", "ym", "im", "ych",
                "ich",
            ],
            &['a', 'e', 'i', 'y', 'o'],
            &["a", "e", "i", "y", "ą", "ę", "o", "u", "ej", "ego", "emu", "ym", "im", "ych", "ich", "om", "ami", "ach"],
        ),
        Lang::Ru => (
            &["ы", "и", "а", "у", "ом", "е", "ов", "ам", "ами", "ах"],
            &['а', 'я', 'о', 'е', 'ь', 'й', 'ы', 'и'],
            &[
                "а", "я", "ы", "и", "у", "ю", "е", "ой", "ей", "ом", "ем", "ам", "ям", "ами", "ями", "ах", "ях", "ов",
                "ев",
            ],
        ),
        Lang::Ja => (&[], &[], &[]),
    };
    Endings { added, dropped, instead }
}

/// Minimum number of letters that must be left when the final letter is replaced.
const STEM: usize = 3;

/// Returns the term and its forms.
pub(super) fn of(term: &str, lang: Lang) -> Vec<String> {
    let term = term.trim_end().to_lowercase();
    let Endings { added, dropped, instead } = of_language(lang);
    let mut forms: Vec<String> = added.iter().map(|ending| format!("{term}{ending}")).collect();
    if let Some(stem) = term.strip_suffix(dropped)
        && stem.chars().count() >= STEM
    {
        forms.extend(instead.iter().map(|ending| format!("{stem}{ending}")));
    }
    forms.push(term);
    forms
}
