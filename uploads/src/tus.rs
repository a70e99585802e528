//! The headers in tus 1.0.

use std::time::{Duration, UNIX_EPOCH};

use axum::{
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::Response,
};
use base64::prelude::{BASE64_STANDARD, Engine};
use lantern_errors::{ApiError, ApiResult};
use sha1::Sha1;
use sha2::{Digest, Sha256, digest::DynDigest};
use time::OffsetDateTime;

use crate::refused;

pub const RESUMABLE: HeaderName = HeaderName::from_static("tus-resumable");
pub const VERSIONS: HeaderName = HeaderName::from_static("tus-version");
pub const EXTENSIONS: HeaderName = HeaderName::from_static("tus-extension");
pub const MAX_SIZE: HeaderName = HeaderName::from_static("tus-max-size");
pub const ALGORITHMS: HeaderName = HeaderName::from_static("tus-checksum-algorithm");
pub const OFFSET: HeaderName = HeaderName::from_static("upload-offset");
pub const LENGTH: HeaderName = HeaderName::from_static("upload-length");
pub const METADATA: HeaderName = HeaderName::from_static("upload-metadata");
pub const EXPIRES: HeaderName = HeaderName::from_static("upload-expires");
pub const CHECKSUM: HeaderName = HeaderName::from_static("upload-checksum");
pub const METHOD: HeaderName = HeaderName::from_static("x-http-method-override");

/// The only supported protocol version.
pub const VERSION: &str = "1.0.0";
/// Supported extensions.
pub const EXTENSION_NAMES: &str = "creation,termination,checksum,expiration";
/// Supported checksum algorithms.
pub const ALGORITHM_NAMES: &str = "sha1,sha256";
/// Media type of a piece.
pub const PIECE: &str = "application/offset+octet-stream";
/// Maximum length of a file name, as on common file systems.
pub const MAX_NAME: usize = 255;
/// Default file name.
const DEFAULT_NAME: &str = "film";

/// Adds the protocol version to every response.
pub async fn add_version(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(RESUMABLE, HeaderValue::from_static(VERSION));
    if response.status() == StatusCode::PRECONDITION_FAILED {
        response.headers_mut().insert(VERSIONS, HeaderValue::from_static(VERSION));
    }
    response
}

/// Refuses a request with a different protocol version, or with none.
pub fn check_version(headers: &HeaderMap) -> ApiResult<()> {
    let spoken = headers.get(RESUMABLE).is_some_and(|version| version == VERSION);
    if spoken { Ok(()) } else { Err(refused(StatusCode::PRECONDITION_FAILED, "tus_version")) }
}

/// Refuses a body with a media type other than [`PIECE`].
pub fn check_type(headers: &HeaderMap) -> ApiResult<()> {
    let is_piece = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == PIECE);
    if is_piece { Ok(()) } else { Err(ApiError::MediaType) }
}

/// Parses a header with a number of bytes.
pub fn bytes(headers: &HeaderMap, name: HeaderName, field: &'static str) -> ApiResult<u64> {
    let text = headers.get(name).and_then(|value| value.to_str().ok());
    let text = text.ok_or(ApiError::required(field))?;
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten().ok_or_else(|| ApiError::invalid(field))
}

/// Formats a time for `Upload-Expires`.
pub fn date(at: OffsetDateTime) -> HeaderValue {
    let seconds = at.unix_timestamp().unsigned_abs();
    let text = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(seconds));
    HeaderValue::try_from(text).unwrap_or_else(|_| unreachable!("a date is a valid header value"))
}

fn bad_metadata() -> ApiError {
    ApiError::invalid("upload_metadata")
}

/// Returns the value of a key in `Upload-Metadata`: comma-separated pairs of a key and a base64 value.
fn metadata(headers: &HeaderMap, key: &str) -> ApiResult<Option<String>> {
    let Some(metadata) = headers.get(METADATA) else { return Ok(None) };
    let metadata = metadata.to_str().map_err(|_| bad_metadata())?;
    let value = metadata.split(',').find_map(|pair| pair.trim().strip_prefix(key)?.strip_prefix(' '));
    let decode =
        |value: &str| BASE64_STANDARD.decode(value.trim()).ok().and_then(|value| String::from_utf8(value).ok());
    value.map(|value| decode(value).ok_or_else(bad_metadata)).transpose()
}

/// Parses the file name in `Upload-Metadata`.
pub fn file_name(headers: &HeaderMap) -> ApiResult<String> {
    let Some(name) = metadata(headers, "filename")? else { return Ok(DEFAULT_NAME.to_owned()) };
    let fits = !name.trim().is_empty() && name.chars().count() <= MAX_NAME && !name.chars().any(char::is_control);
    if fits { Ok(name) } else { Err(bad_metadata()) }
}

/// Parses the id of the video to replace in `Upload-Metadata`.
pub fn replaces(headers: &HeaderMap) -> ApiResult<Option<i64>> {
    let Some(id) = metadata(headers, "replaces")? else { return Ok(None) };
    let is_plain = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    let id = is_plain.then(|| id.parse().ok()).flatten().filter(|id| *id > 0);
    id.map(Some).ok_or_else(bad_metadata)
}

/// Expected checksum of a piece.
pub struct Checksum {
    hasher: Box<dyn DynDigest + Send>,
    expected: Vec<u8>,
}

impl Checksum {
    /// Parses `Upload-Checksum`, which consists of an algorithm and a base64 digest. Returns `None` without the header.
    pub fn of(headers: &HeaderMap) -> ApiResult<Option<Self>> {
        let Some(value) = headers.get(CHECKSUM) else { return Ok(None) };
        let wrong = || ApiError::invalid("upload_checksum");
        let (name, digest) = value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(wrong)?;
        let hasher: Box<dyn DynDigest + Send> = match name {
            "sha1" => Box::new(Sha1::new()),
            "sha256" => Box::new(Sha256::new()),
            _ => return Err(wrong()),
        };
        let expected = BASE64_STANDARD.decode(digest.trim()).map_err(|_| wrong())?;
        Ok(Some(Self { hasher, expected }))
    }

    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.update(bytes);
    }

    /// Returns whether the received bytes match.
    pub fn matches(self) -> bool {
        *self.hasher.finalize() == *self.expected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn reads_file_name_among_other_metadata() {
        for (metadata, name) in [
            ("filename ZmlsbS5tcDQ=", Some("film.mp4")),
            ("filetype dmlkZW8vbXA0, filename 5aSc44Gu5biC5aC0Lm1rdg==,is_private", Some("夜の市場.mkv")),
            ("filetype dmlkZW8vbXA0", Some("film")),
            ("filename Zg", None),
            ("filename AAEC", None),
            ("filename ICAg", None),
            ("filename /w==", None),
        ] {
            assert_eq!(file_name(&headers(METADATA, metadata)).ok().as_deref(), name, "{metadata}");
        }
        assert_eq!(file_name(&HeaderMap::new()).unwrap(), "film");
    }

    #[test]
    fn replaced_video_has_a_plain_id() {
        for (metadata, id) in [
            ("replaces Nw==", Ok(Some(7))),
            ("filename ZmlsbS5tcDQ=,replaces Nw==", Ok(Some(7))),
            ("filename cmVwbGFjZXMgNw==", Ok(None)),
            // -7, +7, 0, a number beyond any id, and no number.
            ("replaces LTc=", Err(())),
            ("replaces Kzc=", Err(())),
            ("replaces MA==", Err(())),
            ("replaces OTIyMzM3MjAzNjg1NDc3NTgwOA==", Err(())),
        ] {
            assert_eq!(replaces(&headers(METADATA, metadata)).map_err(drop), id, "{metadata}");
        }
        assert_eq!(replaces(&HeaderMap::new()).map_err(drop), Ok(None));
    }

    #[test]
    fn numbers_have_one_spelling() {
        for (text, number) in
            [("0", Some(0)), ("10737418240", Some(10_737_418_240)), ("-1", None), ("+1", None), ("", None)]
        {
            assert_eq!(bytes(&headers(LENGTH, text), LENGTH, "upload_length").ok(), number, "{text}");
        }
        assert_eq!(bytes(&HeaderMap::new(), LENGTH, "upload_length").unwrap_err().code(), "required");
    }

    #[test]
    fn verifies_checksums() {
        // SHA-1 of "hello world", as in the protocol's own example.
        let read = |value| Checksum::of(&headers(CHECKSUM, value));
        for (bytes, matches) in [("hello world", true), ("hello worle", false)] {
            let mut checksum = read("sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=").unwrap().unwrap();
            checksum.update(bytes.as_bytes());
            assert_eq!(checksum.matches(), matches, "{bytes}");
        }
        assert!(read("md5 XrY7u+Ae7tCTyyK7j1rNww==").is_err() && read("sha1").is_err() && read("sha1 %%").is_err());
        assert!(Checksum::of(&HeaderMap::new()).unwrap().is_none());
    }
}
