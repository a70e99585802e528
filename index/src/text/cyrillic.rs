//! Transliterates Cyrillic, so that a letter takes one byte and a name has the same spelling in both scripts.

/// Whether the character is Cyrillic.
pub fn is_cyrillic(c: char) -> bool {
    matches!(c, '\u{400}'..='\u{52F}')
}

/// Transliterates a folded word to Latin letters in the way passports and most people do. Folding has already turned й into и.
pub fn latin(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len());
    for c in folded.chars() {
        let after_i = out.ends_with('i');
        let latin = match c {
            'а' => "a",
            'б' => "b",
            'в' => "v",
            'г' | 'ґ' => "g",
            'д' => "d",
            'е' | 'э' | 'є' => "e",
            'ж' => "zh",
            'з' => "z",
            'и' | 'і' => "i",
            'к' => "k",
            'л' => "l",
            'м' => "m",
            'н' => "n",
            'о' => "o",
            'п' => "p",
            'р' => "r",
            'с' => "s",
            'т' => "t",
            'у' => "u",
            'ф' => "f",
            'х' => "h",
            'ц' => "ts",
            'ч' => "ch",
            'ш' => "sh",
            'щ' => "sch",
            'ы' => "y",
            // Мария is usually spelled Maria.
            'я' if after_i => "a",
            'ю' if after_i => "u",
            'я' => "ya",
            'ю' => "yu",
            'ь' | 'ъ' => "",
            other => {
                out.push(other);
                continue;
            }
        };
        out.push_str(latin);
    }
    out
}

/// Groups of Latin letters that are typed for Cyrillic letters, longest first.
const DIGRAPHS: [(&str, &str); 16] = [
    ("shch", "щ"),
    ("sch", "щ"),
    ("yo", "е"),
    ("yu", "ю"),
    ("ya", "я"),
    ("zh", "ж"),
    ("kh", "х"),
    ("ts", "ц"),
    ("ch", "ч"),
    ("sh", "ш"),
    ("oy", "ои"),
    ("yy", "ыи"),
    ("iy", "ии"),
    ("ey", "еи"),
    ("ay", "аи"),
    ("ye", "е"),
];

/// Converts a folded Latin word to the Russian word it may stand for: `nochnoy rynok`.
pub fn from_latin(word: &str) -> String {
    let mut out = String::with_capacity(word.len() * 2);
    let mut rest = word;
    while let Some(c) = rest.chars().next() {
        if let Some((latin, russian)) = DIGRAPHS.iter().find(|(latin, _)| rest.starts_with(latin)) {
            out.push_str(russian);
            rest = &rest[latin.len()..];
            continue;
        }
        out.push(match c {
            'a' => 'а',
            'b' => 'б',
            'c' | 'k' | 'q' => 'к',
            'd' => 'д',
            'e' => 'е',
            'f' => 'ф',
            'g' => 'г',
            'h' => 'х',
            'i' | 'j' => 'и',
            'l' => 'л',
            'm' => 'м',
            'n' => 'н',
            'o' => 'о',
            'p' => 'п',
            'r' => 'р',
            's' => 'с',
            't' => 'т',
            'u' => 'у',
            'v' | 'w' => 'в',
            'y' => 'ы',
            'z' => 'з',
            other => other,
        });
        rest = &rest[c.len_utf8()..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_after_transliteration() {
        for (russian, name) in [("юки", "yuki"), ("мария", "maria"), ("щукин", "schukin"), ("линд", "lind")]
        {
            assert_eq!(latin(russian), name);
        }
    }

    #[test]
    fn latin_input_is_read_as_russian() {
        for (typed, russian) in [("nochnoy", "ночнои"), ("rynok", "рынок"), ("tantsy", "танцы"), ("plyazh", "пляж")]
        {
            assert_eq!(from_latin(typed), russian);
        }
    }
}
