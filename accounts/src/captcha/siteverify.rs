//! Turnstile and reCAPTCHA. Both verify a token that is posted to `siteverify`, and each token can be verified once.

use std::{net::IpAddr, time::Duration};

use futures_util::future::BoxFuture;
use lantern_config::Config;
use serde::Deserialize;

use super::{CaptchaError, Challenge, Provider, Purpose};

const TURNSTILE: &str = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const RECAPTCHA: &str = "https://www.google.com/recaptcha/api/siteverify";
/// Maximum size of a response in bytes. Usual responses have a few hundred bytes.
const MAX_RESPONSE: usize = 64 * 1024;

pub struct SiteVerify {
    http: reqwest::Client,
    name: &'static str,
    url: String,
    site_key: String,
    secret: String,
    /// Host on which the token must have been issued, or `None` if `server.public_url` is not set.
    host: Option<String>,
    /// Minimum score, if the provider returns one.
    min_score: Option<f64>,
}

/// The fields of a response that are checked. All others are ignored.
#[derive(Deserialize)]
struct Verification {
    success: bool,
    action: Option<String>,
    hostname: Option<String>,
    score: Option<f64>,
}

impl SiteVerify {
    pub fn turnstile(config: &Config) -> anyhow::Result<Self> {
        Self::new(config, "turnstile", TURNSTILE, None)
    }

    pub fn recaptcha(config: &Config) -> anyhow::Result<Self> {
        Self::new(config, "recaptcha", RECAPTCHA, Some(config.captcha.min_score))
    }

    fn new(config: &Config, name: &'static str, url: &str, min_score: Option<f64>) -> anyhow::Result<Self> {
        let settings = &config.captcha;
        let http = reqwest::Client::builder()
            .timeout(Duration::from_millis(settings.timeout_ms))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        let host = reqwest::Url::parse(&config.server.public_url).ok();
        Ok(Self {
            http,
            name,
            url: if settings.verify_url.is_empty() { url.to_owned() } else { settings.verify_url.clone() },
            site_key: settings.site_key.clone(),
            secret: settings.secret.clone(),
            host: host.and_then(|url| url.host_str().map(str::to_owned)),
            min_score,
        })
    }

    async fn request_verification(&self, token: &str, client: IpAddr) -> Result<Verification, CaptchaError> {
        let unavailable = |error: reqwest::Error| CaptchaError::Unavailable(error.without_url().into());
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("secret", &self.secret)
            .append_pair("response", token)
            .append_pair("remoteip", &client.to_string())
            .finish();
        let request = self.http.post(&self.url).header("content-type", "application/x-www-form-urlencoded").body(form);
        let mut response = request.send().await.and_then(reqwest::Response::error_for_status).map_err(unavailable)?;
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(unavailable)? {
            body.extend_from_slice(&part);
            if body.len() > MAX_RESPONSE {
                return Err(CaptchaError::Unavailable("the provider's response is too large".into()));
            }
        }
        serde_json::from_slice(&body).map_err(|error| CaptchaError::Unavailable(error.into()))
    }
}

impl Provider for SiteVerify {
    fn challenge(&self, _: Purpose, _: i64) -> Challenge {
        Challenge { provider: self.name, site_key: Some(self.site_key.clone()), ..Challenge::default() }
    }

    fn verify<'a>(
        &'a self,
        purpose: Purpose,
        token: &'a str,
        client: IpAddr,
        _: i64,
    ) -> BoxFuture<'a, Result<(), CaptchaError>> {
        Box::pin(async move {
            let result = self.request_verification(token, client).await?;
            if !result.success {
                return Err(CaptchaError::Wrong("the provider rejected the token, or it was already used"));
            }
            if result.action.as_deref() != Some(purpose.as_str()) {
                return Err(CaptchaError::Wrong("issued for another form"));
            }
            if self.host.is_some() && result.hostname != self.host {
                return Err(CaptchaError::Wrong("issued on another site"));
            }
            if let Some(least) = self.min_score
                && result.score.is_none_or(|score| score < least)
            {
                return Err(CaptchaError::Wrong("the score is too low"));
            }
            Ok(())
        })
    }
}
