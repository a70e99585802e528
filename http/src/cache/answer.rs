//! An answer as those who ask for it get it: a value, or a response that is written from it.

use std::sync::Arc;

use axum::{http::HeaderMap, response::Response};
use bytes::Bytes;
use lantern_errors::{ApiError, ApiResult};
use serde::Serialize;

use super::{PREFIX, entry::Entry};
use crate::private;

/// An answer from the cache, the same for every viewer.
pub struct CachedAnswer<T> {
    key: String,
    entry: Arc<Entry>,
    value: Arc<T>,
}

impl<T: Send + Sync + 'static> CachedAnswer<T> {
    pub(super) fn new(key: &str, entry: Arc<Entry>) -> ApiResult<Self> {
        let value = entry.value().ok_or_else(|| ApiError::internal("two kinds of answers share a key"))?;
        Ok(Self { key: key.to_owned(), entry, value })
    }
}

impl<T> CachedAnswer<T> {
    /// The address clients request it at.
    pub fn url(&self) -> String {
        url(&self.key)
    }

    /// Its JSON document.
    pub fn bytes(&self) -> &Bytes {
        self.entry.bytes()
    }

    /// The value itself.
    pub fn into_value(self) -> Arc<T> {
        self.value
    }

    /// The response in the variant the client takes.
    pub fn respond(&self, headers: &HeaderMap) -> ApiResult<Response> {
        self.entry.answer(headers)
    }
}

/// The address of the call whose answer has this key.
fn url(key: &str) -> String {
    match key.split_once('?') {
        Some((path, lang)) => format!("{PREFIX}{path}.json?lang={lang}"),
        None => format!("{PREFIX}{key}.json"),
    }
}

/// An answer for one viewer, which is never cached.
pub struct PrivateAnswer<T> {
    key: String,
    value: T,
}

impl<T> PrivateAnswer<T> {
    /// The answer with the key that the one for every viewer would have.
    pub fn new(key: String, value: T) -> Self {
        Self { key, value }
    }

    /// The address clients request it at.
    pub fn url(&self) -> String {
        url(&self.key)
    }

    /// The value itself.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// The value itself.
    pub fn into_value(self) -> T {
        self.value
    }
}

/// An answer that may depend on the viewer.
pub enum Answer<T> {
    /// The one for every viewer.
    Cached(CachedAnswer<T>),
    /// The one for this viewer.
    Private(PrivateAnswer<T>),
}

impl<T: Serialize> Answer<T> {
    /// The response in the variant the client takes.
    pub fn respond(&self, headers: &HeaderMap) -> ApiResult<Response> {
        match self {
            Self::Cached(cached) => cached.respond(headers),
            Self::Private(private) => Ok(private::answer(private.value())),
        }
    }
}

impl<T> Answer<T> {
    /// The value itself.
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
