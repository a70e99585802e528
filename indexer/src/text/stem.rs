//! Words without their endings: number, gender, case, and the commonest verb forms.
//!
//! Light on purpose. What is cut must leave a word that is still recognisable, because the engine takes the
//! last word of a query for a beginning; derivations (dance, dancer) stay apart. Input is folded.

use lantern_config::Lang;

/// An ending, what takes its place, and how many letters must be left before it.
type Rule = (&'static str, &'static str, usize);

const ENGLISH: &[Rule] = &[
    ("leaves", "leaf", 0),
    ("wives", "wife", 0),
    ("feet", "foot", 0),
    ("men", "man", 0),
    ("sses", "ss", 1),
    ("ies", "y", 2),
    ("ches", "ch", 2),
    ("shes", "sh", 2),
    ("xes", "x", 2),
    ("zzes", "zz", 1),
    ("ss", "ss", 0),
    ("us", "us", 0),
    ("is", "is", 0),
    ("s", "", 3),
];
const ENGLISH_VERBS: &[Rule] = &[("eed", "eed", 0), ("ing", "", 4), ("ed", "", 4), ("e", "", 4)];
const GERMAN_FEMININE: &[Rule] = &[("erinnen", "er", 4), ("erin", "er", 4)];
const GERMAN: &[Rule] = &[
    ("ern", "", 3),
    ("em", "", 3),
    ("en", "", 3),
    ("er", "", 3),
    ("es", "", 3),
    ("e", "", 3),
    ("ss", "ss", 0),
    ("s", "", 4),
    ("n", "n", 0),
];
const DUTCH: &[Rule] = &[
    ("steden", "stad", 0),
    ("tjes", "", 3),
    ("jes", "", 3),
    ("tje", "", 3),
    ("je", "", 3),
    ("eren", "", 4),
    ("en", "", 2),
    ("ss", "ss", 0),
    ("s", "", 4),
    ("ee", "ee", 0),
    ("e", "", 3),
];
const FRENCH: &[Rule] = &[
    ("vieilles", "vieux", 0),
    ("vieille", "vieux", 0),
    ("vieil", "vieux", 0),
    ("eaux", "eau", 0),
    ("aux", "al", 3),
    ("ss", "ss", 0),
    ("eux", "eux", 0),
    ("oux", "ou", 2),
    ("s", "", 3),
];
const FRENCH_FEMININE: &[Rule] = &[
    ("euse", "eur", 3),
    ("trice", "teur", 3),
    ("iere", "ier", 3),
    ("ives", "if", 3),
    ("ive", "if", 4),
    ("ees", "e", 3),
    ("ee", "e", 3),
    ("lle", "l", 3),
    ("nne", "n", 3),
    ("ette", "et", 3),
    ("te", "t", 5),
    ("de", "d", 5),
    ("e", "e", 0),
];
const SPANISH: &[Rule] = &[
    ("ces", "z", 2),
    ("iones", "ion", 1),
    ("les", "l", 3),
    ("nes", "n", 3),
    ("res", "r", 2),
    ("des", "d", 3),
    ("ses", "s", 3),
    ("s", "", 3),
];
const GENDER: &[Rule] = &[("ao", "ao", 0), ("a", "", 5), ("o", "", 5)];
const PORTUGUESE: &[Rule] = &[
    ("oes", "ao", 2),
    ("aes", "ao", 1),
    ("aos", "ao", 1),
    ("ais", "al", 2),
    ("eis", "el", 2),
    ("ois", "ol", 2),
    ("ns", "m", 2),
    ("zes", "z", 2),
    ("res", "r", 2),
    ("ses", "s", 3),
    ("s", "", 3),
];
const ITALIAN: &[Rule] = &[
    ("chi", "c", 1),
    ("che", "c", 2),
    ("ghi", "g", 2),
    ("ghe", "g", 2),
    ("ie", "", 3),
    ("ia", "", 3),
    ("io", "", 3),
    ("ii", "", 3),
    ("a", "", 3),
    ("e", "", 3),
    ("i", "", 3),
    ("o", "", 3),
];
const POLISH: &[Rule] = &[
    ("iego", "", 3),
    ("iemu", "", 3),
    ("iami", "", 3),
    ("iach", "", 3),
    ("dzie", "d", 2),
    ("rzach", "r", 3),
    ("rze", "r", 3),
    ("ego", "", 3),
    ("emu", "", 3),
    ("ymi", "", 3),
    ("imi", "", 3),
    ("ami", "", 3),
    ("ach", "", 3),
    ("iej", "", 3),
    ("ich", "", 3),
    ("ych", "", 3),
    ("iem", "", 3),
    ("cie", "t", 4),
    ("nie", "n", 3),
    ("zie", "z", 3),
    ("sie", "s", 3),
    ("wie", "w", 3),
    ("iom", "", 3),
    ("iow", "", 3),
    ("om", "", 3),
    ("ow", "", 3),
    ("ej", "", 3),
    ("ym", "", 3),
    ("im", "", 3),
    ("em", "", 3),
    ("ia", "", 3),
    ("ie", "", 3),
    ("iu", "", 3),
    ("ii", "", 3),
    ("a", "", 3),
    ("e", "", 3),
    ("i", "", 3),
    ("o", "", 3),
    ("u", "", 3),
    ("y", "", 3),
];
/// Vowels that come and go before the last consonant.
const POLISH_VOWELS: &[Rule] = &[("ek", "k", 4), ("rz", "r", 4), ("iec", "c", 3)];
const RUSSIAN: &[Rule] = &[
    ("иями", "", 3),
    ("ями", "", 3),
    ("ами", "", 3),
    ("ыми", "", 3),
    ("ими", "", 3),
    ("ого", "", 3),
    ("его", "", 3),
    ("ому", "", 3),
    ("ему", "", 3),
    ("иях", "", 3),
    ("иям", "", 3),
    ("ием", "", 3),
    ("иеи", "", 3),
    ("ыи", "", 3),
    ("ии", "", 3),
    ("ои", "", 3),
    ("еи", "", 3),
    ("ая", "", 3),
    ("яя", "", 3),
    ("ое", "", 3),
    ("ее", "", 3),
    ("ые", "", 3),
    ("ие", "", 3),
    ("ым", "", 3),
    ("им", "", 3),
    ("ых", "", 3),
    ("их", "", 3),
    ("ую", "", 3),
    ("юю", "", 3),
    ("ия", "", 3),
    ("ию", "", 3),
    ("ах", "", 3),
    ("ях", "", 3),
    ("ов", "", 3),
    ("ев", "", 3),
    ("ам", "", 3),
    ("ям", "", 3),
    ("ом", "", 3),
    ("ем", "", 3),
    ("ью", "", 3),
    ("а", "", 3),
    ("я", "", 3),
    ("о", "", 3),
    ("е", "", 3),
    ("у", "", 3),
    ("ю", "", 3),
    ("ы", "", 3),
    ("и", "", 3),
];
const RUSSIAN_VOWELS: &[Rule] = &[("ок", "к", 3), ("ек", "к", 3), ("ец", "ц", 3), ("ь", "", 2)];

/// The first rule that fits; rules are ordered so that the longest ending comes first.
fn apply(word: &str, rules: &[Rule]) -> String {
    let fits =
        |(ending, _, least): &&Rule| word.strip_suffix(ending).is_some_and(|rest| rest.chars().count() >= *least);
    match rules.iter().find(fits) {
        Some((ending, instead, _)) => format!("{}{instead}", &word[..word.len() - ending.len()]),
        None => word.to_owned(),
    }
}

/// `running` has become `runn`.
fn undoubled(word: String) -> String {
    let mut back = word.chars().rev();
    match (back.next(), back.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, 'a' | 'e' | 'i' | 'o' | 'u' | 'l' | 's') => {
            word[..word.len() - a.len_utf8()].to_owned()
        }
        _ => word,
    }
}

fn english(word: &str) -> String {
    let singular = apply(word, ENGLISH);
    let base = apply(&singular, ENGLISH_VERBS);
    if base.len() + 1 < singular.len() { undoubled(base) } else { base }
}

/// Dutch spells a vowel twice or a consonant twice depending on the ending, and hardens v and z at the end.
fn dutch(word: &str) -> String {
    let mut letters: Vec<char> = apply(word, DUTCH).chars().collect();
    if let [.., a, b] = letters[..]
        && a == b
        && !"aeiou".contains(a)
    {
        letters.pop();
    }
    if let [.., before, last] = &mut letters[..]
        && !matches!(before, 'v' | 'z')
    {
        match *last {
            'v' => *last = 'f',
            'z' => *last = 's',
            _ => {}
        }
    }
    if let [.., a, b, last] = letters[..]
        && a == b
        && "aeou".contains(a)
        && !"aeiou".contains(last)
    {
        let at = letters.len() - 2;
        letters.remove(at);
    }
    letters.into_iter().collect()
}

/// The folded word without its endings.
pub fn stem(word: &str, lang: Lang) -> String {
    if word.chars().any(|c| c.is_numeric()) {
        return word.to_owned();
    }
    match lang {
        Lang::En | Lang::Ja => english(word),
        Lang::De => apply(&apply(word, GERMAN_FEMININE), GERMAN),
        Lang::Nl => dutch(word),
        Lang::Fr => apply(&apply(word, FRENCH), FRENCH_FEMININE),
        Lang::Es => apply(&apply(word, SPANISH), GENDER),
        Lang::Pt => apply(&apply(word, PORTUGUESE), GENDER),
        Lang::It => apply(word, ITALIAN),
        Lang::Pl => apply(&apply(word, POLISH), POLISH_VOWELS),
        Lang::Ru => apply(&apply(word, RUSSIAN), RUSSIAN_VOWELS),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        for (lang, forms) in [
            (Lang::En, &["beach", "beaches"][..]),
            (Lang::En, &["city", "cities"]),
            (Lang::En, &["woman", "women"]),
            (Lang::En, &["dance", "dancing", "danced", "dances"]),
            (Lang::De, &["strand", "strande", "stranden", "strandes"]),
            (Lang::De, &["alt", "alte", "alten", "altes"]),
            (Lang::Fr, &["cheval", "chevaux"]),
            (Lang::Fr, &["cache", "cachee", "cachees", "caches"]),
            (Lang::Fr, &["danseur", "danseuses"]),
            (Lang::Es, &["luz", "luces"]),
            (Lang::Es, &["bailarin", "bailarinas", "bailarines"]),
            (Lang::It, &["spiaggia", "spiagge"]),
            (Lang::It, &["lago", "laghi"]),
            (Lang::Pt, &["coracao", "coracoes"]),
            (Lang::Pt, &["animal", "animais"]),
            (Lang::Pl, &["plaza", "plaze", "plaz", "plazach"]),
            (Lang::Pl, &["jezioro", "jeziorze", "jeziora"]),
            (Lang::Ru, &["рынок", "рынка", "рынки", "рынках"]),
            (Lang::Ru, &["старая", "старые", "старого"]),
            (Lang::Nl, &["boom", "bomen"]),
            (Lang::Nl, &["huis", "huizen"]),
            (Lang::Nl, &["kat", "katten"]),
            (Lang::Nl, &["stad", "steden"]),
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form, lang)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{lang}: {stems:?}");
        }
    }

    #[test]
    fn other_words_stay_apart_and_numbers_whole() {
        for (lang, a, b) in [(Lang::En, "show", "shower"), (Lang::En, "corn", "corner"), (Lang::Es, "playa", "player")]
        {
            assert_ne!(stem(a, lang), stem(b, lang));
        }
        assert_eq!(stem("1990s", Lang::En), "1990s");
        assert_eq!(stem("is", Lang::En), "is");
    }
}
