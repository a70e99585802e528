//! A variant of an answer, ready to send: its bytes and all its headers.

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

pub struct Variant {
    bytes: Bytes,
    headers: HeaderMap,
}

impl Variant {
    /// A variant of an answer whose bytes have the digest `tag`.
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
        // A place for the id that every answer gets.
        headers.insert(envelope::REQUEST_ID, HeaderValue::from_static(""));
        if encoding != Encoding::Identity {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding.name()));
        }
        // A clone has no room to spare.
        Ok(Self { bytes, headers: headers.clone() })
    }

    /// The bytes of the answer in this variant.
    pub const fn bytes(&self) -> &Bytes {
        &self.bytes
    }

    /// Everything that is sent before them.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// The variant as an answer.
    pub fn whole(&self) -> Response {
        let mut response = Response::new(Body::from(self.bytes.clone()));
        response.headers_mut().clone_from(&self.headers);
        response
    }

    /// Memory that its headers take, in bytes.
    pub fn around(&self) -> usize {
        const LONGEST_LENGTH: usize = 20;
        let etag = self.headers.get(header::ETAG).map_or(0, HeaderValue::len);
        header_map(&self.headers) + shared(etag) + shared(LONGEST_LENGTH)
    }

    /// Memory that it takes, in bytes.
    pub fn weight(&self) -> usize {
        shared(self.bytes.len()) + self.around()
    }
}
