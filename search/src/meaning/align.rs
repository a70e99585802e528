//! Finds translations of words by aligning the words of translated titles. The method is expectation maximization (IBM
//! model 1; Brown et al. 1993) in both directions. Only pairs found in both directions count.

use std::collections::{HashMap, HashSet};

/// Id of a word within its language.
pub type WordId = u32;
/// A title and its translation.
pub type TitlePair = (Vec<WordId>, Vec<WordId>);

/// Number of passes over the titles. After five passes, the likeliest pairs hardly change.
const PASSES: usize = 5;
/// Minimum probability of each of two words, given the other. In the demo's titles, pairs below this value are mostly
/// wrong.
const MIN_PROBABILITY: f32 = 0.25;
/// Minimum number of different titles in which a pair must occur, because two words may occur together by chance.
pub const MIN_TITLES: u32 = 2;
/// The null word, aligned with words that have no counterpart, such as articles.
const NULL_WORD: WordId = WordId::MAX;

/// Two words that mean the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordPair {
    pub a: WordId,
    pub b: WordId,
    /// Confidence, up to 1.
    pub weight: f32,
    /// Number of different titles in which the pair occurs.
    pub seen: u32,
}

/// Returns pairs of words that mean the same, based on `pairs` of titles, which are all different.
pub fn align(pairs: &HashSet<TitlePair>) -> Vec<WordPair> {
    let mut seen: HashMap<(WordId, WordId), u32> = HashMap::new();
    for (a, b) in pairs {
        // If both titles consist of a single word, no other alignment is possible.
        let titles = if a.len() == 1 && b.len() == 1 { MIN_TITLES } else { 1 };
        for one in a.iter().collect::<HashSet<_>>() {
            for other in b.iter().collect::<HashSet<_>>() {
                *seen.entry((*one, *other)).or_default() += titles;
            }
        }
    }
    let forward = probabilities(pairs.iter().map(|(a, b)| (&a[..], &b[..])));
    let backward = probabilities(pairs.iter().map(|(a, b)| (&b[..], &a[..])));
    let both = |((a, b), seen): ((WordId, WordId), u32)| {
        let (forward, backward) = (*forward.get(&(a, b))?, *backward.get(&(b, a))?);
        let is_sure = seen >= MIN_TITLES && forward >= MIN_PROBABILITY && backward >= MIN_PROBABILITY;
        is_sure.then(|| WordPair { a, b, weight: (forward * backward).sqrt().min(1.0), seen })
    };
    let mut aligned: Vec<WordPair> = seen.into_iter().filter_map(both).collect();
    aligned.sort_unstable_by_key(|pair| (pair.a, pair.b));
    aligned
}

/// A pair of titles as indexes into the probability table, with `width` cells for each word of the translation.
struct Cells {
    width: usize,
    cells: Vec<usize>,
}

/// Returns the probability of a word in the second title, given a word in the first title.
fn probabilities<'a>(titles: impl Iterator<Item = (&'a [WordId], &'a [WordId])>) -> HashMap<(WordId, WordId), f32> {
    let mut places: HashMap<(WordId, WordId), usize> = HashMap::new();
    let mut rows: HashMap<WordId, usize> = HashMap::new();
    // Row of each cell.
    let mut row_of: Vec<usize> = Vec::new();
    let mut tables = Vec::new();
    for (from, to) in titles {
        let mut cells = Vec::with_capacity((from.len() + 1) * to.len());
        for word in to {
            for given in from.iter().copied().chain([NULL_WORD]) {
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
            // The sum is 0 for a word whose counterparts are fully explained by other words.
            let sum = sums[row_of[cell]];
            *share = if sum > 0.0 { counts[cell] / sum } else { 0.0 };
        }
    }
    places.into_iter().map(|(pair, place)| (pair, share[place])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Aligns titles of space-separated words with their translations.
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
    fn words_that_recur_together_in_different_titles_are_paired() {
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
        assert_eq!(found.len(), 6, "no other pairs: {found:?}");
    }

    #[test]
    fn single_occurrence_counts_only_between_one_word_titles() {
        assert_eq!(aligned(&[("piano evening", "klavier abend")]), []);
        assert_eq!(aligned(&[("piano", "klavier")]), [("piano".to_owned(), "klavier".to_owned())]);
        assert_eq!(aligned(&[]), []);
    }
}
