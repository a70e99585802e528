//! Language codes: milli's three-letter codes (ISO 639-3), and the two-letter codes that clients prefer.

use std::convert::Infallible;
use std::sync::LazyLock;

use deserr::{DeserializeError, Deserr, ErrorKind, IntoValue, ValuePointerRef, take_cf_content};
use milli_core::tokenizer::Language;

/// Two-letter codes with their three-letter equivalents.
const SHORT: [(&str, &str); 69] = [
    ("af", "afr"),
    ("ak", "aka"),
    ("am", "amh"),
    ("ar", "ara"),
    ("az", "aze"),
    ("be", "bel"),
    ("bg", "bul"),
    ("bn", "ben"),
    ("ca", "cat"),
    ("cs", "ces"),
    ("da", "dan"),
    ("de", "deu"),
    ("el", "ell"),
    ("en", "eng"),
    ("eo", "epo"),
    ("es", "spa"),
    ("et", "est"),
    ("fa", "pes"),
    ("fi", "fin"),
    ("fr", "fra"),
    ("gu", "guj"),
    ("he", "heb"),
    ("hi", "hin"),
    ("hr", "hrv"),
    ("hu", "hun"),
    ("hy", "hye"),
    ("id", "ind"),
    ("it", "ita"),
    ("ja", "jpn"),
    ("jv", "jav"),
    ("ka", "kat"),
    ("km", "khm"),
    ("kn", "kan"),
    ("ko", "kor"),
    ("la", "lat"),
    ("lt", "lit"),
    ("lv", "lav"),
    ("mk", "mkd"),
    ("ml", "mal"),
    ("mr", "mar"),
    ("my", "mya"),
    ("nb", "nob"),
    ("ne", "nep"),
    ("nl", "nld"),
    ("or", "ori"),
    ("pa", "pan"),
    ("pl", "pol"),
    ("pt", "por"),
    ("ro", "ron"),
    ("ru", "rus"),
    ("si", "sin"),
    ("sk", "slk"),
    ("sl", "slv"),
    ("sn", "sna"),
    ("sr", "srp"),
    ("sv", "swe"),
    ("ta", "tam"),
    ("te", "tel"),
    ("th", "tha"),
    ("tk", "tuk"),
    ("tl", "tgl"),
    ("tr", "tur"),
    ("uk", "ukr"),
    ("ur", "urd"),
    ("uz", "uzb"),
    ("yi", "yid"),
    ("vi", "vie"),
    ("zh", "zho"),
    ("zu", "zul"),
];

/// Returns the language of a two- or three-letter code.
pub fn language(code: &str) -> Option<Language> {
    let long = SHORT.iter().find(|(short, _)| *short == code).map_or(code, |(_, long)| long);
    Language::from_code(long)
}

/// All codes. Two-letter codes come first.
static CODES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let (short, long): (Vec<_>, Vec<_>) = SHORT.iter().copied().unzip();
    short.into_iter().chain(long).chain(["cmn"]).collect()
});

/// A language in settings.
#[derive(Debug, Clone, Copy)]
pub struct Locale(pub Language);

impl<E: DeserializeError> Deserr<E> for Locale {
    fn deserialize_from_value<V: IntoValue>(value: deserr::Value<V>, at: ValuePointerRef<'_>) -> Result<Self, E> {
        let code = String::deserialize_from_value(value, at)?;
        language(&code).map(Self).ok_or_else(|| {
            let unknown = ErrorKind::UnknownValue { value: &code, accepted: &CODES };
            take_cf_content(E::error::<Infallible>(None, unknown, at))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_short_code_is_a_language() {
        for (short, long) in SHORT {
            assert_eq!(language(short).map(|l| l.code()), Some(long), "{short}");
        }
        assert_eq!(language("jpn"), Some(Language::Jpn));
        assert_eq!(language("xx"), None);
    }
}
