//! Headers of finished answers.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use lantern_catalog::{changes::Object, purges};
use lantern_errors::{ApiError, ApiResult};

use crate::{envelope, security};

/// What a proxy may forget an answer by.
pub const CACHE_TAG: HeaderName = HeaderName::from_static("cache-tag");
/// What answers depend on that are compressed where the client takes it. A 304 says it too (RFC 9110, 15.4.5).
pub const VARY: HeaderValue = HeaderValue::from_static("accept-encoding");
/// Longest `Cache-Tag` in bytes; CDNs take 16 KiB of headers. Videos come first: a page of a hundred names all of them.
const LONGEST_TAGS: usize = 4096;

/// What all forms have in common.
pub fn common(objects: &[Object], lifetime: u32) -> ApiResult<HeaderMap> {
    let mut headers = HeaderMap::with_capacity(16);
    security::add(&mut headers);
    // A tenth more may be shown while a fresh answer is fetched.
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
        if tags.len() + tag.len() > LONGEST_TAGS {
            break;
        }
        tags.push_str(&tag);
    }
    headers.insert(CACHE_TAG, exact(tags)?);
    Ok(headers)
}

/// Those of an answer without a body, with places for the tag and the id that every answer gets.
pub fn known(common: &HeaderMap) -> HeaderMap {
    let mut known = HeaderMap::with_capacity(4);
    for name in [header::CACHE_CONTROL, header::VARY] {
        if let Some(value) = common.get(&name) {
            known.insert(name, value.clone());
        }
    }
    for name in [header::ETAG, envelope::REQUEST_ID] {
        known.insert(name, HeaderValue::from_static(""));
    }
    known.clone()
}

/// A value that takes no more memory than its text.
pub fn exact(text: String) -> ApiResult<HeaderValue> {
    HeaderValue::try_from(text.into_boxed_str().into_string()).map_err(ApiError::internal)
}
