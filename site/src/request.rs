//! Request for a page, with its visitor.

use std::sync::Arc;

use axum::{extract::FromRequestParts, http::request::Parts};
use lantern_api::{
    access::{AccessCheck, Requester},
    sources::Sources,
    video::show::{self, VideoAnswer},
};
use lantern_config::{Lang, lifetimes};
use lantern_errors::ApiResult;
use lantern_http::{Client, host::origin};
use lantern_listing::ObjectPath;
use lantern_listing::pages::query::Params;

use crate::visitor::Visitor;

/// A request for a page.
pub struct PageRequest {
    /// The request without its body.
    pub parts: Parts,
    pub params: Params,
    pub visitor: Visitor,
    /// Origin of the site, without a trailing slash.
    pub origin: String,
}

impl PageRequest {
    pub async fn new(check: &AccessCheck, mut parts: Parts) -> ApiResult<Self> {
        let client = Client::from_request_parts(&mut parts, check).await?;
        let params = Params::parse(parts.uri.query().unwrap_or_default());
        let visitor = Visitor::new(&check.config, &check.crawlers, &client, &parts.headers, &params).await;
        let origin = origin(&check.config, &parts.headers);
        Ok(Self { parts, params, visitor, origin })
    }

    /// Returns the requester, for objects that may be hidden.
    pub fn requester(&self, check: &AccessCheck) -> Requester {
        Requester::new(self.parts.clone(), check.clone())
    }

    /// Returns the requester as a guest.
    pub fn guest(&self, check: &AccessCheck) -> Requester {
        Requester::guest(self.parts.clone(), check.clone())
    }
}

/// Returns a video as its page shows it. Fails with 404 if it never existed.
pub async fn video(sources: &Sources, requester: Requester, id: i64, lang: Lang) -> ApiResult<Arc<VideoAnswer>> {
    let path = ObjectPath { lifetime: lifetimes::DEFAULT, id };
    Ok(Box::pin(show::get(sources, requester, path, lang)).await?.into_value())
}
