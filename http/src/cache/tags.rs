//! Tags of answers, and what clients ask with them (RFC 9110, 8.8.3 and 13.1.2).

use axum::http::{HeaderMap, HeaderValue, header};
use lantern_errors::ApiResult;
use sha2::{Digest, Sha256};

use super::headers::exact;

/// The digest of an answer's bytes.
pub fn etag_text(body: &[u8]) -> String {
    hex::encode(&Sha256::digest(body)[..16])
}

/// A strong tag of the bytes.
pub fn etag(body: &[u8]) -> ApiResult<HeaderValue> {
    quoted(&etag_text(body), "")
}

/// Whether `If-None-Match` names the tag, compared weakly as the standard asks.
pub fn matches(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    requested_tags(headers).any(|(_, tag)| tag == "*" || tag.as_bytes() == etag.as_bytes())
}

/// The tags of `If-None-Match` without the mark of weak ones, each with the header it is in.
pub fn requested_tags(headers: &HeaderMap) -> impl Iterator<Item = (&HeaderValue, &str)> {
    let sent = headers.get_all(header::IF_NONE_MATCH).iter();
    let texts = sent.filter_map(|value| value.to_str().ok().map(|text| (value, text)));
    texts.flat_map(|(value, text)| {
        text.split(',').map(str::trim).map(move |tag| (value, tag.strip_prefix("W/").unwrap_or(tag)))
    })
}

/// A strong tag: the digest of the answer's bytes, and which form of it.
pub fn quoted(tag: &str, suffix: &str) -> ApiResult<HeaderValue> {
    exact(format!("\"{tag}{suffix}\""))
}
