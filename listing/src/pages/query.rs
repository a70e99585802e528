//! Query parameters in a page's address, parsed as leniently as in a browser. Invalid parameters count as absent,
//! because a mistyped or mangled address should still lead to a page.

use std::str::FromStr;

/// Decoded pairs. If a name is repeated, the first pair counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

impl Params {
    /// Decodes the part of an address after `?`.
    pub fn parse(query: &str) -> Self {
        Self(form_urlencoded::parse(query.as_bytes()).into_owned().collect())
    }

    /// Returns the value of `name`, or an empty string.
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(found, _)| found == name).map_or("", |(_, value)| value)
    }

    /// Returns the names of all parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the pairs whose name is accepted.
    #[must_use]
    pub fn only(&self, accepts: impl Fn(&str) -> bool) -> Self {
        Self(self.0.iter().filter(|(name, _)| accepts(name)).cloned().collect())
    }

    /// Adds a pair, which must not be repeated.
    #[must_use]
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.0.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Returns the value of `name` as a word of a closed vocabulary, if it is one.
    pub fn word<T: FromStr>(&self, name: &str) -> Option<T> {
        self.get(name).parse().ok()
    }
}

/// Writes the pairs that have a value as `?a=b&c=d`, encoded like a browser's `URLSearchParams`.
pub fn write(pairs: &[(&str, &str)]) -> String {
    let mut out = form_urlencoded::Serializer::for_suffix(String::from("?"), 1);
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        out.append_pair(name, value);
    }
    let out = out.finish();
    if out.len() > 1 { out } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_like_a_browser() {
        let params = Params::parse("s=a+b%26&s=second&broken=%zz&lang=xx&empty");
        assert_eq!(params.get("s"), "a b&");
        assert_eq!(params.get("broken"), "%zz");
        assert_eq!(params.word::<lantern_config::Lang>("lang"), None);
        assert_eq!((params.get("empty"), params.get("none")), ("", ""));
    }

    #[test]
    fn writes_like_a_browser() {
        assert_eq!(
            write(&[("s", "温泉 a&b"), ("none", ""), ("p", "x/y,z")]),
            "?s=%E6%B8%A9%E6%B3%89+a%26b&p=x%2Fy%2Cz"
        );
        assert_eq!(write(&[("none", "")]), "");
    }
}
