//! Titles in URLs.

/// Converts a title to a URL segment. Returns `otherwise` if none of its characters can be converted.
#[must_use]
pub fn dir(title: &str, otherwise: &str) -> String {
    match slug::slugify(title) {
        empty if empty.is_empty() => otherwise.to_owned(),
        slug => slug,
    }
}

#[cfg(test)]
mod tests {
    use super::dir;

    #[test]
    fn any_title_becomes_a_url_segment() {
        assert_eq!(dir("Evenings by the Harbour (2)", "video"), "evenings-by-the-harbour-2");
        assert_eq!(dir("Вечер у моря", "video"), "vecher-u-moria");
        assert_eq!(dir("!!!", "album"), "album");
    }
}
