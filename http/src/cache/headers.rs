//! Headers of cached responses.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use lantern_catalog::{changes::Object, purges};
use lantern_errors::{ApiError, ApiResult};

use crate::{envelope, security};

/// Header with the tags by which external caches purge a response.
pub const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");
/// `Vary` of responses that are compressed if the client accepts it. A 304 has this header, too (RFC 9110, 15.4.5).
pub const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");
/// Maximum length of `Cache-Tag` in bytes. CDNs accept 16 KiB of headers. The tags of videos come first, and those of a page with a
/// hundred videos all fit.
const MAX_TAGS_LENGTH: usize = 4096;

/// Returns the headers that all variants share.
pub fn common(objects: &[Object], lifetime: u32) -> ApiResult<HeaderMap> {
    let mut headers = HeaderMap::with_capacity(16);
    security::add(&mut headers);
    // For another tenth of the lifetime, caches may serve the stale response while they revalidate it.
    let control = match lifetime {
        0 => "no-store".to_owned(),
        _ => format!("public, max-age={lifetime}, stale-while-revalidate={}", lifetime / 10),
    };
    headers.insert(header::CACHE_CONTROL, exact(control)?);
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::VARY, VARY);
    let mut tags = purges::ANSWERS.to_owned();
    for (entity, id) in objects {
        let tag = format!(",{entity}-{id}");
        if tags.len() + tag.len() > MAX_TAGS_LENGTH {
            break;
        }
        tags.push_str(&tag);
    }
    headers.insert(CACHE_TAG, exact(tags)?);
    Ok(headers)
}

/// Returns the headers of a 304, with placeholders for the ETag and the request id.
pub fn not_modified(common: &HeaderMap) -> HeaderMap {
    let mut headers = HeaderMap::with_capacity(4);
    for name in [header::CACHE_CONTROL, header::VARY] {
        if let Some(value) = common.get(&name) {
            headers.insert(name, value.clone());
        }
    }
    for name in [header::ETAG, envelope::REQUEST_ID] {
        headers.insert(name, HeaderValue::from_static(""));
    }
    // A clone has no spare capacity.
    headers.clone()
}

/// Converts a text into a header value without spare capacity.
pub fn exact(text: String) -> ApiResult<HeaderValue> {
    HeaderValue::try_from(text.into_boxed_str().into_string()).map_err(ApiError::internal)
}
