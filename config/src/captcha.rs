//! `[captcha]`: bot protection of forms.

use serde::Deserialize;

use crate::{ConfigError, Mode, at_least_one, reject};

/// Captcha provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CaptchaProvider {
    /// Proof of work, which is verified locally.
    Altcha,
    /// Cloudflare Turnstile.
    Turnstile,
    /// Google reCAPTCHA v3.
    Recaptcha,
    /// No captcha.
    Off,
}

/// `[captcha]`
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Captcha {
    /// The provider.
    pub provider: CaptchaProvider,
    /// Largest number in a proof of work, 1 to 10,000,000.
    pub max_number: u32,
    /// Seconds for which a challenge is valid, at least 1.
    pub lifetime: i64,
    /// The provider's public key for this site.
    pub site_key: String,
    /// The provider's secret key for this site.
    pub secret: String,
    /// URL that verifies tokens. If it is empty, the provider's default is used.
    pub verify_url: String,
    /// Lowest accepted score, 0 to 1.
    pub min_score: f64,
    /// Milliseconds to wait for the provider, at least 1.
    pub timeout_ms: u64,
}

impl Captcha {
    pub(crate) fn check(&self, mode: Mode) -> Result<(), ConfigError> {
        if !(1..=10_000_000).contains(&self.max_number) {
            return reject("captcha.max_number", "must be from 1 to 10000000");
        }
        if self.lifetime < 1 {
            return reject("captcha.lifetime", "must be at least 1");
        }
        at_least_one("captcha.timeout_ms", self.timeout_ms)?;
        if !(0.0..=1.0).contains(&self.min_score) {
            return reject("captcha.min_score", "must be from 0 to 1");
        }
        let remote = matches!(self.provider, CaptchaProvider::Turnstile | CaptchaProvider::Recaptcha);
        if remote && self.site_key.is_empty() {
            return reject("captcha.site_key", "is empty: the provider gives one to each site");
        }
        if remote && self.secret.is_empty() {
            return reject("captcha.secret", "is empty: the provider gives one to each site");
        }
        if remote && mode == Mode::Production && self.verify_url.starts_with("http://") {
            return reject("captcha.verify_url", "must begin with https://, because the secret is sent there");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn remote_provider_requires_keys_and_https() {
        let mut captcha = Config::default().captcha;
        captcha.check(Mode::Production).unwrap();
        captcha.provider = CaptchaProvider::Turnstile;
        assert!(captcha.check(Mode::Production).unwrap_err().to_string().contains("captcha.site_key"));
        captcha.site_key = "key".to_owned();
        assert!(captcha.check(Mode::Production).unwrap_err().to_string().contains("captcha.secret"));
        captcha.secret = "secret".to_owned();
        captcha.check(Mode::Production).unwrap();
        captcha.verify_url = "http://127.0.0.1:1/siteverify".to_owned();
        captcha.check(Mode::Development).unwrap();
        assert!(captcha.check(Mode::Production).unwrap_err().to_string().contains("captcha.verify_url"));
    }
}
