//! Splits a query into the words that are looked up.

use std::ops::Range;

use lantern_index::text::{self, Word, japanese, keys};

/// A word of a query.
#[derive(Debug, Clone)]
pub struct TypedWord {
    /// Byte range in the text.
    pub at: Range<usize>,
    /// Whether it is a Japanese word.
    pub is_japanese: bool,
}

/// Returns the plain words of a query. Japanese runs are split where the script changes, and their particles are left out. Words that are
/// joined by a hyphen or apostrophe stay together.
pub fn words(query: &str) -> Vec<TypedWord> {
    let mut found: Vec<TypedWord> = Vec::new();
    for Word { at, japanese, .. } in text::plain_words(query) {
        if japanese {
            let run = &query[at.clone()];
            let mut parts: Vec<Range<usize>> = japanese::content(run);
            if parts.is_empty() {
                parts.push(0..run.len());
            }
            let part =
                |part: Range<usize>| TypedWord { at: at.start + part.start..at.start + part.end, is_japanese: true };
            found.extend(parts.into_iter().map(part));
            continue;
        }
        match found.last_mut() {
            Some(last) if !last.is_japanese && is_joint(&query[last.at.end..at.start]) => last.at.end = at.end,
            _ => found.push(TypedWord { at, is_japanese: false }),
        }
    }
    found.extend(pictures(query));
    found.sort_by_key(|word| word.at.start);
    found
}

/// Returns the emoji of a query. Each is a word.
fn pictures(query: &str) -> impl Iterator<Item = TypedWord> {
    let pictures = query.char_indices().filter(|(_, c)| keys::is_picture(*c));
    pictures.map(|(at, c)| TypedWord { at: at..at + c.len_utf8(), is_japanese: false })
}

/// Whether two words are joined: by a hyphen or apostrophe, or by a short word between two of them (`rock'n'roll`).
fn is_joint(between: &str) -> bool {
    between.starts_with(keys::is_joiner) && between.ends_with(keys::is_joiner) && !between.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_words_stay_together_and_japanese_runs_are_split() {
        for (query, split) in [
            ("night market", &["night", "market"][..]),
            ("KXR-204 test", &["KXR-204", "test"]),
            ("rock'n'roll", &["rock'n'roll"]),
            ("京都の夜市", &["京都", "夜市"]),
            ("の", &["の"]),
            ("piano 🎹", &["piano", "🎹"]),
            ("🎹 piano 🎹", &["🎹", "piano", "🎹"]),
            ("well - known", &["well", "known"]),
        ] {
            let found: Vec<&str> = words(query).into_iter().map(|word| &query[word.at]).collect();
            assert_eq!(found, split, "{query}");
        }
    }
}
