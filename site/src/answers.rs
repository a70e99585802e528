//! Answers from which a page is built. They come from the same loaders and cache as the app's calls.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::cache::Answer;
use serde::Serialize;

/// Answers embedded in the page, so that the app need not request them. Holds the address and JSON of each call, in
/// call order.
#[derive(Default)]
pub struct Answers {
    shown: Mutex<Vec<Option<(String, Bytes)>>>,
    /// Whether any of the answers depends on the session.
    is_private: AtomicBool,
}

/// A place reserved for a pending answer.
pub struct Slot<'a> {
    answers: &'a Answers,
    at: usize,
}

impl Answers {
    /// Reserves the place for the next call's answer. The place stays empty if the call yields nothing to embed.
    pub fn slot(&self) -> Slot<'_> {
        let mut answers = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        answers.push(None);
        Slot { answers: self, at: answers.len() - 1 }
    }

    /// Whether the page is for this viewer only. The result is valid once all slots are filled.
    pub fn are_private(&self) -> bool {
        self.is_private.load(Ordering::Relaxed)
    }

    pub fn into_shown(self) -> impl Iterator<Item = (String, Bytes)> {
        self.shown.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten()
    }
}

impl Slot<'_> {
    /// Awaits a loader's answer and returns its value. Embeds the answer under `url` or, if there is none, under the
    /// call's usual address.
    pub async fn fill<T: Serialize, A: Into<Answer<T>>>(
        self,
        url: Option<String>,
        answer: impl Future<Output = ApiResult<A>>,
    ) -> ApiResult<Arc<T>> {
        Ok(match answer.await.inspect_err(|error| self.note_refusal(error))?.into() {
            Answer::Private(private) => {
                self.answers.is_private.store(true, Ordering::Relaxed);
                let bytes = Bytes::from(serde_json::to_vec(private.value())?);
                self.put(url.unwrap_or_else(|| private.url()), bytes);
                Arc::new(private.into_value())
            }
            Answer::Cached(cached) => {
                self.put(url.unwrap_or_else(|| cached.url()), cached.bytes().clone());
                cached.into_value()
            }
        })
    }

    /// Marks the page as private if the viewer was refused, because another viewer might be permitted.
    fn note_refusal(&self, error: &ApiError) {
        if matches!(error, ApiError::Forbidden(_)) {
            self.answers.is_private.store(true, Ordering::Relaxed);
        }
    }

    pub fn put(&self, url: String, bytes: Bytes) {
        self.answers.shown.lock().unwrap_or_else(PoisonError::into_inner)[self.at] = Some((url, bytes));
    }
}
