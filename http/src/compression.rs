//! Compression of uncached responses.

use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use tower_http::compression::{
    CompressionLayer, DefaultPredicate,
    predicate::{And, Predicate},
};

use crate::{envelope::REQUEST_ID, private::NeverCompress};

/// Predicate on what is known before the body.
type Rule = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// Returns the compression layer, which skips images, cached responses and responses with secrets.
pub fn compression() -> CompressionLayer<And<DefaultPredicate, Rule>> {
    CompressionLayer::new().compress_when(DefaultPredicate::new().and(may_be_compressed as Rule))
}

/// Returns whether the layer may compress a response. Cached responses are already compressed and have a strong ETag.
/// They are recognized by their placeholder for the request id.
fn may_be_compressed(_: StatusCode, _: Version, headers: &HeaderMap, extensions: &Extensions) -> bool {
    !headers.contains_key(REQUEST_ID) && extensions.get::<NeverCompress>().is_none()
}
