//! Splits German and Dutch compounds, using a list of common parts.

use std::{collections::HashSet, ops::Range, sync::LazyLock};

use lantern_config::Lang;

use super::{fold, stem::stem};

const LINKS: [&str; 6] = ["", "s", "es", "n", "en", "e"];
/// Minimum length of a part in bytes. Shorter parts occur inside unrelated words.
const SHORTEST: usize = 3;

struct Parts {
    lang: Lang,
    stems: HashSet<String>,
    words: HashSet<String>,
}

impl Parts {
    fn read(lang: Lang, text: &str) -> Self {
        let words: HashSet<String> =
            text.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).map(fold).collect();
        Self { lang, stems: words.iter().map(|word| stem(word, lang)).collect(), words }
    }

    /// If `text` is a part followed by linking letters, returns the length of the part.
    fn is_head(&self, text: &str) -> Option<usize> {
        LINKS.iter().find_map(|link| {
            let part = text.strip_suffix(link)?;
            self.words.contains(part).then_some(part.len())
        })
    }

    /// Splits `word`, which begins at byte `start` of the whole word, into at most `most` parts.
    fn split(&self, word: &str, start: usize, most: usize) -> Option<Vec<Range<usize>>> {
        let cuts = || word.char_indices().map(|(at, _)| at).filter(|at| *at >= SHORTEST && word.len() - at >= SHORTEST);
        let in_two = cuts().find_map(|at| {
            let head = self.is_head(&word[..at])?;
            let tail = &word[at..];
            self.stems
                .contains(&stem(tail, self.lang))
                .then(|| vec![start..start + head, start + at..start + word.len()])
        });
        if in_two.is_some() || most <= 2 {
            return in_two;
        }
        cuts().find_map(|at| {
            let head = self.is_head(&word[..at])?;
            let mut parts = self.split(&word[at..], start + at, most - 1)?;
            parts.insert(0, start..start + head);
            Some(parts)
        })
    }
}

static GERMAN: LazyLock<Parts> = LazyLock::new(|| Parts::read(Lang::De, include_str!("parts.de.txt")));
static DUTCH: LazyLock<Parts> = LazyLock::new(|| Parts::read(Lang::Nl, include_str!("parts.nl.txt")));

/// Returns the byte ranges of a folded word's parts if it is a compound of two or three known parts.
pub fn split(word: &str, lang: Lang) -> Option<Vec<Range<usize>>> {
    let parts = match lang {
        Lang::De => &GERMAN,
        Lang::Nl => &DUTCH,
        _ => return None,
    };
    if word.len() < 2 * SHORTEST || parts.words.contains(word) {
        return None;
    }
    parts.split(word, 0, 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_compounds_are_split() {
        let of = |word: &str, lang| {
            split(word, lang).unwrap_or_default().into_iter().map(|at| &word[at]).collect::<Vec<_>>().join("+")
        };
        assert_eq!(of("nachtmarkt", Lang::De), "nacht+markt");
        assert_eq!(of("hafenlichter", Lang::De), "hafen+lichter");
        assert_eq!(of("sommermodenschau", Lang::De), "sommer+mode+schau");
        assert_eq!(of("strandwandeling", Lang::Nl), "strand+wandeling");
        for word in ["garten", "nachtigall", "strang"] {
            assert_eq!(split(word, Lang::De), None, "{word}");
        }
        assert_eq!(split("nightmarket", Lang::En), None);
    }
}
