//! Answers as handlers and pages use them: a typed value and the HTTP response serialized from it.

use std::sync::Arc;

use axum::{http::HeaderMap, response::Response};
use bytes::Bytes;
use lantern_errors::{ApiError, ApiResult};
use serde::Serialize;

use super::{PREFIX, entry::Entry};
use crate::private;

/// A cached answer, identical for every viewer.
pub struct CachedAnswer<T> {
    key: String,
    entry: Arc<Entry>,
    value: Arc<T>,
}

impl<T: Send + Sync + 'static> CachedAnswer<T> {
    pub(super) fn new(key: &str, entry: Arc<Entry>) -> ApiResult<Self> {
        let value = entry.value().ok_or_else(|| ApiError::internal("answers of different types share a cache key"))?;
        Ok(Self { key: key.to_owned(), entry, value })
    }
}

impl<T> CachedAnswer<T> {
    /// Returns the path and query at which clients request the answer.
    pub fn url(&self) -> String {
        url(&self.key)
    }

    /// Returns the JSON document.
    pub fn bytes(&self) -> &Bytes {
        self.entry.bytes()
    }

    /// Returns the value.
    pub fn into_value(self) -> Arc<T> {
        self.value
    }

    /// Returns the response in the smallest variant that the request headers accept, or 304 if the client already has it.
    pub fn respond(&self, headers: &HeaderMap) -> ApiResult<Response> {
        self.entry.answer(headers)
    }
}

/// Returns the path and query of the answer with this key.
fn url(key: &str) -> String {
    match key.split_once('?') {
        Some((path, lang)) => format!("{PREFIX}{path}.json?lang={lang}"),
        None => format!("{PREFIX}{key}.json"),
    }
}

/// An answer for a single viewer, which is never cached.
pub struct PrivateAnswer<T> {
    key: String,
    value: T,
}

impl<T> PrivateAnswer<T> {
    /// Creates an answer. `key` is the cache key that the answer for every viewer would have.
    pub fn new(key: String, value: T) -> Self {
        Self { key, value }
    }

    /// Returns the path and query at which clients request the answer.
    pub fn url(&self) -> String {
        url(&self.key)
    }

    /// Returns the value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Returns the value.
    pub fn into_value(self) -> T {
        self.value
    }
}

/// An answer that may depend on the viewer.
pub enum Answer<T> {
    /// Identical for every viewer.
    Cached(CachedAnswer<T>),
    /// Specific to this viewer.
    Private(PrivateAnswer<T>),
}

impl<T: Serialize> Answer<T> {
    /// Returns the response. A cached answer responds like [`CachedAnswer::respond`], and a private one is sent uncached.
    pub fn respond(&self, headers: &HeaderMap) -> ApiResult<Response> {
        match self {
            Self::Cached(cached) => cached.respond(headers),
            Self::Private(private) => Ok(private::answer(private.value())),
        }
    }
}

impl<T> Answer<T> {
    /// Returns the value.
    pub fn into_value(self) -> Arc<T> {
        match self {
            Self::Cached(cached) => cached.into_value(),
            Self::Private(private) => Arc::new(private.into_value()),
        }
    }
}

impl<T> From<CachedAnswer<T>> for Answer<T> {
    fn from(cached: CachedAnswer<T>) -> Self {
        Self::Cached(cached)
    }
}
