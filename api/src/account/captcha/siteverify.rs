//! Turnstile and reCAPTCHA: both answer a form posted to `siteverify` with what they think of a token, which each takes once.

use std::{net::IpAddr, time::Duration};

use futures_util::future::BoxFuture;
use lantern_config::Config;
use serde::Deserialize;

use super::{CaptchaError, Challenge, Provider, Purpose};

const TURNSTILE: &str = "https://challenges.cloudflare.com/turnstile/v0/siteverify";
const RECAPTCHA: &str = "https://www.google.com/recaptcha/api/siteverify";
/// Longest answer in bytes that is read; theirs have some hundred.
const LONGEST_ANSWER: usize = 64 * 1024;

pub struct SiteVerify {
    http: reqwest::Client,
    name: &'static str,
    url: String,
    site_key: String,
    secret: String,
    /// Host the token must have been made on; `None` while the site doesn't know its own.
    host: Option<String>,
    /// Lowest accepted score, where the provider gives one.
    min_score: Option<f64>,
}

/// What the providers answer; the rest of it is for statistics.
#[derive(Deserialize)]
struct Opinion {
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

    async fn opinion(&self, token: &str, client: IpAddr) -> Result<Opinion, CaptchaError> {
        let away = |error: reqwest::Error| CaptchaError::Away(error.without_url().into());
        let form = form_urlencoded::Serializer::new(String::new())
            .append_pair("secret", &self.secret)
            .append_pair("response", token)
            .append_pair("remoteip", &client.to_string())
            .finish();
        let request = self.http.post(&self.url).header("content-type", "application/x-www-form-urlencoded").body(form);
        let mut answer = request.send().await.and_then(reqwest::Response::error_for_status).map_err(away)?;
        let mut body = Vec::new();
        while let Some(part) = answer.chunk().await.map_err(away)? {
            body.extend_from_slice(&part);
            if body.len() > LONGEST_ANSWER {
                return Err(CaptchaError::Away("the provider's answer is too long".into()));
            }
        }
        serde_json::from_slice(&body).map_err(|error| CaptchaError::Away(error.into()))
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
            let opinion = self.opinion(token, client).await?;
            if !opinion.success {
                return Err(CaptchaError::Wrong("the provider doesn't know the token, or it was used"));
            }
            if opinion.action.as_deref() != Some(purpose.as_str()) {
                return Err(CaptchaError::Wrong("made for another form"));
            }
            if self.host.is_some() && opinion.hostname != self.host {
                return Err(CaptchaError::Wrong("made on another site"));
            }
            if let Some(least) = self.min_score
                && opinion.score.is_none_or(|score| score < least)
            {
                return Err(CaptchaError::Wrong("the score is too low"));
            }
            Ok(())
        })
    }
}
