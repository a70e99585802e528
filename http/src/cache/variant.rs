//! A response in one encoding, ready to send.

use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, header},
    response::Response,
};
use bytes::Bytes;
use lantern_errors::ApiResult;

use super::{
    encoding::{Effort, Encoding},
    tags::quoted,
    weight::{header_map, shared},
};
use crate::envelope;

/// Body and headers of a response in one encoding.
pub struct Variant {
    bytes: Bytes,
    headers: HeaderMap,
}

impl Variant {
    /// Creates a variant. `tag` is the digest of the JSON document, `common` the headers that all variants share.
    pub fn new(
        bytes: Vec<u8>,
        tag: &str,
        (encoding, effort): (Encoding, Effort),
        common: &HeaderMap,
    ) -> ApiResult<Self> {
        let bytes = Bytes::from(bytes.into_boxed_slice());
        let mut headers = common.clone();
        headers.insert(header::ETAG, quoted(tag, encoding.suffix(effort))?);
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
        // Placeholder for the request id.
        headers.insert(envelope::REQUEST_ID, HeaderValue::from_static(""));
        if encoding != Encoding::Identity {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
        // A clone has no spare capacity.
        Ok(Self { bytes, headers: headers.clone() })
    }

    /// Returns the body.
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Returns the headers.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// Returns the complete response.
    pub fn response(&self) -> Response {
        let mut response = Response::new(Body::from(self.bytes.clone()));
        response.headers_mut().clone_from(&self.headers);
        response
    }

    /// Returns the memory of the headers in bytes.
    pub fn overhead(&self) -> usize {
        /// Digits of the largest `Content-Length`.
        const MAX_DIGITS: usize = 20;
        let etag = self.headers.get(header::ETAG).map_or(0, HeaderValue::len);
        header_map(&self.headers) + shared(etag) + shared(MAX_DIGITS)
    }

    /// Returns the memory of the variant in bytes.
    pub fn weight(&self) -> usize {
        shared(self.bytes.len()) + self.overhead()
    }
}
