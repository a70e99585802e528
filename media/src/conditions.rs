//! Conditional and range requests (RFC 9110, sections 13 and 14).
//!
//! Requests for several ranges get the whole file, as section 14.2 permits. No player sends such requests, and multipart responses would need
//! a second code path.

use std::{
    ops::Range,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::http::{
    HeaderMap, HeaderName, Method,
    header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE},
};

/// Version of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Strong entity tag, including quotes.
    pub tag: String,
    /// Modification time in whole seconds, which is the resolution of HTTP dates.
    pub modified: SystemTime,
    /// Length in bytes.
    pub length: u64,
}

impl Version {
    /// Creates the version of a file of `length` bytes, modified at `modified`.
    pub fn new(modified: SystemTime, length: u64) -> Self {
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        let tag = format!("\"{:x}-{length:x}\"", since.as_nanos());
        Self { tag, modified: UNIX_EPOCH + Duration::from_secs(since.as_secs()), length }
    }
}

/// How to answer a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// The whole file.
    Whole,
    /// These bytes. There is at least one.
    Part(Range<u64>),
    /// Status 304: the client already has this version.
    NotModified,
    /// Status 412: a precondition failed.
    PreconditionFailed,
    /// Status 416: the range is outside the file.
    NotSatisfiable,
}

/// Evaluates the conditions and range of a `GET` or `HEAD` request at `now`.
pub fn wanted(method: &Method, headers: &HeaderMap, version: &Version, now: SystemTime) -> Delivery {
    let is_strong = |tag: &str| tag == version.tag;
    let is_weak = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag) == version.tag;
    if headers.contains_key(IF_MATCH) {
        if !names(headers, IF_MATCH, is_strong) {
            return Delivery::PreconditionFailed;
        }
    } else if date(headers, IF_UNMODIFIED_SINCE).is_some_and(|date| version.modified > date) {
        return Delivery::PreconditionFailed;
    }
    if headers.contains_key(IF_NONE_MATCH) {
        if names(headers, IF_NONE_MATCH, is_weak) {
            return Delivery::NotModified;
        }
    } else if date(headers, IF_MODIFIED_SINCE).is_some_and(|date| version.modified <= date) {
        return Delivery::NotModified;
    }
    match text(headers, RANGE).filter(|_| method == Method::GET && is_still(headers, version, now)) {
        Some(range) => part(range, version.length),
        None => Delivery::Whole,
    }
}

/// Returns whether `If-Range`, if present, matches this exact version. A date matches only if its second is
/// over, so that no later write can have the same date.
fn is_still(headers: &HeaderMap, version: &Version, now: SystemTime) -> bool {
    if !headers.contains_key(IF_RANGE) {
        return true;
    }
    let is_past = now.duration_since(version.modified).is_ok_and(|age| age > Duration::from_secs(1));
    text(headers, IF_RANGE).is_some_and(|known| known == version.tag)
        || (is_past && date(headers, IF_RANGE) == Some(version.modified))
}

/// Evaluates a `Range` header for a file of `length` bytes. Anything other than a single byte range is ignored.
fn part(range: &str, length: u64) -> Delivery {
    let Some((unit, ranges)) = range.split_once('=') else { return Delivery::Whole };
    if !unit.eq_ignore_ascii_case("bytes") {
        return Delivery::Whole;
    }
    let mut ranges = ranges.split(',').map(|range| range.trim_matches([' ', '\t'])).filter(|range| !range.is_empty());
    let (Some(only), None) = (ranges.next(), ranges.next()) else { return Delivery::Whole };
    let Some((first, last)) = only.split_once('-') else { return Delivery::Whole };
    let range = match (position(first), position(last)) {
        (Some(first), Some(last)) if first <= last => first..length.min(last.saturating_add(1)),
        (Some(first), None) if last.is_empty() => first..length,
        (None, Some(last)) if first.is_empty() => length.saturating_sub(last)..length,
        _ => return Delivery::Whole,
    };
    if range.is_empty() { Delivery::NotSatisfiable } else { Delivery::Part(range) }
}

/// Parses a byte position. A position that overflows becomes the maximum.
fn position(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// Returns the value of a header that occurs exactly once.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let (only, None) = (values.next()?, values.next()) else { return None };
    only.to_str().ok().map(str::trim)
}

fn date(headers: &HeaderMap, name: HeaderName) -> Option<SystemTime> {
    text(headers, name).and_then(|date| httpdate::parse_http_date(date).ok())
}

/// Returns whether a list of entity tags contains a match or `*`. Tags sent by these routes contain no commas.
fn names(headers: &HeaderMap, name: HeaderName, is_like: impl Fn(&str) -> bool) -> bool {
    let lists = headers.get_all(name).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).map(str::trim).any(|tag| tag == "*" || is_like(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH: u64 = 1000;

    fn version() -> Version {
        Version::new(UNIX_EPOCH + Duration::from_millis(1_700_000_000_250), LENGTH)
    }

    /// Evaluates a request one hour after the file was modified.
    fn get(method: &Method, headers: &[(HeaderName, &str)]) -> Delivery {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        wanted(method, &map, &version(), version().modified + Duration::from_secs(3600))
    }

    #[test]
    fn single_ranges_are_served_and_invalid_ones_ignored() {
        for (range, wanted) in [
            ("bytes=0-0", Delivery::Part(0..1)),
            ("bytes=2-4", Delivery::Part(2..5)),
            ("BYTES=2-4", Delivery::Part(2..5)),
            ("bytes= 2-4 ,", Delivery::Part(2..5)),
            ("bytes=007-9", Delivery::Part(7..10)),
            ("bytes=990-", Delivery::Part(990..1000)),
            ("bytes=0-", Delivery::Part(0..1000)),
            ("bytes=990-2000", Delivery::Part(990..1000)),
            ("bytes=5-99999999999999999999999", Delivery::Part(5..1000)),
            ("bytes=-1", Delivery::Part(999..1000)),
            ("bytes=-1000", Delivery::Part(0..1000)),
            ("bytes=-5000", Delivery::Part(0..1000)),
            ("bytes=1000-", Delivery::NotSatisfiable),
            ("bytes=1000-1001", Delivery::NotSatisfiable),
            ("bytes=99999999999999999999999-", Delivery::NotSatisfiable),
            ("bytes=-0", Delivery::NotSatisfiable),
            ("bytes=4-2", Delivery::Whole),
            ("bytes=", Delivery::Whole),
            ("bytes=-", Delivery::Whole),
            ("bytes=--1", Delivery::Whole),
            ("bytes=+1-2", Delivery::Whole),
            ("bytes=1-2-3", Delivery::Whole),
            ("bytes=a-b", Delivery::Whole),
            ("bytes", Delivery::Whole),
            ("items=0-1", Delivery::Whole),
            ("bytes=0-1,5-6", Delivery::Whole),
            ("bytes=0-1,2000-", Delivery::Whole),
        ] {
            assert_eq!(get(&Method::GET, &[(RANGE, range)]), wanted, "{range}");
            assert_eq!(get(&Method::HEAD, &[(RANGE, range)]), Delivery::Whole, "HEAD {range}");
        }
        assert_eq!(get(&Method::GET, &[(RANGE, "bytes=0-1"), (RANGE, "bytes=2-3")]), Delivery::Whole);
        assert_eq!(part("bytes=0-", 0), Delivery::NotSatisfiable);
        assert_eq!(part("bytes=-1", 0), Delivery::NotSatisfiable);
    }

    #[test]
    fn conditions_precede_ranges_and_tags_precede_dates() {
        let (tag, second) = (version().tag, Duration::from_secs(1));
        let [before, at, after] =
            [version().modified - second, version().modified, version().modified + second].map(httpdate::fmt_http_date);
        let (weak, list) = (format!("W/{tag}"), format!("\"other\", {tag}"));
        let [tag, weak, list] = [&tag, &weak, &list].map(String::as_str);
        let [before, at, after] = [&before, &at, &after].map(String::as_str);
        let range = (RANGE, "bytes=2-4");
        let part = Delivery::Part(2..5);
        for (headers, wanted) in [
            (vec![(IF_NONE_MATCH, tag)], Delivery::NotModified),
            (vec![(IF_NONE_MATCH, weak)], Delivery::NotModified),
            (vec![(IF_NONE_MATCH, list)], Delivery::NotModified),
            (vec![(IF_NONE_MATCH, "*")], Delivery::NotModified),
            (vec![(IF_NONE_MATCH, "\"other\"")], Delivery::Whole),
            (vec![(IF_NONE_MATCH, "\"other\""), (IF_MODIFIED_SINCE, after)], Delivery::Whole),
            (vec![(IF_NONE_MATCH, tag), range.clone()], Delivery::NotModified),
            (vec![(IF_MODIFIED_SINCE, before)], Delivery::Whole),
            (vec![(IF_MODIFIED_SINCE, at)], Delivery::NotModified),
            (vec![(IF_MODIFIED_SINCE, after)], Delivery::NotModified),
            (vec![(IF_MODIFIED_SINCE, "yesterday")], Delivery::Whole),
            (vec![(IF_MATCH, tag)], Delivery::Whole),
            (vec![(IF_MATCH, list), range.clone()], part.clone()),
            (vec![(IF_MATCH, "*")], Delivery::Whole),
            (vec![(IF_MATCH, weak)], Delivery::PreconditionFailed),
            (vec![(IF_MATCH, "\"other\""), range.clone()], Delivery::PreconditionFailed),
            (vec![(IF_MATCH, tag), (IF_UNMODIFIED_SINCE, before)], Delivery::Whole),
            (vec![(IF_UNMODIFIED_SINCE, before)], Delivery::PreconditionFailed),
            (vec![(IF_UNMODIFIED_SINCE, at)], Delivery::Whole),
            (vec![(IF_UNMODIFIED_SINCE, "yesterday")], Delivery::Whole),
            (vec![(IF_RANGE, tag), range.clone()], part.clone()),
            (vec![(IF_RANGE, at), range.clone()], part),
            (vec![(IF_RANGE, weak), range.clone()], Delivery::Whole),
            (vec![(IF_RANGE, "\"other\""), range.clone()], Delivery::Whole),
            (vec![(IF_RANGE, before), range.clone()], Delivery::Whole),
            (vec![(IF_RANGE, after), range.clone()], Delivery::Whole),
            (vec![(IF_RANGE, tag)], Delivery::Whole),
            (vec![(IF_RANGE, "\"other\""), (RANGE, "bytes=2000-")], Delivery::Whole),
        ] {
            assert_eq!(get(&Method::GET, &headers), wanted, "{headers:?}");
        }
    }

    #[test]
    fn if_range_date_within_the_same_second_does_not_match() {
        let headers = HeaderMap::from_iter([
            (RANGE, "bytes=2-4".parse().unwrap()),
            (IF_RANGE, httpdate::fmt_http_date(version().modified).parse().unwrap()),
        ]);
        let at =
            |millis| wanted(&Method::GET, &headers, &version(), version().modified + Duration::from_millis(millis));
        assert_eq!([at(900), at(1000), at(1001)], [Delivery::Whole, Delivery::Whole, Delivery::Part(2..5)]);
        assert_ne!(Version::new(version().modified, LENGTH).tag, version().tag, "tags are more precise than seconds");
    }
}
