//! One call to the cache outside.

use std::time::Duration;

use anyhow::Context;
use axum::http::{HeaderName, HeaderValue, Method};
use lantern_config::Purge as Settings;
use serde_json::json;

pub struct PurgeCall {
    http: reqwest::Client,
    url: reqwest::Url,
    method: Method,
    proof: Option<(HeaderName, HeaderValue)>,
    tags_header: Option<HeaderName>,
}

impl PurgeCall {
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let header =
            |name: &str, key| HeaderName::try_from(name).with_context(|| format!("{key} is no name of a header"));
        let proof = match settings.key.as_str() {
            "" => None,
            key => {
                let mut value = HeaderValue::try_from(key).context("purge.key can't stand in a header")?;
                value.set_sensitive(true);
                Some((header(&settings.header, "purge.header")?, value))
            }
        };
        let tags_header = match settings.tags_header.as_str() {
            "" => None,
            name => Some(header(name, "purge.tags_header")?),
        };
        Ok(Self {
            http: reqwest::Client::builder()
                .timeout(Duration::from_millis(settings.timeout_ms))
                .redirect(reqwest::redirect::Policy::none())
                .build()?,
            // The address may hold a key, so only the reason is logged.
            url: settings.url.parse().context("purge.url is no address")?,
            method: Method::from_bytes(settings.method.as_bytes()).context("purge.method is no method")?,
            proof,
            tags_header,
        })
    }

    /// Tells these tags; the reason why they were not taken.
    pub async fn tell(&self, tags: &[&str]) -> Result<(), String> {
        let mut request = self.http.request(self.method.clone(), self.url.clone());
        if let Some((name, value)) = &self.proof {
            request = request.header(name, value);
        }
        request = match &self.tags_header {
            Some(name) => request.header(name, tags.join(" ")),
            None => request.header("content-type", "application/json").body(json!({ "tags": tags }).to_string()),
        };
        let answer = request.send().await.map_err(|error| words(&error.without_url()))?;
        match answer.status() {
            status if status.is_success() => Ok(()),
            status => Err(format!("the cache answered {status}")),
        }
    }
}

/// An error with what caused it.
fn words(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
