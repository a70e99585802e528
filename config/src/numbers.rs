//! Numbers in addresses.

use std::str::FromStr;

/// Parses digits without a leading zero, so that a number has one spelling; `0` itself is one.
pub fn parse_number<T: FromStr>(text: &str) -> Option<T> {
    let canonical =
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    canonical.then(|| text.parse().ok()).flatten()
}
