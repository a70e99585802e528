//! A better known spelling of a query: pure, so that the same index always gives the same answer.

use std::{cmp::Reverse, collections::HashMap};

use lantern_index::text::{Word, plain_words};

/// Words that are checked; more make a sentence, not a search.
pub const WORDS: usize = 4;
/// Shorter words differ from too many others.
const SHORTEST: usize = 3;
/// Letters of a word at which it is none.
const LONGEST: usize = 64;
/// What a slip costs, in eighths. A seventh above the cheaper ones: as few slips as are allowed always cost less than one more.
const SLIP: usize = 8;
/// What it costs where fingers were only too fast: two letters swapped, a letter twice or a double one once. Of all the letters that
/// may be wrong each of these is one, so they are the likelier meaning (Kernighan, Church and Gale 1990).
pub(super) const FAST: usize = 7;

/// A title people look for, or a word of titles, as the visitor reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownSpelling {
    pub title: String,
    /// How well it is known; the greater of two equally close ones is taken.
    pub weight: i64,
}

/// The query with what is probably misspelled put right; `None` where every word is known or nothing known is close. Words in
/// quotes or behind a minus are left alone.
pub fn corrected(query: &str, known: &[KnownSpelling]) -> Option<String> {
    let words = plain_words(query);
    whole(query, &words, known).unwrap_or_else(|| by_word(query, &words, known))
}

/// The whole query as one known title: `None` when there is no close one, `Some(None)` when it is one itself.
fn whole(query: &str, words: &[Word], known: &[KnownSpelling]) -> Option<Option<String>> {
    let typed = spelled(words);
    // Phrases and exclusions would be lost.
    let plain = query.split_whitespace().count() <= words.len() && !query.contains(['"', '-']);
    if words.is_empty() || !plain {
        return None;
    }
    let near = known.iter().filter_map(|known| {
        let title = spelled(&plain_words(&known.title));
        let far = distance(&typed, &title, is_japanese(words))?;
        Some((far, Reverse(known.weight), known.title.as_str()))
    });
    let (far, _, title) = near.min()?;
    Some((far > 0).then(|| title.to_owned()))
}

fn by_word(query: &str, words: &[Word], known: &[KnownSpelling]) -> Option<String> {
    let mut lexicon: HashMap<String, (Reverse<i64>, String)> = HashMap::new();
    for KnownSpelling { title, weight } in known {
        for word in plain_words(title) {
            let entry = (Reverse(*weight), title[word.at].to_lowercase());
            let kept = lexicon.entry(word.spelled).or_insert_with(|| entry.clone());
            *kept = entry.min(kept.clone());
        }
    }
    let mut out = query.to_owned();
    // From the end, so that the places of the words before stay what they are.
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

/// Letters that may differ in a text of this length: a Japanese one says more with each.
fn allowed(length: usize, japanese: bool) -> usize {
    match length {
        ..SHORTEST => 0,
        3..=5 => 1,
        6.. if japanese => 2,
        6..=8 => 2,
        9.. => 3,
    }
}

/// What the slips between two spellings cost; `None` when they are too many. Numbers are never misspelled.
fn distance(typed: &str, known: &str, japanese: bool) -> Option<usize> {
    if typed == known {
        return Some(0);
    }
    let (a, b): (Vec<char>, Vec<char>) = (typed.chars().collect(), known.chars().collect());
    if a.iter().chain(&b).any(|c| c.is_numeric()) {
        return None;
    }
    differ(&a, &b, allowed_between(a.len(), b.len(), japanese))
}

/// What the slips between two texts of these lengths, in letters, may cost.
pub(super) fn allowed_between(a: usize, b: usize, japanese: bool) -> usize {
    if a.min(b) < SHORTEST { 0 } else { SLIP * allowed(a.max(b), japanese) }
}

/// What the slips between two spellings cost, [`FAST`] or [`SLIP`] each, where that is at most `most` (optimal string alignment, cut to
/// the diagonals that can be that near; Ukkonen 1985). Longer ones than [`LONGEST`] are never near.
pub(super) fn differ(a: &[char], b: &[char], most: usize) -> Option<usize> {
    let band = most / FAST;
    if a.len().abs_diff(b.len()) > band || a.len().max(b.len()) >= LONGEST {
        return None;
    }
    let far = most + 1;
    let (mut before, mut last) = ([far; LONGEST], [far; LONGEST]);
    (0..=band.min(b.len())).for_each(|j| last[j] = (SLIP * j).min(far));
    for i in 1..=a.len() {
        let mut row = [far; LONGEST];
        row[0] = (SLIP * i).min(far);
        let mut least = row[0];
        for j in i.saturating_sub(band).max(1)..=b.len().min(i + band) {
            let other = last[j - 1] + if a[i - 1] == b[j - 1] { 0 } else { SLIP };
            row[j] = other.min(last[j] + one_more(a, i)).min(row[j - 1] + one_more(b, j)).min(far);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + FAST);
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

/// What it costs that the other text has no such letter there.
fn one_more(text: &[char], end: usize) -> usize {
    if end > 1 && text[end - 1] == text[end - 2] { FAST } else { SLIP }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(titles: &[(&str, i64)]) -> Vec<KnownSpelling> {
        titles.iter().map(|(title, weight)| KnownSpelling { title: (*title).to_owned(), weight: *weight }).collect()
    }

    #[test]
    fn misspelled_words_are_put_right_in_any_script() {
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
    fn of_two_equally_close_the_better_known_is_taken() {
        assert_eq!(corrected("cabe", &known(&[("Cape", 1), ("Cave", 8), ("Cafe", 3)])).as_deref(), Some("Cave"));
        assert_eq!(corrected("cabe", &known(&[("Cape", 8), ("Cafe", 8)])).as_deref(), Some("Cafe"), "by name at last");
        for (query, right) in [("ilfe", "Life"), ("caave", "Cave"), ("bal", "Ball")] {
            let known = known(&[("Elfe", 9), ("Carve", 9), ("Bay", 9), ("Life", 1), ("Cave", 1), ("Ball", 1)]);
            assert_eq!(corrected(query, &known).as_deref(), Some(right), "fast fingers");
        }
        assert_eq!(corrected("route 67", &known(&[("Route 66", 8)])), None);
    }
}
