//! Which part of a file a request is to have, by what its client knows already: RFC 9110, sections 13 and 14.
//!
//! Of several ranges in one request none is served, as section 14.2 permits: the answer is the whole file. No player asks so, and parts
//! in parts would be a second way to send everything.

use std::{
    ops::Range,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use axum::http::{
    HeaderMap, HeaderName, Method,
    header::{IF_MATCH, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, RANGE},
};

/// What tells a file from what it was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Strong entity tag, with its quotes.
    pub tag: String,
    /// When it was written, in whole seconds as HTTP has them.
    pub modified: SystemTime,
    /// Bytes.
    pub length: u64,
}

impl Version {
    /// Of a file of so many bytes, written then.
    pub fn new(modified: SystemTime, length: u64) -> Self {
        let since = modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        let tag = format!("\"{:x}-{length:x}\"", since.as_nanos());
        Self { tag, modified: UNIX_EPOCH + Duration::from_secs(since.as_secs()), length }
    }
}

/// What a request gets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// All of it.
    Whole,
    /// These bytes; there is at least one.
    Part(Range<u64>),
    /// It has the file as it is.
    Known,
    /// It wanted another version only.
    Changed,
    /// The file has no such bytes.
    Outside,
}

/// What a `GET` or `HEAD` with these headers gets of a file, at `now`.
pub fn wanted(method: &Method, headers: &HeaderMap, version: &Version, now: SystemTime) -> Wanted {
    let is_strong = |tag: &str| tag == version.tag;
    let is_weak = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag) == version.tag;
    if headers.contains_key(IF_MATCH) {
        if !names(headers, IF_MATCH, is_strong) {
            return Wanted::Changed;
        }
    } else if date(headers, IF_UNMODIFIED_SINCE).is_some_and(|date| version.modified > date) {
        return Wanted::Changed;
    }
    if headers.contains_key(IF_NONE_MATCH) {
        if names(headers, IF_NONE_MATCH, is_weak) {
            return Wanted::Known;
        }
    } else if date(headers, IF_MODIFIED_SINCE).is_some_and(|date| version.modified <= date) {
        return Wanted::Known;
    }
    match text(headers, RANGE).filter(|_| method == Method::GET && is_still(headers, version, now)) {
        Some(range) => part(range, version.length),
        None => Wanted::Whole,
    }
}

/// Whether `If-Range`, where it is there, names this very version. A date does so only when nothing can have been written in its
/// second any more.
fn is_still(headers: &HeaderMap, version: &Version, now: SystemTime) -> bool {
    if !headers.contains_key(IF_RANGE) {
        return true;
    }
    let is_past = now.duration_since(version.modified).is_ok_and(|age| age > Duration::from_secs(1));
    text(headers, IF_RANGE).is_some_and(|known| known == version.tag)
        || (is_past && date(headers, IF_RANGE) == Some(version.modified))
}

/// What one range names of so many bytes. What is no range of bytes, or more than one, is as if it weren't there.
fn part(range: &str, length: u64) -> Wanted {
    let Some((unit, ranges)) = range.split_once('=') else { return Wanted::Whole };
    if !unit.eq_ignore_ascii_case("bytes") {
        return Wanted::Whole;
    }
    let mut ranges = ranges.split(',').map(|range| range.trim_matches([' ', '\t'])).filter(|range| !range.is_empty());
    let (Some(only), None) = (ranges.next(), ranges.next()) else { return Wanted::Whole };
    let Some((first, last)) = only.split_once('-') else { return Wanted::Whole };
    let range = match (position(first), position(last)) {
        (Some(first), Some(last)) if first <= last => first..length.min(last.saturating_add(1)),
        (Some(first), None) if last.is_empty() => first..length,
        (None, Some(last)) if first.is_empty() => length.saturating_sub(last)..length,
        _ => return Wanted::Whole,
    };
    if range.is_empty() { Wanted::Outside } else { Wanted::Part(range) }
}

/// A number of bytes; one too large to be written down is the largest.
fn position(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// A header that stands there once.
fn text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let (only, None) = (values.next()?, values.next()) else { return None };
    only.to_str().ok().map(str::trim)
}

fn date(headers: &HeaderMap, name: HeaderName) -> Option<SystemTime> {
    text(headers, name).and_then(|date| httpdate::parse_http_date(date).ok())
}

/// Whether a list of entity tags has one like this, or is `*`. Ours hold no comma.
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

    /// What a request gets an hour after the file was written.
    fn get(method: &Method, headers: &[(HeaderName, &str)]) -> Wanted {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        wanted(method, &map, &version(), version().modified + Duration::from_secs(3600))
    }

    #[test]
    fn one_range_is_served_and_what_is_none_is_not_there() {
        for (range, wanted) in [
            ("bytes=0-0", Wanted::Part(0..1)),
            ("bytes=2-4", Wanted::Part(2..5)),
            ("BYTES=2-4", Wanted::Part(2..5)),
            ("bytes= 2-4 ,", Wanted::Part(2..5)),
            ("bytes=007-9", Wanted::Part(7..10)),
            ("bytes=990-", Wanted::Part(990..1000)),
            ("bytes=0-", Wanted::Part(0..1000)),
            ("bytes=990-2000", Wanted::Part(990..1000)),
            ("bytes=5-99999999999999999999999", Wanted::Part(5..1000)),
            ("bytes=-1", Wanted::Part(999..1000)),
            ("bytes=-1000", Wanted::Part(0..1000)),
            ("bytes=-5000", Wanted::Part(0..1000)),
            ("bytes=1000-", Wanted::Outside),
            ("bytes=1000-1001", Wanted::Outside),
            ("bytes=99999999999999999999999-", Wanted::Outside),
            ("bytes=-0", Wanted::Outside),
            ("bytes=4-2", Wanted::Whole),
            ("bytes=", Wanted::Whole),
            ("bytes=-", Wanted::Whole),
            ("bytes=--1", Wanted::Whole),
            ("bytes=+1-2", Wanted::Whole),
            ("bytes=1-2-3", Wanted::Whole),
            ("bytes=a-b", Wanted::Whole),
            ("bytes", Wanted::Whole),
            ("items=0-1", Wanted::Whole),
            ("bytes=0-1,5-6", Wanted::Whole),
            ("bytes=0-1,2000-", Wanted::Whole),
        ] {
            assert_eq!(get(&Method::GET, &[(RANGE, range)]), wanted, "{range}");
            assert_eq!(get(&Method::HEAD, &[(RANGE, range)]), Wanted::Whole, "HEAD {range}");
        }
        assert_eq!(get(&Method::GET, &[(RANGE, "bytes=0-1"), (RANGE, "bytes=2-3")]), Wanted::Whole);
        assert_eq!(part("bytes=0-", 0), Wanted::Outside);
        assert_eq!(part("bytes=-1", 0), Wanted::Outside);
    }

    #[test]
    fn conditions_come_before_ranges_and_tags_before_dates() {
        let (tag, second) = (version().tag, Duration::from_secs(1));
        let [before, at, after] =
            [version().modified - second, version().modified, version().modified + second].map(httpdate::fmt_http_date);
        let (weak, list) = (format!("W/{tag}"), format!("\"other\", {tag}"));
        let [tag, weak, list] = [&tag, &weak, &list].map(String::as_str);
        let [before, at, after] = [&before, &at, &after].map(String::as_str);
        let range = (RANGE, "bytes=2-4");
        let part = Wanted::Part(2..5);
        for (headers, wanted) in [
            (vec![(IF_NONE_MATCH, tag)], Wanted::Known),
            (vec![(IF_NONE_MATCH, weak)], Wanted::Known),
            (vec![(IF_NONE_MATCH, list)], Wanted::Known),
            (vec![(IF_NONE_MATCH, "*")], Wanted::Known),
            (vec![(IF_NONE_MATCH, "\"other\"")], Wanted::Whole),
            (vec![(IF_NONE_MATCH, "\"other\""), (IF_MODIFIED_SINCE, after)], Wanted::Whole),
            (vec![(IF_NONE_MATCH, tag), range.clone()], Wanted::Known),
            (vec![(IF_MODIFIED_SINCE, before)], Wanted::Whole),
            (vec![(IF_MODIFIED_SINCE, at)], Wanted::Known),
            (vec![(IF_MODIFIED_SINCE, after)], Wanted::Known),
            (vec![(IF_MODIFIED_SINCE, "yesterday")], Wanted::Whole),
            (vec![(IF_MATCH, tag)], Wanted::Whole),
            (vec![(IF_MATCH, list), range.clone()], part.clone()),
            (vec![(IF_MATCH, "*")], Wanted::Whole),
            (vec![(IF_MATCH, weak)], Wanted::Changed),
            (vec![(IF_MATCH, "\"other\""), range.clone()], Wanted::Changed),
            (vec![(IF_MATCH, tag), (IF_UNMODIFIED_SINCE, before)], Wanted::Whole),
            (vec![(IF_UNMODIFIED_SINCE, before)], Wanted::Changed),
            (vec![(IF_UNMODIFIED_SINCE, at)], Wanted::Whole),
            (vec![(IF_UNMODIFIED_SINCE, "yesterday")], Wanted::Whole),
            (vec![(IF_RANGE, tag), range.clone()], part.clone()),
            (vec![(IF_RANGE, at), range.clone()], part),
            (vec![(IF_RANGE, weak), range.clone()], Wanted::Whole),
            (vec![(IF_RANGE, "\"other\""), range.clone()], Wanted::Whole),
            (vec![(IF_RANGE, before), range.clone()], Wanted::Whole),
            (vec![(IF_RANGE, after), range.clone()], Wanted::Whole),
            (vec![(IF_RANGE, tag)], Wanted::Whole),
            (vec![(IF_RANGE, "\"other\""), (RANGE, "bytes=2000-")], Wanted::Whole),
        ] {
            assert_eq!(get(&Method::GET, &headers), wanted, "{headers:?}");
        }
    }

    #[test]
    fn a_date_tells_no_version_from_one_written_in_the_same_second() {
        let headers = HeaderMap::from_iter([
            (RANGE, "bytes=2-4".parse().unwrap()),
            (IF_RANGE, httpdate::fmt_http_date(version().modified).parse().unwrap()),
        ]);
        let at =
            |millis| wanted(&Method::GET, &headers, &version(), version().modified + Duration::from_millis(millis));
        assert_eq!([at(900), at(1000), at(1001)], [Wanted::Whole, Wanted::Whole, Wanted::Part(2..5)]);
        assert_ne!(Version::new(version().modified, LENGTH).tag, version().tag, "tags know more than seconds");
    }
}
