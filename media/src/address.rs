//! Titles in addresses.

/// A title as part of an address; `otherwise` for one of which nothing can be written there.
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
    fn an_address_is_made_of_any_title() {
        assert_eq!(dir("Evenings by the Harbour (2)", "video"), "evenings-by-the-harbour-2");
        assert_eq!(dir("Вечер у моря", "video"), "vecher-u-moria");
        assert_eq!(dir("!!!", "album"), "album");
    }
}
