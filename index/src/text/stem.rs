//! Stems words lightly by removing the endings for number, gender and case, and those of the most common verb forms.
//!
//! Stems must stay recognizable, because the engine treats the last word of a query as a prefix. Derivations (dance, dancer) stay separate.
//! Input must be folded.

use lantern_config::Lang;

use super::endings::*;

/// Applies the first matching rule. Rules are ordered by descending length of the ending.
pub(super) fn apply(word: &str, rules: &[Rule]) -> String {
    let fits =
        |(ending, _, least): &&Rule| word.strip_suffix(ending).is_some_and(|rest| rest.chars().count() >= *least);
    match rules.iter().find(fits) {
        Some((ending, instead, _)) => format!("{}{instead}", &word[..word.len() - ending.len()]),
        None => word.to_owned(),
    }
}

/// Removes a doubled consonant, as in `runn`, which is left of `running`.
pub(super) fn undoubled(word: String) -> String {
    let mut back = word.chars().rev();
    match (back.next(), back.next()) {
        (Some(a), Some(b)) if a == b && !matches!(a, 'a' | 'e' | 'i' | 'o' | 'u' | 'l' | 's') => {
            word[..word.len() - a.len_utf8()].to_owned()
        }
        _ => word,
    }
}

/// Restores the e of short verbs: `hiking` becomes `hike`, but `eating` becomes `eat`.
fn short_verb(word: &str) -> Option<String> {
    let rest = word.strip_suffix("ing").or_else(|| word.strip_suffix("ed").filter(|rest| !rest.ends_with('e')))?;
    let is_vowel = |letter: u8| b"aeiouy".contains(&letter);
    let [first, middle, last] = <[u8; 3]>::try_from(rest.as_bytes()).ok()?;
    match [first, middle, last].map(is_vowel) {
        [false, false, false] => None,
        // What is left of `skiing` would be a prefix of unrelated words.
        _ if last == b'i' => None,
        [false, true, false] if !b"wx".contains(&last) => Some(format!("{rest}e")),
        _ => Some(rest.to_owned()),
    }
}

fn english(word: &str) -> String {
    let singular = apply(word, ENGLISH);
    if let Some(verb) = short_verb(&singular) {
        return verb;
    }
    let base = apply(&singular, ENGLISH_VERBS);
    if base.len() + 1 < singular.len() { undoubled(base) } else { base }
}

/// Stems a Dutch word. Dutch doubles vowels or consonants depending on the ending, and devoices a final v or z.
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

/// Returns the folded word without its endings.
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
    fn forms_of_a_word_share_a_stem() {
        for (lang, forms) in [
            (Lang::En, &["beach", "beaches"][..]),
            (Lang::En, &["city", "cities"]),
            (Lang::En, &["woman", "women"]),
            (Lang::En, &["dance", "dancing", "danced", "dances"]),
            (Lang::En, &["hike", "hiking", "hiked", "hikes"]),
            (Lang::En, &["eat", "eating"]),
            (Lang::En, &["fly", "flying", "flies"]),
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
            (Lang::Pl, &["miasto", "miescie", "miasta"]),
            (Lang::Pl, &["swiatlo", "swietle", "swiatla"]),
            (Lang::Pl, &["las", "lesie", "lasy"]),
            (Lang::Pl, &["lato", "lecie", "lata"]),
            (Lang::Pl, &["kobieta", "kobiecie", "kobiety"]),
            (Lang::Ru, &["рынок", "рынка", "рынки", "рынках"]),
            (Lang::Ru, &["старая", "старые", "старого"]),
            (Lang::Pl, &["lalka", "lalki", "lalek"]),
            (Lang::Ru, &["кукла", "куклы", "кукол"]),
            (Lang::Ru, &["песня", "песни", "песен"]),
            (Lang::Ru, &["ступень", "ступени", "ступенях"]),
            (Lang::Nl, &["ruine", "ruines"]),
            (Lang::Nl, &["boom", "bomen"]),
            (Lang::Nl, &["fiets", "fietsen"]),
            (Lang::Nl, &["groen", "groene"]),
            (Lang::Nl, &["steen", "stenen"]),
            (Lang::Nl, &["zee", "zeeen"]),
            (Lang::Nl, &["melodie", "melodieen"]),
            (Lang::Nl, &["huis", "huizen"]),
            (Lang::Nl, &["kat", "katten"]),
            (Lang::Nl, &["stad", "steden"]),
        ] {
            let stems: Vec<String> = forms.iter().map(|form| stem(form, lang)).collect();
            assert!(stems.iter().all(|stem| *stem == stems[0]), "{lang}: {stems:?}");
        }
    }

    #[test]
    fn unrelated_words_and_numbers_are_kept_apart() {
        for (lang, a, b) in [
            (Lang::En, "show", "shower"),
            (Lang::En, "corn", "corner"),
            (Lang::En, "spring", "spr"),
            (Lang::Es, "playa", "player"),
        ] {
            assert_ne!(stem(a, lang), stem(b, lang));
        }
        assert_eq!(stem("1990s", Lang::En), "1990s");
        assert_eq!(stem("is", Lang::En), "is");
    }
}
