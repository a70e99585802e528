//! What is not everybody's: answers that are kept never hold it, and who may see it is looked up only then.

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
    response::Response,
};
use lantern_catalog::own::{self, Hidden};
use serde::Serialize;

use crate::{
    error::{ApiError, ApiResult},
    extract::Viewer,
    private,
    state::AppState,
};

/// Who asks, not looked up yet: most answers are the same for everybody.
pub struct Asker(Parts);

impl<S: Send + Sync> FromRequestParts<S> for Asker {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.clone()))
    }
}

impl Asker {
    /// What was asked for besides the address.
    pub fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    /// Whether whoever asks may open something that guests may not.
    ///
    /// # Errors
    /// When the catalog is away.
    pub async fn may_open(&mut self, state: &AppState, what: Hidden, id: i64) -> ApiResult<bool> {
        match Viewer::from_request_parts(&mut self.0, state).await?.0 {
            Some(member) => Ok(own::may_open(&state.pool, member.id, what, id).await?),
            None => Ok(false),
        }
    }

    /// The answer everybody gets, or, where everybody is refused, the one for who may open it.
    ///
    /// # Errors
    /// As everybody is refused, for all who may not.
    pub async fn or_hidden<T: Serialize>(
        mut self,
        state: &AppState,
        (what, id): (Hidden, i64),
        answer: ApiResult<Response>,
        open: impl Future<Output = ApiResult<T>>,
    ) -> ApiResult<Response> {
        match answer {
            Err(refused @ ApiError::Forbidden(_)) => {
                if self.may_open(state, what, id).await? {
                    Ok(private::answer(open.await?))
                } else {
                    Err(refused)
                }
            }
            answer => answer,
        }
    }
}
