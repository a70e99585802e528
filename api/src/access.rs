//! What is not for every viewer: cached responses never hold it, and the session is read only then.
//!
//! Ids are numbers in a row, so requests for what is hidden or missing are counted: nobody finds it by trying all of them. What
//! is visible, or the viewer's own, is not counted.

use std::sync::Arc;

use axum::{
    extract::{FromRef, FromRequestParts},
    http::{HeaderMap, header, request::Parts},
};
use lantern_catalog::access::{Access, Hidden, access};
use lantern_config::Config;
use lantern_errors::{ApiError, ApiResult};
use lantern_http::{
    Client,
    cache::{Answer, CachedAnswer, PrivateAnswer},
    crawlers::Crawlers,
    proxies::TrustedProxies,
};
use lantern_ratelimit::{Action, Limits};

use crate::session::{Sessions, Viewer};

/// What tells whether somebody may see what is not for every viewer.
#[derive(Clone, FromRef)]
pub struct AccessCheck {
    pub config: Arc<Config>,
    pub proxies: TrustedProxies,
    pub sessions: Sessions,
    #[from_ref(skip)]
    pub limits: Arc<Limits>,
    #[from_ref(skip)]
    pub crawlers: Arc<Crawlers>,
}

/// Who asks, not looked up yet: most answers are the same for everybody.
pub struct Requester {
    parts: Parts,
    check: AccessCheck,
}

impl<S: Sync> FromRequestParts<S> for Requester
where
    AccessCheck: FromRef<S>,
{
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        Ok(Self { parts: parts.clone(), check: AccessCheck::from_ref(state) })
    }
}

impl Requester {
    /// Whoever made the request.
    pub fn new(parts: Parts, check: AccessCheck) -> Self {
        Self { parts, check }
    }

    /// The same request as a guest's.
    pub fn guest(mut parts: Parts, check: AccessCheck) -> Self {
        parts.headers.remove(header::COOKIE);
        parts.extensions.remove::<Viewer>();
        Self { parts, check }
    }

    /// Who it is, for answers that are not kept.
    pub async fn member(&mut self) -> ApiResult<Option<i64>> {
        Ok(Viewer::from_request_parts(&mut self.parts, &self.check).await?.0.map(|member| member.id))
    }

    /// Whether the viewer may open something that guests may not. Fails with 429 after too many requests for what is hidden or
    /// missing; when the catalog is away.
    pub async fn may_open(&mut self, what: Hidden, id: i64) -> ApiResult<bool> {
        let member = self.member().await?;
        let access = match member {
            Some(member) => access(&self.check.sessions.pool, member, what, id).await?,
            None => Access::Refused,
        };
        if access != Access::Own {
            self.count(member).await?;
        }
        Ok(access != Access::Refused)
    }

    /// The answer for something that isn't there. Fails with 404 and this code, or 429 after too many requests for what is
    /// hidden or missing.
    pub async fn missing<T>(&mut self, code: &'static str) -> ApiResult<T> {
        let member = self.member().await?;
        self.count(member).await?;
        Err(ApiError::NotFound(code))
    }

    async fn count(&mut self, member: Option<i64>) -> ApiResult<()> {
        let client = Client::from_request_parts(&mut self.parts, &self.check).await?;
        count(&self.check.limits, &self.check.crawlers, member, &client, &self.parts.headers).await
    }

    /// The answer for any viewer, or, where guests are refused, the one for a viewer who may open it. `key` is the key of `answer`.
    ///
    /// # Errors
    /// As guests are refused, for all who may not open it; 429 after too many of those.
    pub async fn or_hidden<T>(
        mut self,
        (what, id): (Hidden, i64),
        key: String,
        answer: ApiResult<CachedAnswer<T>>,
        open: impl Future<Output = ApiResult<T>>,
    ) -> ApiResult<Answer<T>> {
        match answer {
            Err(refused @ ApiError::Forbidden(_)) => {
                if self.may_open(what, id).await? {
                    Ok(Answer::Private(PrivateAnswer::new(key, open.await?)))
                } else {
                    Err(refused)
                }
            }
            Err(ApiError::NotFound(code)) => self.missing(code).await,
            answer => answer.map(Answer::Cached),
        }
    }
}

/// Counts a look at something hidden or missing: by the address, and by the member, who may have many. Fails with 429 after too
/// many. Search engines know addresses from when they led somewhere, and would ask less for everything else if they were refused.
pub async fn count(
    limits: &Limits,
    crawlers: &Crawlers,
    member: Option<i64>,
    client: &Client,
    headers: &HeaderMap,
) -> ApiResult<()> {
    let by_address = limits.check(Action::Hidden, client.key);
    let by_member = member.map_or(Ok(()), |member| limits.check_member(Action::Hidden, member, client.key));
    let Err(wait) = by_member.and(by_address) else { return Ok(()) };
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or_default();
    if crawlers.verified(agent, client.address).await { Ok(()) } else { Err(wait.into()) }
}
