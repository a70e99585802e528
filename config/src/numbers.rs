//! Numbers in URLs.

use std::str::FromStr;

/// Parses a number in its canonical spelling, which consists of digits without a sign or leading zero, except for `0` itself. Returns
/// `None` for any other text, and for numbers that `T` cannot represent.
pub fn parse_number<T: FromStr>(text: &str) -> Option<T> {
    let canonical =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    canonical.then(|| text.parse().ok()).flatten()
}
