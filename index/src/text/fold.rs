//! Folding of case, accents and ligatures.

use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Whether the character is a combining mark.
#[must_use]
pub fn is_mark(c: char) -> bool {
    is_combining_mark(c)
}

/// Lowercases the text, removes accents, and spells out letters that Unicode doesn't decompose.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            'ß' => out.push_str("ss"),
            'ł' => out.push('l'),
            'ø' => out.push('o'),
            'đ' | 'ð' => out.push('d'),
            'þ' => out.push_str("th"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ı' => out.push('i'),
            c => out.extend(std::iter::once(c).nfkd().filter(|c| !is_combining_mark(*c))),
        }
    }
    out
}

/// Removes the e from German digraphs typed instead of umlauts: `ue` becomes u, unless it stands for another sound (`neue`, `Quelle`). The
/// result is wrong for a few words, but it is the same in texts and queries.
pub fn without_digraphs(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len());
    let mut before = ' ';
    let mut letters = folded.chars().peekable();
    while let Some(c) = letters.next() {
        out.push(c);
        let is_umlaut = matches!(c, 'a' | 'o' | 'u') && !matches!(before, 'a' | 'e' | 'o' | 'q');
        if is_umlaut && letters.peek() == Some(&'e') {
            letters.next();
        }
        before = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_ligatures_are_folded() {
        assert_eq!(fold("Źródła, Straße, ŒUVRE, Ñandú, Ёж, Øre"), "zrodla, strasse, oeuvre, nandu, еж, ore");
        assert_eq!(fold("ﬁne Ｔokyo"), "fine tokyo");
    }

    #[test]
    fn digraphs_are_umlauts_only_where_possible() {
        let plain = |word: &str| without_digraphs(&fold(word));
        assert_eq!(plain("Koeln"), plain("Köln"));
        assert_eq!(plain("neue Quelle"), "neue quelle");
    }
}
