//! Access to objects that not every viewer may see. Cached responses never contain such objects, and the session is read only for them.
//!
//! Ids are sequential, so requests for hidden or missing objects are rate-limited to prevent enumeration. Requests for visible objects
//! and for the viewer's own objects are not counted.

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

use lantern_accounts::viewer::{Sessions, Viewer};

/// Dependencies of an access check.
#[derive(Clone, FromRef)]
pub struct AccessCheck {
    /// Settings.
    pub config: Arc<Config>,
    /// Proxies whose forwarding headers are trusted.
    pub proxies: TrustedProxies,
    /// Sessions of members.
    pub sessions: Sessions,
    /// Limits per client.
    #[from_ref(skip)]
    pub limits: Arc<Limits>,
    /// Search engines, whose requests are not limited.
    #[from_ref(skip)]
    pub crawlers: Arc<Crawlers>,
}

/// The client of a request. The session is read lazily, because most responses are the same for all viewers.
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
    /// Wraps a request.
    pub fn new(parts: Parts, check: AccessCheck) -> Self {
        Self { parts, check }
    }

    /// Wraps a request as if a guest had sent it.
    pub fn guest(mut parts: Parts, check: AccessCheck) -> Self {
        parts.headers.remove(header::COOKIE);
        parts.extensions.remove::<Viewer>();
        Self { parts, check }
    }

    /// Returns the id of the signed-in member, for responses that are not cached.
    pub async fn member(&mut self) -> ApiResult<Option<i64>> {
        Ok(Viewer::from_request_parts(&mut self.parts, &self.check).await?.0.map(|member| member.id))
    }

    /// Returns whether the viewer may open an object that guests may not. Fails with 429 after too many requests for hidden or missing
    /// objects. Also fails if the catalog is unavailable.
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

    /// Refuses a request for a missing object. Fails with 404 and this code, or 429 after too many requests for hidden or missing
    /// objects.
    pub async fn missing<T>(&mut self, code: &'static str) -> ApiResult<T> {
        let member = self.member().await?;
        self.count(member).await?;
        Err(ApiError::NotFound(code))
    }

    async fn count(&mut self, member: Option<i64>) -> ApiResult<()> {
        let client = Client::from_request_parts(&mut self.parts, &self.check).await?;
        count(&self.check.limits, &self.check.crawlers, member, &client, &self.parts.headers).await
    }

    /// Returns the cached answer or, if guests are refused, the result of `open` for a viewer with access. `key` is the cache key of
    /// `answer`.
    ///
    /// # Errors
    /// Viewers without access get the same refusal as guests. After too many such requests, they get 429.
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

/// Counts a request for a hidden or missing object, per address and per member, because a member may use many addresses. Fails with 429
/// after too many. Verified search engines are exempt, because they know the addresses of removed objects and would crawl less if
/// refused.
pub(crate) async fn count(
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
