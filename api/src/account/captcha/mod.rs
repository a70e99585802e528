//! Proof that a form is not filled in by a robot: a provider by configuration, a purpose per form, one use per proof.

mod altcha;
pub mod challenge;
pub mod policy;
mod siteverify;

use std::net::IpAddr;

use axum::http::HeaderValue;
use futures_util::future::BoxFuture;
use lantern_config::{CaptchaProvider, Config, import};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use lantern_errors::{ApiError, ApiResult};
use lantern_http::security;

/// Longest proof in characters: a token of Turnstile has 2,048 at most, reCAPTCHA's are somewhat longer.
const LONGEST: usize = 8192;

/// The form that is protected; a proof made for one is no good for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Signing in, after failures.
    Login,
    /// A new account.
    Signup,
    /// A new password.
    Restore,
    /// A message or a report to us.
    Report,
}

impl Purpose {
    /// Every form.
    pub const ALL: [Self; 4] = [Self::Login, Self::Signup, Self::Restore, Self::Report];

    /// The name on the wire, which providers get as the action, too.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Login => "login",
            Self::Signup => "signup",
            Self::Restore => "restore",
            Self::Report => "report",
        }
    }
}

impl std::str::FromStr for Purpose {
    type Err = ();

    fn from_str(word: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|purpose| purpose.as_str() == word).ok_or(())
    }
}

/// What the browser needs to make a proof. Members that don't belong to the provider are left out.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Challenge {
    /// `altcha`, `turnstile`, `recaptcha`, or `off` when none is required.
    #[schema(schema_with = providers)]
    pub provider: &'static str,
    /// Digest of the proof of work, always `SHA-256`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "SHA-256")]
    pub algorithm: Option<&'static str>,
    /// Digest, in hexadecimal, of the salt followed by the number that is looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        pattern = "^[0-9a-f]{64}$",
        example = "6d1c4e1a2f5b7e6e8f6a4d0f6f6a0b8f1f5f5d0c2a9b3e7d4c8f1a2b3c4d5e6f"
    )]
    pub challenge: Option<String>,
    /// The number looked for is from 0 to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 50000)]
    pub maxnumber: Option<u32>,
    /// What the number is appended to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "c0ffee00c0ffee00c0ffee00?expires=1790001200&for=signup&")]
    pub salt: Option<String>,
    /// To be sent back with the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        pattern = "^[0-9a-f]{64}$",
        example = "9b1c4e1a2f5b7e6e8f6a4d0f6f6a0b8f1f5f5d0c2a9b3e7d4c8f1a2b3c4d5e6f"
    )]
    pub signature: Option<String>,
    /// Key of this site at the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "0x4AAAAAAA")]
    pub site_key: Option<String>,
}

fn providers() -> utoipa::openapi::Schema {
    lantern_config::schemas::words(
        "Who checks the proof; `off` when none is asked for.",
        ["altcha", "turnstile", "recaptcha", "off"],
    )
}

/// Why a proof does not hold.
#[derive(Debug, thiserror::Error)]
pub enum CaptchaError {
    /// It is forged, wrong, too old, used already, or made for another form.
    #[error("the proof does not hold: {0}")]
    Wrong(&'static str),
    /// The provider doesn't answer.
    #[error("the proof can't be checked: {0}")]
    Away(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Somebody who tells people from robots.
trait Provider: Send + Sync {
    /// What the browser needs to make a proof at `now` (unix seconds).
    fn challenge(&self, purpose: Purpose, now: i64) -> Challenge;

    /// Whether the proof holds at `now`; after it did once, it doesn't any more.
    fn verify<'a>(
        &'a self,
        purpose: Purpose,
        proof: &'a str,
        client: IpAddr,
        now: i64,
    ) -> BoxFuture<'a, Result<(), CaptchaError>>;
}

/// The configured provider.
pub struct Captcha {
    provider: Option<Box<dyn Provider>>,
    page_policy: Option<HeaderValue>,
    now: fn() -> i64,
}

/// Where the providers' scripts and frames come from.
const TURNSTILE_SOURCES: &str = "https://challenges.cloudflare.com";
const RECAPTCHA_SOURCES: &str = "https://www.google.com https://www.gstatic.com";

impl Captcha {
    /// Sets the provider up; `key` signs challenges of our own and is the same on all nodes.
    ///
    /// # Errors
    /// When the client for a provider elsewhere can't be made.
    pub fn new(config: &Config, pool: PgPool, key: [u8; 32], now: fn() -> i64) -> anyhow::Result<Self> {
        let settings = &config.captcha;
        let provider: Option<Box<dyn Provider>> = match settings.provider {
            CaptchaProvider::Altcha => Some(Box::new(altcha::Altcha::new(settings, pool, key))),
            CaptchaProvider::Turnstile => Some(Box::new(siteverify::SiteVerify::turnstile(config)?)),
            CaptchaProvider::Recaptcha => Some(Box::new(siteverify::SiteVerify::recaptcha(config)?)),
            CaptchaProvider::Off => None,
        };
        let sources = match settings.provider {
            CaptchaProvider::Turnstile => TURNSTILE_SOURCES,
            CaptchaProvider::Recaptcha => RECAPTCHA_SOURCES,
            CaptchaProvider::Altcha | CaptchaProvider::Off => "",
        };
        // What is framed beside a captcha: players of other sites, and advertisements.
        let players = config.embeds.values().filter_map(|address| import::origin(address));
        let framed = players.chain(config.ads.origins()).chain([sources]);
        let frames: Vec<&str> = framed.filter(|source| !source.is_empty()).collect();
        // A friend site's list and pictures are asked for as films of a store are.
        let mut elsewhere = config.storage.origins();
        elsewhere.extend(config.offers.friend_origin().map(str::to_owned));
        let page_policy = security::with_sources(sources, &frames.join(" "), &elsewhere);
        Ok(Self { provider, page_policy, now })
    }

    /// The content policy of pages, where the provider, a player or a store elsewhere needs another than ours.
    #[must_use]
    pub fn page_policy(&self) -> Option<&HeaderValue> {
        self.page_policy.as_ref()
    }

    /// What the browser needs to make a proof.
    #[must_use]
    pub fn challenge(&self, purpose: Purpose) -> Challenge {
        let off = Challenge { provider: "off", ..Challenge::default() };
        self.provider.as_ref().map_or(off, |provider| provider.challenge(purpose, (self.now)()))
    }

    /// Checks the form field `captcha` and uses it up. To be asked last, after everything about the form that needs no such
    /// effort is right: the proof is gone then.
    ///
    /// # Errors
    /// 422 `captcha_required` without a proof, `captcha_invalid` for one that doesn't hold, 503 when it can't be checked.
    pub async fn verify(&self, purpose: Purpose, payload: &str, client: IpAddr) -> ApiResult<()> {
        let Some(provider) = &self.provider else { return Ok(()) };
        let refuse = |code| ApiError::Field { field: "captcha", code, bound: None };
        if payload.is_empty() {
            return Err(refuse("captcha_required"));
        }
        if payload.len() > LONGEST {
            return Err(refuse("captcha_invalid"));
        }
        match provider.verify(purpose, payload, client, (self.now)()).await {
            Ok(()) => Ok(()),
            Err(CaptchaError::Wrong(why)) => {
                tracing::debug!(why, purpose = purpose.as_str(), "captcha refused");
                Err(refuse("captcha_invalid"))
            }
            Err(CaptchaError::Away(error)) => Err(ApiError::unavailable(error)),
        }
    }
}
