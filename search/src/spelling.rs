//! Corrects the spelling of a query using known words. This is a pure function, so the same index always gives the same
//! result.

use std::{cmp::Reverse, collections::HashMap};

use lantern_index::text::{Word, plain_words};

/// Maximum number of words to check. Longer texts are sentences rather than queries.
pub const MAX_WORDS: usize = 4;
/// Minimum number of letters in a word to correct. Shorter words resemble too many others.
const MIN_LETTERS: usize = 3;
/// Number of letters at and above which a text is not corrected.
const MAX_LETTERS: usize = 64;
/// Cost of a typo, in eighths. It exceeds [`FAST_TYPO_COST`] by so little that the permitted number of typos always
/// costs less than one more fast typo would.
pub(super) const TYPO_COST: usize = 8;
/// Cost of a fast typo: two letters are swapped, a letter is doubled, or a double letter is typed only once. Each of
/// these is likelier than any of the many other mistakes (Kernighan, Church and Gale 1990).
pub(super) const FAST_TYPO_COST: usize = 7;

/// A known title, or a word from titles, as the visitor reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSpelling {
    pub title: String,
    /// How well known it is. The weight decides between spellings that are equally close.
    pub weight: i64,
}

/// Returns the query with probable misspellings corrected. Returns `None` if every word is known or no known word is
/// close. Words in quotes or after a minus sign stay as they are.
pub fn corrected(query: &str, known: &[KnownSpelling]) -> Option<String> {
    let words = plain_words(query);
    whole_query(query, &words, known).unwrap_or_else(|| by_word(query, &words, known))
}

/// Compares the whole query with the known titles and returns the closest one. Returns `None` if no title is close, and
/// `Some(None)` if the query is itself a known title.
fn whole_query(query: &str, words: &[Word], known: &[KnownSpelling]) -> Option<Option<String>> {
    let typed = spelled(words);
    // Replacing the whole text would lose phrases and exclusions.
    let plain = query.split_whitespace().count() <= words.len() && !query.contains(['"', '-']);
    if words.is_empty() || !plain {
        return None;
    }
    let near = known.iter().filter_map(|known| {
        let title = spelled(&plain_words(&known.title));
        let cost = distance(&typed, &title, is_japanese(words))?;
        Some((cost, Reverse(known.weight), known.title.as_str()))
    });
    let (cost, _, title) = near.min()?;
    Some((cost > 0).then(|| title.to_owned()))
}

fn by_word(query: &str, words: &[Word], known: &[KnownSpelling]) -> Option<String> {
    let mut lexicon: HashMap<String, (Reverse<i64>, String)> = HashMap::new();
    for KnownSpelling { title, weight } in known {
        for word in plain_words(title) {
            let entry = (Reverse(*weight), title[word.at].to_lowercase());
            let best = lexicon.entry(word.spelled).or_insert_with(|| entry.clone());
            *best = entry.min(best.clone());
        }
    }
    let mut out = query.to_owned();
    // Start from the end, so that the positions of earlier words stay valid.
    for word in words.iter().rev().filter(|word| !lexicon.contains_key(&word.spelled)) {
        let near = lexicon.iter().filter_map(|(spelled, (weight, text))| {
            Some((distance(&word.spelled, spelled, word.japanese)?, *weight, text.as_str()))
        });
        if let Some((_, _, text)) = near.min() {
            out.replace_range(word.at.clone(), text);
        }
    }
    (out != query).then_some(out)
}

fn spelled(words: &[Word]) -> String {
    words.iter().map(|word| word.spelled.as_str()).collect::<Vec<_>>().join(" ")
}

fn is_japanese(words: &[Word]) -> bool {
    words.iter().any(|word| word.japanese)
}

/// Returns the maximum number of typos in a text of this length. It is lower in Japanese, where each character carries
/// more meaning.
fn max_typos(length: usize, japanese: bool) -> usize {
    match length {
        ..MIN_LETTERS => 0,
        3..=5 => 1,
        6.. if japanese => 2,
        6..=8 => 2,
        9.. => 3,
    }
}

/// Returns the cost of the typos between two spellings, or `None` if there are too many. Numbers are never corrected.
fn distance(typed: &str, known: &str, japanese: bool) -> Option<usize> {
    if typed == known {
        return Some(0);
    }
    let (a, b): (Vec<char>, Vec<char>) = (typed.chars().collect(), known.chars().collect());
    if a.iter().chain(&b).any(|c| c.is_numeric()) {
        return None;
    }
    cost_within(&a, &b, max_cost(a.len(), b.len(), japanese))
}

/// Returns the maximum cost of the typos between two texts of these lengths, in letters.
pub(super) fn max_cost(a: usize, b: usize, japanese: bool) -> usize {
    if a.min(b) < MIN_LETTERS { 0 } else { TYPO_COST * max_typos(a.max(b), japanese) }
}

/// Returns the cost of the typos between two spellings if it is at most `most`. Each typo costs [`FAST_TYPO_COST`] or
/// [`TYPO_COST`]. The function computes the optimal string alignment on the diagonals within reach (Ukkonen 1985).
/// Texts of [`MAX_LETTERS`] or more letters never match.
pub(super) fn cost_within(a: &[char], b: &[char], most: usize) -> Option<usize> {
    let band = most / FAST_TYPO_COST;
    if a.len().abs_diff(b.len()) > band || a.len().max(b.len()) >= MAX_LETTERS {
        return None;
    }
    let far = most + 1;
    let (mut before, mut last) = ([far; MAX_LETTERS], [far; MAX_LETTERS]);
    (0..=band.min(b.len())).for_each(|j| last[j] = (TYPO_COST * j).min(far));
    for i in 1..=a.len() {
        let mut row = [far; MAX_LETTERS];
        row[0] = (TYPO_COST * i).min(far);
        let mut least = row[0];
        for j in i.saturating_sub(band).max(1)..=b.len().min(i + band) {
            let other = last[j - 1] + if a[i - 1] == b[j - 1] { 0 } else { TYPO_COST };
            row[j] = other.min(last[j] + insertion_cost(a, i)).min(row[j - 1] + insertion_cost(b, j)).min(far);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + FAST_TYPO_COST);
            }
            least = least.min(row[j]);
        }
        if least > most {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|far| *far <= most)
}

/// Returns the cost of a letter at this position that the other text lacks.
fn insertion_cost(text: &[char], end: usize) -> usize {
    if end > 1 && text[end - 1] == text[end - 2] { FAST_TYPO_COST } else { TYPO_COST }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(titles: &[(&str, i64)]) -> Vec<KnownSpelling> {
        titles.iter().map(|(title, weight)| KnownSpelling { title: (*title).to_owned(), weight: *weight }).collect()
    }

    #[test]
    fn misspelled_words_are_corrected_in_any_script() {
        let known = known(&[
            ("Jazz", 9),
            ("Harbour lights", 5),
            ("Yuki Mori", 7),
            ("Ночной рынок", 4),
            ("箱根温泉", 3),
            ("Tänze", 2),
            ("Jar", 1),
        ]);
        for (query, right) in [
            ("jzaz", Some("jazz")),
            ("jzaz harbur", Some("jazz harbour")),
            ("harbur ligths", Some("Harbour lights")),
            ("yuky mory", Some("Yuki Mori")),
            ("jzaz -night \"old song\"", Some("jazz -night \"old song\"")),
            ("рынак", Some("рынок")),
            ("箱根温線", Some("箱根温泉")),
            ("TANZE", None),
            ("jazz", None),
            ("harbour", None),
            ("zeppelinfahrt", None),
            ("温線", None),
            ("-jzaz", None),
            ("ja", None),
        ] {
            assert_eq!(corrected(query, &known).map(|to| to.to_lowercase()), right.map(str::to_lowercase), "{query}");
        }
    }

    #[test]
    fn better_known_word_wins_a_tie() {
        assert_eq!(corrected("cabe", &known(&[("Cape", 1), ("Cave", 8), ("Cafe", 3)])).as_deref(), Some("Cave"));
        assert_eq!(
            corrected("cabe", &known(&[("Cape", 8), ("Cafe", 8)])).as_deref(),
            Some("Cafe"),
            "then the first by name"
        );
        for (query, right) in [("ilfe", "Life"), ("caave", "Cave"), ("bal", "Ball")] {
            let known = known(&[("Elfe", 9), ("Carve", 9), ("Bay", 9), ("Life", 1), ("Cave", 1), ("Ball", 1)]);
            assert_eq!(corrected(query, &known).as_deref(), Some(right), "fast typo");
        }
        assert_eq!(corrected("route 67", &known(&[("Route 66", 8)])), None);
    }
}
