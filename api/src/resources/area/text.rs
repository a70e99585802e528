//! Text that members write for others to read: plain, without control characters, never holding a prohibited term.

use crate::{
    error::{ApiError, ApiResult},
    state::AppState,
};

/// The text of a form's field, tidied: lines are kept, blanks at their ends and more than one empty line are not.
///
/// # Errors
/// 422 `required`, `max_length` or `prohibited_term`.
pub fn written(state: &AppState, field: &'static str, text: Option<String>, most: usize) -> ApiResult<String> {
    let refuse = |code, bound| ApiError::Field { field, code, bound };
    let text = lines(&text.unwrap_or_default());
    if text.is_empty() {
        return Err(refuse("required", None));
    }
    if text.chars().count() > most {
        return Err(refuse("max_length", Some(most)));
    }
    if state.prohibited.found_in(&text) {
        return Err(refuse("prohibited_term", None));
    }
    Ok(text)
}

/// Text of several lines, tidied.
pub(super) fn lines(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    let mut blank = 0;
    for one in text.replace("\r\n", "\n").replace('\r', "\n").split('\n') {
        let one = line(one);
        blank = if one.is_empty() { blank + 1 } else { 0 };
        if blank < 2 {
            tidy.push_str(&one);
            tidy.push('\n');
        }
    }
    tidy.trim_matches('\n').to_owned()
}

/// Text of one line, tidied.
pub(super) fn line(text: &str) -> String {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stay_and_what_nobody_sees_goes() {
        assert_eq!(lines("  a  b \r\n\r\n\r\n\u{7}c\td\n\n"), "a b\n\nc d");
        assert_eq!(lines(" \n\t\n "), "");
        assert_eq!(line(" one\ntwo\u{0} "), "one two");
    }
}
