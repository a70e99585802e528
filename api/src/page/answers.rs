//! The answers a page is made of: the loaders' values, from the same cache as the calls of the app.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use crate::{cache::Answer, http::ApiResult};

/// Answers that the app needs no request for: the address of each call and its JSON document, in the order of the calls.
#[derive(Default)]
pub struct Answers(Mutex<Vec<Option<(String, Bytes)>>>);

/// Where an answer goes that is still to come.
pub struct Slot<'a> {
    answers: &'a Answers,
    at: usize,
}

impl Answers {
    /// The place of the next call's answer; it stays empty when there is none to show.
    pub fn slot(&self) -> Slot<'_> {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.push(None);
        Slot { answers: self, at: answers.len() - 1 }
    }

    pub fn into_shown(self) -> impl Iterator<Item = (String, Bytes)> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten()
    }
}

impl Slot<'_> {
    /// The value of a loader's answer, which the app gets under the call's own address or the way it spells that. A guest's
    /// own answer it doesn't get: a member may get more, so the app must call for itself.
    pub async fn fill<T, A: Into<Answer<T>>>(
        self,
        url: Option<String>,
        answer: impl Future<Output = ApiResult<A>>,
    ) -> ApiResult<Arc<T>> {
        Ok(match answer.await?.into() {
            Answer::Private(value) => Arc::new(value),
            Answer::Cached(cached) => {
                self.put(url.unwrap_or_else(|| cached.url()), cached.bytes().clone());
                cached.into_value()
            }
        })
    }

    pub fn put(self, url: String, bytes: Bytes) {
        self.answers.0.lock().unwrap_or_else(PoisonError::into_inner)[self.at] = Some((url, bytes));
    }
}
