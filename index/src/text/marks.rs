//! Finds where a title matches a query, for highlighting. The engine cannot do this, because it matches companions.

use std::ops::Range;

use lantern_config::Lang;

use super::{Piece, fold, forms, japanese, parts, pieces};

/// Minimum length of a word that may contain one typo, as in the engine.
const ONE_TYPO: usize = 5;

/// Returns, in order, the byte ranges of `title` that match a query typed by a visitor whose language is `lang`.
#[must_use]
pub fn matches(title: &str, title_lang: Lang, query: &str, lang: Lang) -> Vec<Range<usize>> {
    let wanted = pieces(query);
    let last = wanted.last().map(|piece| piece.at.clone());
    let words: Vec<(Piece, Vec<String>)> = pieces(title)
        .into_iter()
        .filter(|piece| !piece.japanese)
        .map(|piece| {
            let (parts, wholes) = forms(&title[piece.at.clone()], title_lang);
            (piece, [parts, wholes].concat())
        })
        .collect();
    let mut found = Vec::new();
    for piece in &wanted {
        let text = &query[piece.at.clone()];
        if piece.japanese {
            found.extend(japanese::find_words(title, text));
            continue;
        }
        let wanted = parts(text, lang);
        let open = last.as_ref() == Some(&piece.at);
        let typed = fold(text);
        for (Piece { at, .. }, _) in words.iter().filter(|(_, forms)| is_match(forms, &wanted, open)) {
            let word = &title[at.clone()];
            let end = if open { beginning(word, &typed) } else { word.len() };
            found.push(at.start..at.start + end);
        }
    }
    found.sort_by_key(|range| range.start);
    found.dedup_by(|next, before| {
        let overlap = next.start < before.end;
        if overlap {
            before.end = before.end.max(next.end);
        }
        overlap
    });
    found
}

/// Returns the length in bytes of the prefix `typed` in `word`, or the length of `word` if it is spelled differently.
fn beginning(word: &str, typed: &str) -> usize {
    if !fold(word).starts_with(typed) {
        return word.len();
    }
    let mut ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    ends.find(|end| fold(&word[..*end]).len() >= typed.len()).unwrap_or(word.len())
}

/// Whether a word of the title matches a word of the query. The last word of the query may be a prefix.
fn is_match(word: &[String], wanted: &[String], open: bool) -> bool {
    wanted.iter().any(|wanted| {
        word.iter().any(|part| part == wanted || is_typo(part, wanted) || open && part.starts_with(wanted.as_str()))
    })
}

/// Whether the words differ by one inserted, missing, replaced or transposed letter.
fn is_typo(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if b.len() < ONE_TYPO || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (x, y) = (&a[same..], &b[same..]);
    match x.len().cmp(&y.len()) {
        std::cmp::Ordering::Equal => {
            let other = x.get(1..) == y.get(1..);
            let swapped = x.len() > 1 && x[0] == y[1] && x[1] == y[0] && x[2..] == y[2..];
            other || swapped
        }
        std::cmp::Ordering::Less => x == &y[1..],
        std::cmp::Ordering::Greater => &x[1..] == y,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(title: &str, query: &str, lang: Lang) -> String {
        let mut out = String::new();
        let mut at = 0;
        for range in matches(title, lang, query, lang) {
            out += &format!("{}[{}]", &title[at..range.start], &title[range.clone()]);
            at = range.end;
        }
        out + &title[at..]
    }

    #[test]
    fn matches_are_marked_in_the_title() {
        for (lang, title, query, expected) in [
            (Lang::En, "Two dancers, two lights", "dancer light", "Two [dancers], two [light]s"),
            (Lang::En, "Harbour lights", "harbor lig", "[Harbour] [lig]hts"),
            (Lang::En, "The lighthouse", "light tower", "The lighthouse"),
            (Lang::Ru, "Ночной рынок", "ночного рынка", "[Ночной] [рынок]"),
            (Lang::De, "Strandspaziergang", "Strand", "[Strand]spaziergang"),
            (Lang::De, "Strandspaziergang", "strandsp", "[Strandsp]aziergang"),
            (Lang::Ja, "箱根温泉の夏旅行", "温泉 旅行", "箱根[温泉]の夏[旅行]"),
            (Lang::Ja, "夜のダンス", "だんす", "夜の[ダンス]"),
            (Lang::Es, "Piñatas & más", "pinata", "[Piñata]s & más"),
        ] {
            assert_eq!(marked(title, query, lang), expected, "{query}");
        }
    }
}
