//! Languages of captions.

use isolang::Language;

/// Bibliographic codes of ISO 639-2, which many containers use, and the terminological ones.
const BIBLIOGRAPHIC: [(&str, &str); 20] = [
    ("alb", "sqi"),
    ("arm", "hye"),
    ("baq", "eus"),
    ("bur", "mya"),
    ("chi", "zho"),
    ("cze", "ces"),
    ("dut", "nld"),
    ("fre", "fra"),
    ("geo", "kat"),
    ("ger", "deu"),
    ("gre", "ell"),
    ("ice", "isl"),
    ("mac", "mkd"),
    ("mao", "mri"),
    ("may", "msa"),
    ("per", "fas"),
    ("rum", "ron"),
    ("slo", "slk"),
    ("tib", "bod"),
    ("wel", "cym"),
];

/// Returns the two-letter code (ISO 639-1) of a language tag with a two- or three-letter code, such as `ger` or `pt-BR`.
/// Languages without such a code and `und` yield `None`.
#[must_use]
pub fn code(tag: &str) -> Option<&'static str> {
    let primary = tag.split(['-', '_']).next()?.to_ascii_lowercase();
    let terminological = BIBLIOGRAPHIC.iter().find(|(code, _)| *code == primary).map(|(_, code)| *code);
    let code = terminological.unwrap_or(&primary);
    Language::from_639_1(code).or_else(|| Language::from_639_3(code))?.to_639_1()
}

/// Returns the three-letter code (ISO 639-3) of a two-letter code. Files use it.
#[must_use]
pub fn three_letters(code: &str) -> Option<&'static str> {
    Language::from_639_1(code).map(|language| language.to_639_3())
}

/// Returns the language's name in the language itself, starting with a capital letter as in a menu, or the code if it is
/// unknown.
#[must_use]
pub fn name(code: &str) -> String {
    let name = Language::from_639_1(code).and_then(|language| language.to_autonym()).unwrap_or(code);
    let mut rest = name.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_all_kinds_are_recognized() {
        let found = ["de", "DE", "deu", "ger", "pt-BR", "zh_Hans", "chi", "und", "", "zz", "gsw", "xx-de"].map(code);
        let wanted = ["de", "de", "de", "de", "pt", "zh", "zh"].map(Some);
        assert_eq!(found[..7], wanted);
        assert_eq!(found[7..], [None; 5]);
    }

    #[test]
    fn names_are_autonyms() {
        assert_eq!(["de", "fr", "ja", "zz"].map(name), ["Deutsch", "Français", "日本語", "Zz"]);
    }
}
