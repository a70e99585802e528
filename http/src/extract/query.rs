//! Query parameters, decoded strictly: malformed escapes and byte sequences are rejected, not repaired.

use axum::{extract::FromRequestParts, http::request::Parts};
use lantern_config::{Lang, numbers::parse_number};
use lantern_errors::{ApiError, ApiResult};

/// Extracts the query parameters. The first of several parameters with the same name counts.
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Decodes the part of a URL after `?`. Fails with 400 for a malformed percent escape, invalid UTF-8, or a NUL.
    pub fn parse(text: &str) -> ApiResult<Self> {
        text.split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                Ok((decode(name)?, decode(value)?))
            })
            .collect::<ApiResult<_>>()
            .map(Self)
    }

    /// Returns all parameters in the order of the URL.
    pub fn into_pairs(self) -> Vec<(String, String)> {
        self.0
    }

    /// Returns the value of `name`. An empty value counts as absent.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(found, _)| found == name)
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.is_empty())
    }

    /// Returns the language in the parameter `lang`, English by default. Fails with 422 for an unsupported language.
    pub fn lang(&self) -> ApiResult<Lang> {
        self.word("lang").map(|lang| lang.unwrap_or(Lang::En))
    }

    /// Parses a word of a closed vocabulary. Fails with 422 for any other word.
    pub fn word<T: std::str::FromStr>(&self, name: &'static str) -> ApiResult<Option<T>> {
        self.get(name).map(|word| word.parse().map_err(|_| ApiError::invalid(name))).transpose()
    }

    /// Parses a canonical number within `range`. Fails with 422 for anything else.
    pub fn number<T>(&self, name: &'static str, range: std::ops::RangeInclusive<T>) -> ApiResult<Option<T>>
    where
        T: std::str::FromStr + PartialOrd,
    {
        self.get(name)
            .map(|text| parse_number(text).filter(|number| range.contains(number)).ok_or(ApiError::invalid(name)))
            .transpose()
    }

    /// Returns a text with normalized white space. Fails as [`normalized`] does, and with 422 `required` if there is none.
    pub fn text(&self, name: &'static str, bounds: std::ops::RangeInclusive<usize>) -> ApiResult<String> {
        normalized(name, self.get(name).ok_or(ApiError::required(name))?, bounds)
    }
}

/// Trims the text of the parameter `name`, and collapses runs of white space and control characters into single spaces. `bounds` are in
/// characters: the maximum applies to the text as sent, and the minimum to the result. Fails with 422 `min_length` or `max_length`.
pub fn normalized(name: &'static str, raw: &str, bounds: std::ops::RangeInclusive<usize>) -> ApiResult<String> {
    let refuse = |code, bound| ApiError::Field { field: name, code, bound: Some(bound) };
    if raw.chars().count() > *bounds.end() {
        return Err(refuse("max_length", *bounds.end()));
    }
    let spaced: String = raw.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() < *bounds.start() { Err(refuse("min_length", *bounds.start())) } else { Ok(text) }
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::parse(parts.uri.query().unwrap_or_default())
    }
}

fn decode(text: &str) -> ApiResult<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|d| char::from(d).to_digit(16));
                match (digit(), digit()) {
                    (Some(high), Some(low)) => (high * 16 + low) as u8,
                    _ => return Err(ApiError::Malformed("percent escape")),
                }
            }
            byte => byte,
        });
    }
    no_nul(String::from_utf8(bytes).map_err(|_| ApiError::Malformed("UTF-8"))?)
}

/// Returns the text unchanged. Fails with 400 if it contains a NUL, which Postgres cannot store.
pub fn no_nul(text: String) -> ApiResult<String> {
    if text.contains('\0') { Err(ApiError::Malformed("NUL")) } else { Ok(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded() {
        let query = Query::parse("s=%E6%B8%A9%E6%B3%89+tokyo%26&lang=ja&empty=&s=second").expect("query");
        assert_eq!(query.get("s"), Some("温泉 tokyo&"));
        assert_eq!(query.get("empty"), None);
        assert_eq!(query.lang().expect("lang"), Lang::Ja);
    }

    #[test]
    fn malformed_encodings_are_rejected() {
        for text in ["s=%", "s=%2", "s=%zz", "s=%ff%fe", "s=a%00b", "%00=1"] {
            assert!(matches!(Query::parse(text), Err(ApiError::Malformed(_))), "{text}");
        }
    }

    #[test]
    fn text_is_normalized_and_bounded() {
        let query = Query::parse("a=++two%0A+words%09&b=x&c=%E6%B8%A9%E6%B3%89").expect("query");
        assert_eq!(query.text("a", 2..=69).expect("text"), "two words");
        assert_eq!(query.text("c", 2..=2).expect("characters, not bytes"), "温泉");
        for (name, code) in [("b", "min_length"), ("d", "required")] {
            let error = query.text(name, 2..=69).expect_err("too short");
            assert_eq!(error.code(), code);
        }
        assert_eq!(query.text("a", 1..=3).expect_err("long").code(), "max_length");
        // The maximum applies to the text as sent, because the API document cannot express more.
        assert_eq!(query.text("a", 1..=9).expect_err("long as sent").code(), "max_length");
    }
}
