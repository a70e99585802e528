//! Asks the API's own routes in process, so that a page holds exactly what its calls would answer,
//! from the same cache.

use std::net::SocketAddr;

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::ConnectInfo,
    http::{Request, StatusCode, header, request::Parts},
};
use futures_util::future::join_all;
use serde::de::DeserializeOwned;
use tower::ServiceExt;

use super::calls::{Call, Part};
use crate::{
    http::{
        error::{ApiError, ApiResult},
        private::PRIVATE,
    },
    search::log::AnswerShown,
};

/// No answer of the API comes near; a bound all the same.
const LARGEST: usize = 8 << 20;
/// What an inner call must not inherit: it wants the whole answer, unpacked, for any viewer.
const OUTER: [header::HeaderName; 6] = [
    header::ACCEPT_ENCODING,
    header::IF_NONE_MATCH,
    header::IF_MODIFIED_SINCE,
    header::RANGE,
    header::COOKIE,
    header::CONTENT_LENGTH,
];

/// What a call answered.
#[derive(Debug)]
pub struct Answer {
    /// The call.
    pub call: Call,
    /// Its body, or why there is none.
    pub result: ApiResult<Bytes>,
    /// What a guest gets; a member may get more, so the app must call for itself.
    of_guest: bool,
}

/// The answers of a page.
#[derive(Debug)]
pub struct Answers(Vec<Answer>);

impl Answers {
    /// Asks all at once.
    pub async fn ask(api: &Router, outer: &Parts, calls: Vec<Call>) -> Self {
        let asked = calls.into_iter().map(|call| async {
            let answered = answer(api, outer, &call.url).await;
            let of_guest = call.part == Part::Video && answered.as_ref().is_ok_and(|(_, private)| *private);
            Answer { call, result: answered.map(|(body, _)| body), of_guest }
        });
        Self(join_all(asked).await)
    }

    /// The answers that may be shown, by the address of their call.
    pub fn shown(&self) -> impl Iterator<Item = (&str, &Bytes)> {
        self.0
            .iter()
            .filter(|answer| !answer.of_guest)
            .filter_map(|answer| Some((answer.call.url.as_str(), answer.result.as_ref().ok()?)))
    }

    /// The answer of a part, read as far as a page needs it; `None` when it was not asked or failed.
    pub fn read<T: DeserializeOwned>(&self, part: Part) -> Option<T> {
        let answer = self.0.iter().find(|answer| answer.call.part == part)?;
        match serde_json::from_slice(answer.result.as_ref().ok()?) {
            Ok(value) => Some(value),
            Err(error) => {
                tracing::error!(url = answer.call.url, %error, "a page can't read an answer of the API");
                None
            }
        }
    }

    /// Whether the part was asked for.
    pub fn has(&self, part: Part) -> bool {
        self.0.iter().any(|answer| answer.call.part == part)
    }

    /// Why the page is not what was asked for: the first failure of what it is about. The frame,
    /// related videos and what is written below are company; without them it is still the page.
    pub fn failure(&self) -> Option<&ApiError> {
        // A wall is about what is written there.
        let below = [Part::Video, Part::Album, Part::Playlist].into_iter().any(|part| self.has(part));
        let company = |part| matches!(part, Part::Main | Part::Related) || below && part == Part::Comments;
        let own = self.0.iter().filter(|answer| !company(answer.call.part));
        own.filter_map(|answer| answer.result.as_ref().err()).next()
    }
}

/// The body of a call that answers 200.
///
/// # Errors
/// What the call was refused with.
pub async fn get(api: &Router, outer: &Parts, url: &str) -> ApiResult<Bytes> {
    answer(api, outer, url).await.map(|(body, _)| body)
}

/// The body of a call, and whether it is for this viewer alone.
async fn answer(api: &Router, outer: &Parts, url: &str) -> ApiResult<(Bytes, bool)> {
    let mut request = Request::get(url).body(Body::empty()).map_err(ApiError::internal)?;
    *request.headers_mut() = outer.headers.clone();
    for name in OUTER {
        request.headers_mut().remove(name);
    }
    request.extensions_mut().insert(outer.extensions.get::<AnswerShown>().copied().unwrap_or_default());
    // Limits and the country depend on who asks.
    if let Some(peer) = outer.extensions.get::<ConnectInfo<SocketAddr>>() {
        request.extensions_mut().insert(*peer);
    }
    let mut response = match api.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    match response.extensions_mut().remove::<ApiError>() {
        Some(error) => Err(error),
        None if response.status() == StatusCode::OK => {
            let private = response.headers().get(header::CACHE_CONTROL) == Some(&PRIVATE);
            Ok((to_bytes(response.into_body(), LARGEST).await.map_err(ApiError::internal)?, private))
        }
        None => Err(ApiError::NotFound("not_found")),
    }
}
