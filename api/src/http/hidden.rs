//! What is not for every viewer: cached responses never hold it, and the session is read only then.
//!
//! Ids are numbers in a row, so requests for what is hidden or missing are counted: nobody finds it by trying all of them. What
//! is visible, or the viewer's own, is not counted.

use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use lantern_catalog::access::{Access, Hidden, access};
use lantern_ratelimit::Action;

use crate::{
    cache::{Answer, CachedAnswer},
    http::{ApiError, ApiResult, Client, Viewer},
    state::AppState,
};

/// Who asks, not looked up yet: most answers are the same for everybody.
pub struct Requester(Parts);

impl<S: Send + Sync> FromRequestParts<S> for Requester {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.clone()))
    }
}

impl Requester {
    /// The same request as a guest's.
    pub fn guest(mut parts: Parts) -> Self {
        parts.headers.remove(header::COOKIE);
        parts.extensions.remove::<Viewer>();
        Self(parts)
    }

    /// Who it is, for answers that are not kept.
    pub async fn member(&mut self, state: &AppState) -> ApiResult<Option<i64>> {
        Ok(Viewer::from_request_parts(&mut self.0, state).await?.0.map(|member| member.id))
    }

    /// Whether the viewer may open something that guests may not. Fails with 429 after too many requests for what is hidden or
    /// missing; when the catalog is away.
    pub async fn may_open(&mut self, state: &AppState, what: Hidden, id: i64) -> ApiResult<bool> {
        let access = match Viewer::from_request_parts(&mut self.0, state).await?.0 {
            Some(member) => access(&state.pool, member.id, what, id).await?,
            None => Access::Refused,
        };
        if access != Access::Own {
            self.count(state).await?;
        }
        Ok(access != Access::Refused)
    }

    /// The answer for something that isn't there. Fails with 404 and this code, or 429 after too many requests for what is
    /// hidden or missing.
    pub async fn missing<T>(&mut self, state: &AppState, code: &'static str) -> ApiResult<T> {
        self.count(state).await?;
        Err(ApiError::NotFound(code))
    }

    /// Counts something hidden or missing. Search engines know addresses from when they led somewhere, and would ask less for
    /// everything else if they were refused.
    async fn count(&mut self, state: &AppState) -> ApiResult<()> {
        let client = Client::from_request_parts(&mut self.0, state).await?;
        let Err(wait) = state.limits.check(Action::Hidden, client.key) else { return Ok(()) };
        let agent = self.0.headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
        if state.crawlers.verified(agent, client.address).await { Ok(()) } else { Err(wait.into()) }
    }

    /// The answer for any viewer, or, where guests are refused, the one for a viewer who may open it.
    ///
    /// # Errors
    /// As guests are refused, for all who may not open it; 429 after too many of those.
    pub async fn or_hidden<T>(
        mut self,
        state: &AppState,
        (what, id): (Hidden, i64),
        answer: ApiResult<CachedAnswer<T>>,
        open: impl Future<Output = ApiResult<T>>,
    ) -> ApiResult<Answer<T>> {
        match answer {
            Err(refused @ ApiError::Forbidden(_)) => {
                if self.may_open(state, what, id).await? {
                    Ok(Answer::Private(open.await?))
                } else {
                    Err(refused)
                }
            }
            Err(ApiError::NotFound(code)) => self.missing(state, code).await,
            answer => answer.map(Answer::Cached),
        }
    }
}
