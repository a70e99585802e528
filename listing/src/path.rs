//! Segments of an address: closed words, canonical numbers, ids in their buckets, names.

use std::str::FromStr;

use lantern_config::{lifetimes, numbers::parse_number};
use lantern_errors::{ApiError, ApiResult};

/// A word of a closed vocabulary. Fails with 404 for any other word.
pub fn word<T: FromStr>(segment: &str) -> ApiResult<T> {
    segment.parse().map_err(|_| ApiError::NotFound("not_found"))
}

/// A number written the one canonical way (no sign, no leading zero), within `range`. Fails with 404 for anything else.
pub fn number(segment: &str, range: std::ops::RangeInclusive<u32>) -> ApiResult<u32> {
    parse_number(segment).filter(|number| range.contains(number)).ok_or(ApiError::NotFound("not_found"))
}

/// The product's largest list has fewer pages.
pub const LAST_PAGE: u32 = 10_000_000;

/// A page number, up to [`LAST_PAGE`]. Fails with 404 for anything but a number from 1.
pub fn page_of(text: &str) -> ApiResult<u32> {
    number(text, 1..=LAST_PAGE)
}

/// One of the call's lifetimes. Fails with 404 for another.
pub fn lifetime_of(text: &str, allowed: &[u32]) -> ApiResult<u32> {
    parse_number(text).filter(|lifetime| allowed.contains(lifetime)).ok_or(ApiError::NotFound("not_found"))
}

/// An object's id, which must lie in the bucket the path names. Fails with 404 and `unknown` for another bucket or a malformed
/// number.
pub fn bucketed_id(bucket: &str, id: &str, unknown: &'static str) -> ApiResult<i64> {
    let bucket: Option<i64> = parse_number(bucket);
    let id: Option<i64> = parse_number(id);
    match (bucket, id) {
        (Some(bucket), Some(id)) if id > 0 && bucket == id / 1000 * 1000 => Ok(id),
        _ => Err(ApiError::NotFound(unknown)),
    }
}

/// The name of an object in URLs: lower-case letters, digits and single hyphens. Fails with 404 and `unknown` for anything else.
pub fn dir(segment: &str, unknown: &'static str) -> ApiResult<String> {
    if is_dir(segment) { Ok(segment.to_owned()) } else { Err(ApiError::NotFound(unknown)) }
}

/// The name of an object below its first two characters, which are `prefix`. Fails with 404 and `unknown` for anything else.
pub fn prefixed_dir(prefix: &str, segment: &str, unknown: &'static str) -> ApiResult<String> {
    let name = dir(segment, unknown)?;
    if prefix == self::prefix(&name) { Ok(name) } else { Err(ApiError::NotFound(unknown)) }
}

/// The folder of a name: its first two characters.
pub fn prefix(name: &str) -> &str {
    // Names are ASCII, so characters are bytes.
    &name[..name.len().min(2)]
}

/// `{lifetime}/{bucket}/{member_id}.{page}.json`: one page of a list that belongs to a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemberPath {
    /// Seconds the answer may be kept.
    pub lifetime: u32,
    /// The member, in the bucket of the address.
    pub member: i64,
    /// From 1.
    pub page: u32,
}

impl MemberPath {
    /// Reads the three segments. Fails with 404 `member_not_found` for a malformed id or another bucket than its own, `not_found`
    /// for the rest.
    pub fn parse([lifetime, bucket, file]: [String; 3], lifetimes: &[u32]) -> ApiResult<Self> {
        let (id, page) = json_name(&file)?.split_once('.').ok_or(ApiError::NotFound("not_found"))?;
        Ok(Self {
            lifetime: lifetime_of(&lifetime, lifetimes)?,
            member: bucketed_id(&bucket, id, "member_not_found")?,
            page: page_of(page)?,
        })
    }

    /// The address in its one spelling, for the cache.
    pub fn canonical(&self, call: &str) -> String {
        let Self { lifetime, member, page } = self;
        format!("{call}/{lifetime}/{}/{member}.{page}", member / 1000 * 1000)
    }
}

/// `{lifetime}/{bucket}/{id}.json`: one object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjectPath {
    /// Seconds the answer may be kept.
    pub lifetime: u32,
    /// The object, in the bucket of the address.
    pub id: i64,
}

impl ObjectPath {
    /// Reads the three segments. Fails with 404 and `unknown` for a malformed id or another bucket than its own, `not_found` for
    /// the rest.
    pub fn parse([lifetime, bucket, file]: [String; 3], unknown: &'static str) -> ApiResult<Self> {
        Ok(Self {
            lifetime: lifetime_of(&lifetime, lifetimes::LISTS)?,
            id: bucketed_id(&bucket, json_name(&file)?, unknown)?,
        })
    }

    /// The address in its one spelling, for the cache.
    pub fn canonical(&self, call: &str) -> String {
        format!("{call}/{}/{}/{}", self.lifetime, self.bucket(), self.id)
    }

    /// The folder it is in.
    pub const fn bucket(&self) -> i64 {
        self.id / 1000 * 1000
    }
}

/// Whether the text can be a `dir`.
pub fn is_dir(text: &str) -> bool {
    (1..=200).contains(&text.len())
        && text
            .split('-')
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

/// The segment without its `.json`. Fails with 404 when it has another ending.
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
    fn an_id_lies_in_its_bucket() {
        assert!(bucketed_id("4000", "4321", "x").is_ok_and(|id| id == 4321));
        assert!(bucketed_id("0", "999", "x").is_ok_and(|id| id == 999));
        for (bucket, id) in [("0", "1000"), ("4001", "4321"), ("0", "0"), ("0", "-1"), ("", "1")] {
            assert!(bucketed_id(bucket, id, "x").is_err(), "{bucket} {id}");
        }
    }

    #[test]
    fn a_dir_is_nothing_but_a_dir() {
        assert!(is_dir("night-market-2") && is_dir("a"));
        for text in ["", "-a", "a-", "a--b", "A", "a b", "a.b", "../a", "a\" OR 1=1", "é", "a/b"] {
            assert!(!is_dir(text), "{text:?}");
        }
    }
}
