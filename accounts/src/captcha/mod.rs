//! Captchas from one configured provider. Each form has a purpose, and each proof can be used once.

mod altcha;
mod siteverify;
mod sources;

use std::net::IpAddr;

use axum::http::HeaderValue;
use futures_util::future::BoxFuture;
use lantern_config::{CaptchaProvider, Config, import};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use lantern_errors::{ApiError, ApiResult};
use lantern_http::security;

pub use sources::allow_sources;

/// Maximum length of a proof in bytes. Turnstile tokens have at most 2,048 characters, and those of reCAPTCHA are somewhat longer.
const MAX_PROOF: usize = 8192;

/// The protected form. A proof for one form is not valid for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Sign-in, after failures.
    Login,
    /// Sign-up.
    Signup,
    /// Password reset.
    Restore,
    /// Message or report to the site's operators.
    Report,
}

impl Purpose {
    /// All forms.
    pub const ALL: [Self; 4] = [Self::Login, Self::Signup, Self::Restore, Self::Report];

    /// Returns the wire name, which is also the action passed to providers.
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

/// Data the browser needs to produce a proof. Members that the provider doesn't use are omitted.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct Challenge {
    /// `altcha`, `turnstile`, `recaptcha`, or `off` if none is required.
    #[schema(schema_with = providers)]
    pub provider: &'static str,
    /// Hash function of the proof of work, always `SHA-256`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "SHA-256")]
    pub algorithm: Option<&'static str>,
    /// Hash, in hexadecimal, of the salt followed by the number to find.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        pattern = "^[0-9a-f]{64}$",
        example = "6d1c4e1a2f5b7e6e8f6a4d0f6f6a0b8f1f5f5d0c2a9b3e7d4c8f1a2b3c4d5e6f"
    )]
    pub challenge: Option<String>,
    /// Upper bound of the number to find; the lower bound is 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, minimum = 1, example = 50000)]
    pub maxnumber: Option<u32>,
    /// Text that the number is appended to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "c0ffee00c0ffee00c0ffee00?expires=1790001200&for=signup&")]
    pub salt: Option<String>,
    /// Signature to send back with the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        nullable = false,
        pattern = "^[0-9a-f]{64}$",
        example = "9b1c4e1a2f5b7e6e8f6a4d0f6f6a0b8f1f5f5d0c2a9b3e7d4c8f1a2b3c4d5e6f"
    )]
    pub signature: Option<String>,
    /// Public key of this site at the provider.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "0x4AAAAAAA")]
    pub site_key: Option<String>,
}

fn providers() -> utoipa::openapi::Schema {
    lantern_http::openapi::words(
        "Provider that verifies the proof; `off` if none is required.",
        ["altcha", "turnstile", "recaptcha", "off"],
    )
}

/// Why a proof was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum CaptchaError {
    /// It is forged, wrong, expired, already used, or for another form.
    #[error("invalid proof: {0}")]
    Wrong(&'static str),
    /// The provider or the catalog is unavailable.
    #[error("failed to verify the proof: {0}")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// A captcha provider.
trait Provider: Send + Sync {
    /// Creates a challenge at `now` (Unix seconds).
    fn challenge(&self, purpose: Purpose, now: i64) -> Challenge;

    /// Verifies a proof at `now` and uses it up.
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

/// Origins of the providers' scripts and frames.
const TURNSTILE_SOURCES: &str = "https://challenges.cloudflare.com";
const RECAPTCHA_SOURCES: &str = "https://www.google.com https://www.gstatic.com";

impl Captcha {
    /// Sets up the configured provider. `key` signs our own challenges and is the same on all nodes.
    ///
    /// # Errors
    /// Fails if the HTTP client of an external provider can't be created.
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
        // Pages frame not only captchas but also players of other sites and advertisements.
        let players = config.embeds.values().filter_map(|address| import::origin(address));
        let framed = players.chain(config.ads.origins()).chain([sources]);
        let frames: Vec<&str> = framed.filter(|source| !source.is_empty()).collect();
        // Browsers fetch a friend site's list and pictures like films from an external store, so the same directives must allow them.
        let mut elsewhere = config.storage.origins();
        elsewhere.extend(config.offers.friend_origin().map(str::to_owned));
        let page_policy = security::with_sources(sources, &frames.join(" "), &elsewhere);
        Ok(Self { provider, page_policy, now })
    }

    /// Returns the `Content-Security-Policy` of pages if a captcha provider, player or store needs other sources than the default.
    #[must_use]
    pub fn page_policy(&self) -> Option<&HeaderValue> {
        self.page_policy.as_ref()
    }

    /// Creates a challenge for a form.
    #[must_use]
    pub fn challenge(&self, purpose: Purpose) -> Challenge {
        let off = Challenge { provider: "off", ..Challenge::default() };
        self.provider.as_ref().map_or(off, |provider| provider.challenge(purpose, (self.now)()))
    }

    /// Verifies the form field `captcha` and uses it up. Call it last, once the rest of the form is valid, because the user needs a new
    /// proof afterwards.
    ///
    /// # Errors
    /// 422 `captcha_required` without a proof, 422 `captcha_invalid` for an invalid one, 503 if it can't be verified.
    pub async fn verify(&self, purpose: Purpose, payload: &str, client: IpAddr) -> ApiResult<()> {
        let Some(provider) = &self.provider else { return Ok(()) };
        let refuse = |code| ApiError::Field { field: "captcha", code, bound: None };
        if payload.is_empty() {
            return Err(refuse("captcha_required"));
        }
        if payload.len() > MAX_PROOF {
            return Err(refuse("captcha_invalid"));
        }
        match provider.verify(purpose, payload, client, (self.now)()).await {
            Ok(()) => Ok(()),
            Err(CaptchaError::Wrong(why)) => {
                tracing::debug!(why, purpose = purpose.as_str(), "captcha refused");
                Err(refuse("captcha_invalid"))
            }
            Err(CaptchaError::Unavailable(error)) => Err(ApiError::unavailable(error)),
        }
    }
}
