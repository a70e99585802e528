//! Length limits of queries.

use std::ops::RangeInclusive;

use lantern_config::Listing;
use lantern_index::text::{japanese::is_kanji, keys::is_unspaced};

/// Returns the permitted number of characters. The minimum is one for a text with a kanji, a Hangul syllable or an emoji, because each of
/// these is a word by itself, and `search_min` otherwise.
pub fn lengths(listing: &Listing, text: &str) -> RangeInclusive<usize> {
    let least = if text.contains(|c| is_kanji(c) || is_unspaced(c)) { 1 } else { listing.search_min };
    least..=listing.search_max
}

/// Whether the text is neither too short nor too long for a query.
pub fn fits(listing: &Listing, text: &str) -> bool {
    lengths(listing, text).contains(&text.chars().count())
}

/// Describes the limits for the API document.
pub fn about(listing: &Listing) -> String {
    format!(
        "{} to {} characters; a kanji, Hangul syllable or emoji may stand alone.",
        listing.search_min, listing.search_max
    )
}

#[cfg(test)]
mod tests {
    use lantern_config::Config;

    use super::fits;

    #[test]
    fn single_kanji_is_a_query_and_a_letter_is_not() {
        let listing = Config::default().listing;
        let long = "雪".repeat(listing.search_max);
        for (text, is_search) in [
            ("雪", true),
            ("밤", true),
            ("🎹", true),
            ("a", false),
            ("の", false),
            ("ab", true),
            (&long, true),
            ("", false),
        ] {
            assert_eq!(fits(&listing, text), is_search, "{text}");
        }
        assert!(!fits(&listing, &format!("{long}雪")));
    }
}
