//! Which words of titles and of their translations mean the same: word alignment by expectation maximisation (IBM model 1;
//! Brown et al. 1993), in both directions, of which what both say is kept.

use std::collections::{HashMap, HashSet};

/// A word by its number.
pub type WordId = u32;
/// A title and its translation.
pub type TitlePair = (Vec<WordId>, Vec<WordId>);

/// Passes over the titles; after five the surest pairs hardly move.
const PASSES: usize = 5;
/// How likely each of two words must be, given the other: of what was learned from the demo's titles, what is below is mostly wrong.
const LEAST: f32 = 0.25;
/// Different titles that must have a pair, for two words may stand together by chance.
const SEEN: u32 = 2;
/// What stands for no word of the other title: articles, and what one language says and the other doesn't.
const NOTHING: WordId = WordId::MAX;

/// Two words that mean the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordPair {
    pub a: WordId,
    pub b: WordId,
    /// How sure it is, up to 1.
    pub weight: f32,
    /// Different titles that have it.
    pub seen: u32,
}

/// The words that mean the same, of different pairs of titles.
pub fn align(pairs: &HashSet<TitlePair>) -> Vec<WordPair> {
    let mut seen: HashMap<(WordId, WordId), u32> = HashMap::new();
    for (a, b) in pairs {
        // What stands alone on both sides can mean nothing else.
        let certain = if a.len() == 1 && b.len() == 1 { SEEN } else { 1 };
        for one in a.iter().collect::<HashSet<_>>() {
            for other in b.iter().collect::<HashSet<_>>() {
                *seen.entry((*one, *other)).or_default() += certain;
            }
        }
    }
    let there = likely(pairs.iter().map(|(a, b)| (&a[..], &b[..])));
    let back = likely(pairs.iter().map(|(a, b)| (&b[..], &a[..])));
    let both = |((a, b), seen): ((WordId, WordId), u32)| {
        let (there, back) = (*there.get(&(a, b))?, *back.get(&(b, a))?);
        let sure = seen >= SEEN && there >= LEAST && back >= LEAST;
        sure.then(|| WordPair { a, b, weight: (there * back).sqrt().min(1.0), seen })
    };
    let mut aligned: Vec<WordPair> = seen.into_iter().filter_map(both).collect();
    aligned.sort_unstable_by_key(|pair| (pair.a, pair.b));
    aligned
}

/// A title as the places in the table of its words and those of its translation: `width` of them for each word of the translation.
struct Cells {
    width: usize,
    cells: Vec<usize>,
}

/// How likely a word of the second is, given one of the first.
fn likely<'a>(titles: impl Iterator<Item = (&'a [WordId], &'a [WordId])>) -> HashMap<(WordId, WordId), f32> {
    let mut places: HashMap<(WordId, WordId), usize> = HashMap::new();
    let mut rows: HashMap<WordId, usize> = HashMap::new();
    // The row of each cell.
    let mut row_of: Vec<usize> = Vec::new();
    let mut tables = Vec::new();
    for (from, to) in titles {
        let mut cells = Vec::with_capacity((from.len() + 1) * to.len());
        for word in to {
            for given in from.iter().copied().chain([NOTHING]) {
                let rows_known = rows.len();
                let row = *rows.entry(given).or_insert(rows_known);
                let known = places.len();
                let place = *places.entry((given, *word)).or_insert(known);
                if place == row_of.len() {
                    row_of.push(row);
                }
                cells.push(place);
            }
        }
        tables.push(Cells { width: from.len() + 1, cells });
    }
    let mut share = vec![1.0_f32; row_of.len()];
    for _ in 0..PASSES {
        let (mut counts, mut sums) = (vec![0.0_f32; row_of.len()], vec![0.0_f32; rows.len()]);
        for word in tables.iter().flat_map(|table| table.cells.chunks_exact(table.width)) {
            let all: f32 = word.iter().map(|cell| share[*cell]).sum();
            for cell in word {
                let part = share[*cell] / all;
                counts[*cell] += part;
                sums[row_of[*cell]] += part;
            }
        }
        for (cell, share) in share.iter_mut().enumerate() {
            // What became of a word that others explain altogether.
            let sum = sums[row_of[cell]];
            *share = if sum > 0.0 { counts[cell] / sum } else { 0.0 };
        }
    }
    places.into_iter().map(|(pair, place)| (pair, share[place])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Titles as lines of words, each with its translation.
    fn aligned(lines: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut words: Vec<String> = Vec::new();
        let mut ids = |text: &str| {
            let mut id = |word: &str| {
                let known = words.iter().position(|known| known == word).unwrap_or_else(|| {
                    words.push(word.to_owned());
                    words.len() - 1
                });
                WordId::try_from(known).expect("few words")
            };
            text.split(' ').map(&mut id).collect::<Vec<_>>()
        };
        let pairs: HashSet<TitlePair> = lines.iter().map(|(a, b)| (ids(a), ids(b))).collect();
        let named = |pair: &WordPair| (words[pair.a as usize].clone(), words[pair.b as usize].clone());
        let mut found: Vec<_> = align(&pairs).iter().map(named).collect();
        found.sort();
        found
    }

    #[test]
    fn words_that_stand_together_in_different_titles_mean_the_same() {
        let found = aligned(&[
            ("piano evening osaka", "klavier abend oosaka"),
            ("piano morning kyoto", "klavier morgen kioto"),
            ("tea evening kyoto", "tee abend kioto"),
            ("tea morning osaka", "tee morgen oosaka"),
            ("piano tea", "klavier tee"),
        ]);
        for (a, b) in [("piano", "klavier"), ("evening", "abend"), ("kyoto", "kioto"), ("tea", "tee")] {
            assert!(found.contains(&(a.to_owned(), b.to_owned())), "{a} {b}: {found:?}");
        }
        assert_eq!(found.len(), 6, "and nothing else: {found:?}");
    }

    #[test]
    fn once_is_chance_unless_nothing_else_can_be_meant() {
        assert_eq!(aligned(&[("piano evening", "klavier abend")]), []);
        assert_eq!(aligned(&[("piano", "klavier")]), [("piano".to_owned(), "klavier".to_owned())]);
        assert_eq!(aligned(&[]), []);
    }
}
