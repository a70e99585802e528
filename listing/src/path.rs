//! Path segments: words of a closed vocabulary, canonical numbers, ids in their buckets, and names.

use std::str::FromStr;

use lantern_config::{Config, lifetimes, numbers::parse_number};
use lantern_errors::{ApiError, ApiResult};

/// Parses a word of a closed vocabulary. Fails with 404 for any other word.
pub fn word<T: FromStr>(segment: &str) -> ApiResult<T> {
    segment.parse().map_err(|_| ApiError::NotFound("not_found"))
}

/// Parses a canonical number (no sign, no leading zero) within `range`. Fails with 404 for anything else.
pub fn number(segment: &str, range: std::ops::RangeInclusive<u32>) -> ApiResult<u32> {
    parse_number(segment).filter(|number| range.contains(number)).ok_or(ApiError::NotFound("not_found"))
}

/// Largest accepted page number, above the number of pages of any list.
pub const LAST_PAGE: u32 = 10_000_000;

/// Parses a page number from 1 to [`LAST_PAGE`]. Fails with 404 for anything else.
pub fn page_of(text: &str) -> ApiResult<u32> {
    number(text, 1..=LAST_PAGE)
}

/// Returns the zero-based index of the first item on a page. Fails with 404 for pages beyond `search.max_total_hits`.
pub fn offset(page: u32, count: u32, config: &Config) -> ApiResult<usize> {
    let offset = (page as usize - 1) * count as usize;
    let beyond = offset + count as usize > config.search.max_total_hits;
    if beyond { Err(ApiError::NotFound("not_found")) } else { Ok(offset) }
}

/// Parses a lifetime in seconds. Fails with 404 unless it is one of `allowed`.
pub fn lifetime_of(text: &str, allowed: &[u32]) -> ApiResult<u32> {
    parse_number(text).filter(|lifetime| allowed.contains(lifetime)).ok_or(ApiError::NotFound("not_found"))
}

/// Parses the id of an object, at least 1. Its bucket must be the id rounded down to a multiple of 1000. Fails with 404 and the code
/// `unknown` for any other bucket and for malformed numbers.
pub fn bucketed_id(bucket: &str, id: &str, unknown: &'static str) -> ApiResult<i64> {
    let bucket: Option<i64> = parse_number(bucket);
    let id: Option<i64> = parse_number(id);
    match (bucket, id) {
        (Some(bucket), Some(id)) if id > 0 && bucket == id / 1000 * 1000 => Ok(id),
        _ => Err(ApiError::NotFound(unknown)),
    }
}

/// Parses the URL name of an object (see [`is_dir`]). Fails with 404 and the code `unknown` for anything else.
pub fn dir(segment: &str, unknown: &'static str) -> ApiResult<String> {
    if is_dir(segment) { Ok(segment.to_owned()) } else { Err(ApiError::NotFound(unknown)) }
}

/// Parses the URL name of an object whose first two characters are `prefix`. Fails with 404 and the code `unknown` for anything else.
pub fn prefixed_dir(prefix: &str, segment: &str, unknown: &'static str) -> ApiResult<String> {
    let name = dir(segment, unknown)?;
    if prefix == self::prefix(&name) { Ok(name) } else { Err(ApiError::NotFound(unknown)) }
}

/// Returns the folder of a URL name: its first two characters.
pub fn prefix(name: &str) -> &str {
    // Names are ASCII, so each character is one byte.
    &name[..name.len().min(2)]
}

/// URL of one page of a list that belongs to a member: `{lifetime}/{bucket}/{member_id}.{page}.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberPath {
    /// Time in seconds for which clients may cache the response.
    pub lifetime: u32,
    /// Id of the member.
    pub member: i64,
    /// Page number, starting at 1.
    pub page: u32,
}

impl MemberPath {
    /// Parses the three path segments. Fails with 404: `member_not_found` for a malformed id or the wrong bucket, otherwise
    /// `not_found`.
    pub fn parse([lifetime, bucket, file]: [String; 3], lifetimes: &[u32]) -> ApiResult<Self> {
        let (id, page) = json_name(&file)?.split_once('.').ok_or(ApiError::NotFound("not_found"))?;
        Ok(Self {
            lifetime: lifetime_of(&lifetime, lifetimes)?,
            member: bucketed_id(&bucket, id, "member_not_found")?,
            page: page_of(page)?,
        })
    }

    /// Returns the canonical URL in the call named `call`. It is used as the cache key.
    pub fn canonical(&self, call: &str) -> String {
        let Self { lifetime, member, page } = self;
        format!("{call}/{lifetime}/{}/{member}.{page}", member / 1000 * 1000)
    }
}

/// URL of one object: `{lifetime}/{bucket}/{id}.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjectPath {
    /// Time in seconds for which clients may cache the response.
    pub lifetime: u32,
    /// Id of the object.
    pub id: i64,
}

impl ObjectPath {
    /// Parses the three path segments. Fails with 404: the code `unknown` for a malformed id or the wrong bucket, otherwise
    /// `not_found`.
    pub fn parse([lifetime, bucket, file]: [String; 3], unknown: &'static str) -> ApiResult<Self> {
        Ok(Self {
            lifetime: lifetime_of(&lifetime, lifetimes::LISTS)?,
            id: bucketed_id(&bucket, json_name(&file)?, unknown)?,
        })
    }

    /// Returns the canonical URL in the call named `call`. It is used as the cache key.
    pub fn canonical(&self, call: &str) -> String {
        format!("{call}/{}/{}/{}", self.lifetime, self.bucket(), self.id)
    }

    /// Returns the bucket: the id rounded down to a multiple of 1000.
    pub const fn bucket(&self) -> i64 {
        self.id / 1000 * 1000
    }
}

/// Returns whether the text is a valid URL name (`dir`): 1 to 200 lowercase ASCII letters, digits and single hyphens between them.
pub fn is_dir(text: &str) -> bool {
    (1..=200).contains(&text.len())
        && text
            .split('-')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

/// Strips `.json` from a path segment. Fails with 404 for any other ending.
pub fn json_name(segment: &str) -> ApiResult<&str> {
    segment.strip_suffix(".json").ok_or(ApiError::NotFound("not_found"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_one_spelling() {
        assert!(number("7", 1..=100).is_ok_and(|n| n == 7));
        for text in ["", "0", "07", "+7", "-7", "7.0", "1e2", "101", "٧", "99999999999999999999"] {
            assert!(number(text, 1..=100).is_err(), "{text:?}");
        }
    }

    #[test]
    fn id_must_be_in_its_bucket() {
        assert!(bucketed_id("4000", "4321", "x").is_ok_and(|id| id == 4321));
        assert!(bucketed_id("0", "999", "x").is_ok_and(|id| id == 999));
        for (bucket, id) in [("0", "1000"), ("4001", "4321"), ("0", "0"), ("0", "-1"), ("", "1")] {
            assert!(bucketed_id(bucket, id, "x").is_err(), "{bucket} {id}");
        }
    }

    #[test]
    fn malformed_dirs_are_rejected() {
        assert!(is_dir("night-market-2") && is_dir("a"));
        for text in ["", "-a", "a-", "a--b", "A", "a b", "a.b", "../a", "a\" OR 1=1", "é", "a/b"] {
            assert!(!is_dir(text), "{text:?}");
        }
    }
}
