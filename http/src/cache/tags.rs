//! ETags and `If-None-Match` (RFC 9110, 8.8.3 and 13.1.2).

use axum::http::{HeaderMap, HeaderValue, header};
use lantern_errors::ApiResult;
use sha2::{Digest, Sha256};

use super::headers::exact;

/// Returns the first 128 bits of the SHA-256 digest of `body`, in hex.
pub fn etag_text(body: &[u8]) -> String {
    hex::encode(&Sha256::digest(body)[..16])
}

/// Returns the strong ETag of `body`.
pub fn etag(body: &[u8]) -> ApiResult<HeaderValue> {
    quoted(&etag_text(body), "")
}

/// Returns whether `If-None-Match` contains the ETag or `*`, by weak comparison (RFC 9110, 13.1.2).
pub fn matches(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    requested_tags(headers).any(|(_, tag)| tag == "*" || tag.as_bytes() == etag.as_bytes())
}

/// Returns the ETags of `If-None-Match` without the prefix `W/`, each with the header value that contains it.
pub fn requested_tags(headers: &HeaderMap) -> impl Iterator<Item = (&HeaderValue, &str)> {
    let values = headers.get_all(header::IF_NONE_MATCH).iter();
    let texts = values.filter_map(|value| value.to_str().ok().map(|text| (value, text)));
    texts.flat_map(|(value, text)| {
        text.split(',').map(str::trim).map(move |tag| (value, tag.strip_prefix("W/").unwrap_or(tag)))
    })
}

/// Returns a strong ETag: the digest `tag` and the `suffix` of the variant, in quotes.
pub fn quoted(tag: &str, suffix: &str) -> ApiResult<HeaderValue> {
    exact(format!("\"{tag}{suffix}\""))
}
