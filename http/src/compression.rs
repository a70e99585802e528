//! Which answers are compressed on their way out.

use axum::http::{Extensions, HeaderMap, StatusCode, Version};
use tower_http::compression::{
    CompressionLayer, DefaultPredicate,
    predicate::{And, Predicate},
};

use crate::{envelope::REQUEST_ID, private::Secret};

/// A rule by what is known before the body.
type Rule = fn(StatusCode, Version, &HeaderMap, &Extensions) -> bool;

/// Compresses all but pictures, answers from memory and those with secrets.
pub fn compression() -> CompressionLayer<And<DefaultPredicate, Rule>> {
    CompressionLayer::new().compress_when(DefaultPredicate::new().and(may_be_compressed as Rule))
}

/// Finished answers are in their smallest form, with a strong tag of it. They alone have a place for their id.
fn may_be_compressed(_: StatusCode, _: Version, headers: &HeaderMap, extensions: &Extensions) -> bool {
    !headers.contains_key(REQUEST_ID) && extensions.get::<Secret>().is_none()
}
