//! Sort keys and headings for alphabetical lists.

use super::fold;
use lantern_config::Lang;

/// Sorts after every character in a folded text, so that a separate letter comes after all words with the plain letter.
const AFTER: char = char::MAX;

/// Returns the lowercase letters that sort after the plain letter instead of together with it (CLDR 47, standard
/// collations).
const fn own_letters(lang: Lang) -> &'static str {
    match lang {
        Lang::Pl => "ąćęłńóśźż",
        Lang::Es => "ñ",
        Lang::Ru => "й",
        Lang::En | Lang::De | Lang::Fr | Lang::It | Lang::Pt | Lang::Nl | Lang::Ja => "",
    }
}

/// Returns the sort key of a title in the alphabet of its language.
#[must_use]
pub fn place(title: &str, lang: Lang) -> String {
    let mut place = String::with_capacity(title.len());
    for c in title.chars().flat_map(char::to_lowercase) {
        place.push_str(&fold(c.encode_utf8(&mut [0; 4])));
        if own_letters(lang).contains(c) {
            place.push(AFTER);
        }
    }
    place
}

/// Returns the heading for a title. It is the title's first letter, without an accent unless the accent makes it a
/// separate letter.
#[must_use]
pub fn letter(title: &str, lang: Lang) -> Option<String> {
    let first = title.chars().next()?.to_lowercase().next()?;
    let own = own_letters(lang).contains(first);
    let letter = if own { Some(first) } else { fold(first.encode_utf8(&mut [0; 4])).chars().next() };
    letter.map(|letter| letter.to_uppercase().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(lang: Lang, mut titles: Vec<&str>) -> Vec<(&str, String)> {
        titles.sort_by_cached_key(|title| place(title, lang));
        titles.into_iter().map(|title| (title, letter(title, lang).unwrap())).collect()
    }

    fn letters(lang: Lang, expected: &[(&str, &str)]) {
        let mut shuffled: Vec<&str> = expected.iter().map(|(title, _)| *title).collect();
        shuffled.reverse();
        let expected: Vec<(&str, String)> =
            expected.iter().map(|(title, letter)| (*title, (*letter).to_owned())).collect();
        assert_eq!(sorted(lang, shuffled), expected);
    }

    #[test]
    fn titles_sort_by_the_alphabet_of_each_language() {
        letters(
            Lang::Fr,
            &[("Été", "E"), ("Îles", "I"), ("Néon", "N"), ("Nuits", "N"), ("Œuvres", "O"), ("Yoga", "Y")],
        );
        letters(
            Lang::Pl,
            &[
                ("Lato", "L"),
                ("Luz", "L"),
                ("Łąki", "Ł"),
                ("Sport", "S"),
                ("Światło", "Ś"),
                ("Zoo", "Z"),
                ("Żagle", "Ż"),
            ],
        );
        letters(Lang::Es, &[("Cámara", "C"), ("Conciertos", "C"), ("Nube", "N"), ("Ñandú", "Ñ"), ("Olas", "O")]);
        letters(Lang::Ru, &[("Ежи", "Е"), ("Ели", "Е"), ("Ёлки", "Е"), ("Йога", "Й"), ("Кино", "К")]);
        letters(Lang::De, &[("Übung", "U"), ("Uhren", "U"), ("Zoo", "Z")]);
        letters(Lang::Ja, &[("カフェ", "カ"), ("ガラス", "カ"), ("音楽", "音")]);
    }
}
