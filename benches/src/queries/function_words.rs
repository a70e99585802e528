//! Function words of each language: articles, prepositions, conjunctions and particles. They name nothing, so that inserting them into a
//! query doesn't change its meaning.

use lantern_config::Lang;

/// Returns frequent function words in lowercase. All of them may stand between two nouns.
pub const fn function_words(lang: Lang) -> &'static [&'static str] {
    match lang {
        Lang::En => &[
            "the", "a", "an", "of", "in", "on", "at", "with", "and", "for", "from", "to", "by", "into", "over",
            "under", "after",
        ],
        Lang::Ru => {
            &["в", "на", "с", "и", "по", "у", "к", "из", "от", "для", "под", "над", "при", "без", "за", "после"]
        }
        Lang::De => &[
            "der", "die", "das", "dem", "den", "des", "ein", "eine", "einer", "im", "am", "auf", "mit", "und", "von",
            "für", "bei", "aus", "zum", "zur", "über", "unter", "nach", "vor",
        ],
        Lang::Fr => &[
            "le", "la", "les", "un", "une", "des", "du", "de", "à", "au", "aux", "en", "dans", "sur", "avec", "et",
            "pour", "par", "sous", "entre",
        ],
        Lang::Es => &[
            "el", "la", "los", "las", "un", "una", "de", "del", "al", "en", "con", "y", "por", "para", "sobre", "bajo",
            "tras",
        ],
        Lang::Pl => {
            &["w", "we", "na", "z", "ze", "i", "do", "od", "po", "przy", "dla", "nad", "pod", "bez", "przez", "przed"]
        }
        Lang::It => &[
            "il", "lo", "la", "gli", "le", "un", "una", "di", "del", "della", "dei", "al", "alla", "nel", "nella",
            "con", "e", "per", "su", "sul", "delle", "degli", "alle", "dalla", "sulla",
        ],
        Lang::Pt => &[
            "o", "a", "os", "as", "um", "uma", "de", "do", "da", "dos", "das", "em", "no", "na", "com", "e", "por",
            "para", "sob", "nas", "nos",
        ],
        Lang::Ja => &["の", "で", "と", "に", "は", "が", "を", "や", "へ", "も"],
        Lang::Nl => &[
            "de", "het", "een", "van", "in", "op", "met", "en", "aan", "bij", "voor", "naar", "uit", "over", "door",
            "onder", "na",
        ],
    }
}
