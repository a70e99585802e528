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
    for word in parts(query) {
        match found.last_mut() {
            Some(last) if !last.is_japanese && !word.is_japanese && is_joint(&query[last.at.end..word.at.start]) => {
                last.at.end = word.at.end;
            }
            _ => found.push(word),
        }
    }
    found.extend(pictures(query));
    found.sort_by_key(|word| word.at.start);
    found
}

/// Like [`words`], but each part of joined words is a word. There are no emoji.
pub fn parts(query: &str) -> Vec<TypedWord> {
    let of_word = |Word { at, japanese, .. }: Word| match japanese {
        true => {
            let mut parts: Vec<Range<usize>> = japanese::content(&query[at.clone()]);
            if parts.is_empty() {
                parts.push(0..at.len());
            }
            let of = |part: Range<usize>| at.start + part.start..at.start + part.end;
            parts.into_iter().map(|part| TypedWord { at: of(part), is_japanese: true }).collect()
        }
        false => vec![TypedWord { at, is_japanese: false }],
    };
    text::plain_words(query).into_iter().flat_map(of_word).collect::<Vec<_>>()
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
