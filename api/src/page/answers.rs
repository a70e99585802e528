//! The answers a page is made of: the loaders' values, from the same cache as the calls of the app.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use bytes::Bytes;
use serde::Serialize;

use lantern_errors::{ApiError, ApiResult};
use lantern_http::cache::Answer;

/// Answers that the app needs no request for: the address of each call and its JSON document, in the order of the calls.
#[derive(Default)]
pub struct Answers {
    shown: Mutex<Vec<Option<(String, Bytes)>>>,
    /// Whether one of them depends on the session.
    is_private: AtomicBool,
}

/// Where an answer goes that is still to come.
pub struct Slot<'a> {
    answers: &'a Answers,
    at: usize,
}

impl Answers {
    /// The place of the next call's answer; it stays empty when there is none to show.
    pub fn slot(&self) -> Slot<'_> {
        let mut answers = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        answers.push(None);
        Slot { answers: self, at: answers.len() - 1 }
    }

    /// Whether the page is for this viewer alone. To be read when all answers are there.
    pub fn are_private(&self) -> bool {
        self.is_private.load(Ordering::Relaxed)
    }

    pub fn into_shown(self) -> impl Iterator<Item = (String, Bytes)> {
        self.shown.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten()
    }
}

impl Slot<'_> {
    /// The value of a loader's answer, which the app gets under the call's own address or the way it spells that.
    pub async fn fill<T: Serialize, A: Into<Answer<T>>>(
        self,
        url: Option<String>,
        answer: impl Future<Output = ApiResult<A>>,
    ) -> ApiResult<Arc<T>> {
        Ok(match answer.await.inspect_err(|error| self.note(error))?.into() {
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

    /// Another viewer may get what this one is refused.
    fn note(&self, error: &ApiError) {
        if matches!(error, ApiError::Forbidden(_)) {
            self.answers.is_private.store(true, Ordering::Relaxed);
        }
    }

    pub fn put(&self, url: String, bytes: Bytes) {
        self.answers.shown.lock().unwrap_or_else(PoisonError::into_inner)[self.at] = Some((url, bytes));
    }
}
