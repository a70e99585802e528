//! HTTP client for the purge endpoint of an external cache.

use std::time::Duration;

use anyhow::Context;
use axum::http::{HeaderName, HeaderValue, Method};
use lantern_config::Purge as Settings;
use serde_json::json;

/// Sends purge requests as configured in `[purge]`.
pub struct PurgeClient {
    http: reqwest::Client,
    url: reqwest::Url,
    method: Method,
    /// Authentication header and its value.
    auth: Option<(HeaderName, HeaderValue)>,
    /// Header that carries the tags; `None` sends them as JSON.
    tags_header: Option<HeaderName>,
}

impl PurgeClient {
    /// Creates a client.
    ///
    /// # Errors
    /// `purge.url`, `purge.method`, `purge.header`, `purge.key` or `purge.tags_header` is invalid.
    pub fn new(settings: &Settings) -> anyhow::Result<Self> {
        let header =
            |name: &str, key| HeaderName::try_from(name).with_context(|| format!("{key} is not a header name"));
        let auth = match settings.key.as_str() {
            "" => None,
            key => {
                let mut value = HeaderValue::try_from(key).context("purge.key is not a valid header value")?;
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
            // The URL may contain a key, so errors must not quote it.
            url: settings.url.parse().context("purge.url is not a URL")?,
            method: Method::from_bytes(settings.method.as_bytes()).context("purge.method is not an HTTP method")?,
            auth,
            tags_header,
        })
    }

    /// Purges these tags. Returns the reason as text if the request failed or was rejected.
    pub async fn purge(&self, tags: &[&str]) -> Result<(), String> {
        let mut request = self.http.request(self.method.clone(), self.url.clone());
        if let Some((name, value)) = &self.auth {
            request = request.header(name, value);
        }
        request = match &self.tags_header {
            Some(name) => request.header(name, tags.join(" ")),
            None => request.header("content-type", "application/json").body(json!({ "tags": tags }).to_string()),
        };
        let response = request.send().await.map_err(|error| with_causes(&error.without_url()))?;
        match response.status() {
            status if status.is_success() => Ok(()),
            status => Err(format!("the cache responded with {status}")),
        }
    }
}

/// Returns an error and its causes as text.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}
