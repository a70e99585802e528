//! Language codes: ISO 639-3 as milli has them, and the two-letter ones clients prefer.

use milli_core::tokenizer::Language;

/// Two-letter codes and the three-letter ones they stand for.
const SHORT: [(&str, &str); 68] = [
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
];

/// The language of a two- or three-letter code.
pub fn language(code: &str) -> Option<Language> {
    let long = SHORT.iter().find(|(short, _)| *short == code).map_or(code, |(_, long)| long);
    Language::from_code(long)
}

/// The languages of `codes`, or the first code that is none.
pub fn languages(codes: &[String]) -> Result<Vec<Language>, &str> {
    codes.iter().map(|code| language(code).ok_or(code.as_str())).collect()
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
