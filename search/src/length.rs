//! How long the text of a search is.

use std::ops::RangeInclusive;

use lantern_config::Listing;
use lantern_index::text::japanese::is_kanji;

/// Characters that this text may have: a kanji is a word already, a letter is not.
pub fn lengths(listing: &Listing, text: &str) -> RangeInclusive<usize> {
    let least = if text.contains(is_kanji) { 1 } else { listing.search_min };
    least..=listing.search_max
}

/// Whether it is a search: neither too short nor too long.
pub fn fits(listing: &Listing, text: &str) -> bool {
    lengths(listing, text).contains(&text.chars().count())
}

/// The lengths as the contract says them.
pub fn about(listing: &Listing) -> String {
    format!("{} to {} characters; a kanji may stand alone.", listing.search_min, listing.search_max)
}

#[cfg(test)]
mod tests {
    use lantern_config::Config;

    use super::fits;

    #[test]
    fn a_kanji_is_a_word_and_a_letter_is_not() {
        let listing = Config::default().listing;
        let long = "雪".repeat(listing.search_max);
        for (text, is_search) in [("雪", true), ("a", false), ("の", false), ("ab", true), (&long, true), ("", false)]
        {
            assert_eq!(fits(&listing, text), is_search, "{text}");
        }
        assert!(!fits(&listing, &format!("{long}雪")));
    }
}
