//! Labels of filter codes and countries in ten languages, from `labels.toml` and `countries.json`.

use std::{collections::BTreeMap, sync::LazyLock};

use crate::Lang;

type ByLang = BTreeMap<String, String>;

static LABELS: LazyLock<BTreeMap<String, BTreeMap<String, ByLang>>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded file is covered by a test")]
    toml::from_str(include_str!("../labels.toml")).expect("labels.toml is valid")
});

static COUNTRIES: LazyLock<BTreeMap<String, ByLang>> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the embedded file is covered by a test")]
    serde_json::from_str(include_str!("../countries.json")).expect("countries.json is valid")
});

/// Returns the label in `lang` for a `code` of `filter` (`race`, `country`, …). A code without a label, such as a number or letter, is
/// returned unchanged.
#[must_use]
pub fn label<'a>(filter: &str, code: &'a str, lang: Lang) -> &'a str {
    let found =
        if filter == "country" { COUNTRIES.get(code) } else { LABELS.get(filter).and_then(|codes| codes.get(code)) };
    found.and_then(|by_lang| by_lang.get(lang.as_str())).map_or(code, String::as_str)
}

/// Returns all codes of a filter in alphabetical order. The list is empty for a filter without a closed vocabulary.
#[must_use]
pub fn codes(filter: &str) -> Vec<&'static str> {
    if filter == "country" {
        return COUNTRIES.keys().map(String::as_str).collect();
    }
    LABELS.get(filter).map(|codes| codes.keys().map(String::as_str).collect()).unwrap_or_default()
}

/// Whether `code` is an ISO 3166-1 alpha-2 country code.
#[must_use]
pub fn is_country(code: &str) -> bool {
    COUNTRIES.contains_key(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_label_exists_in_every_language() {
        for (filter, codes) in LABELS.iter() {
            for (code, by_lang) in codes {
                for lang in Lang::ALL {
                    assert!(by_lang.contains_key(lang.as_str()), "{filter}.{code} lacks {lang}");
                }
            }
        }
        assert_eq!(COUNTRIES["JP"]["ru"], "Япония");
    }

    #[test]
    fn labels_fall_back_to_the_code() {
        assert_eq!(label("age", "25", Lang::De), "25");
        assert_eq!(label("country", "JP", Lang::En), "Japan");
    }
}
