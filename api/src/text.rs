//! Checks text that members write, after its invisible characters are removed.

use lantern_errors::ApiError;
use lantern_index::text::{TermList, plain};

/// Name and length limits of a text field.
#[derive(Debug, Clone, Copy)]
pub struct TextBounds {
    /// Name of the form field.
    pub field: &'static str,
    pub min: usize,
    /// Error code for too few characters.
    pub min_code: &'static str,
    pub max: usize,
    /// Whether line breaks become spaces.
    pub one_line: bool,
}

/// Returns the text to store. Fails with 422 `required`, the code for too few characters, `max_length`, or
/// `prohibited_terms`.
pub fn checked(text: Option<&str>, bounds: TextBounds, prohibited: &TermList) -> Result<String, ApiError> {
    let refuse = |code, bound| Err(ApiError::Field { field: bounds.field, code, bound });
    let mut text = plain(text.unwrap_or_default());
    if bounds.one_line {
        text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    match text.chars().count() {
        0 => refuse("required", None),
        count if count < bounds.min => refuse(bounds.min_code, Some(bounds.min)),
        count if count > bounds.max => refuse("max_length", Some(bounds.max)),
        _ if prohibited.found_in(&text) => refuse("prohibited_terms", None),
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: TextBounds =
        TextBounds { field: "msg", min: 5, min_code: "comment_min_length", max: 20, one_line: false };

    fn refused(text: &str) -> Option<(&'static str, Option<usize>)> {
        let terms = TermList::new(&["forbidden".to_owned()]);
        match checked(Some(text), BOUNDS, &terms) {
            Ok(_) => None,
            Err(ApiError::Field { field: "msg", code, bound }) => Some((code, bound)),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn lengths_count_visible_characters() {
        assert_eq!(refused(""), Some(("required", None)));
        assert_eq!(refused(" \u{200B}\u{3164}\n "), Some(("required", None)));
        assert_eq!(refused("\u{1D173}\u{1BCA0}\u{1D17A}\u{2064}\u{115F}\u{17B4}\u{180E}"), Some(("required", None)));
        assert_eq!(refused("\u{1D159}\u{13441}\u{2800}\u{E0100}\u{FE0F}\u{200D}"), Some(("required", None)));
        assert_eq!(
            refused("\u{730}\u{731}\u{732}\u{733}\u{20E3}\u{93F}"),
            Some(("required", None)),
            "marks without a letter"
        );
        assert_eq!(refused("four\u{200B}\u{200B}\u{200B}"), Some(("comment_min_length", Some(5))));
        assert_eq!(refused("fiveé"), None);
        assert_eq!(refused(&"é".repeat(20)), None);
        assert_eq!(refused(&"é".repeat(21)), Some(("max_length", Some(20))));
    }

    #[test]
    fn invisible_characters_hide_no_term() {
        for text in [
            "so Forbidden",
            "so for\u{1D173}bidden",
            "so for\u{1BCA0}bidden",
            "so for\u{200B}bidden",
            "so for\u{AD}bid\u{200D}den",
            "forbidden\u{FE0F}",
        ] {
            assert_eq!(refused(text), Some(("prohibited_terms", None)), "{text:?}");
        }
    }
}
