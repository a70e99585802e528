//! State that a browser stores while the visitor is at the provider: a random number and an expiry. All secrets are derived from them and
//! from our key, so an attacker gains nothing by reading or changing the cookie.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use hmac::{Hmac, Mac};
use lantern_config::Config;
use rand::{TryRngCore, rngs::OsRng};
use sha2::Sha256;

use lantern_errors::{ApiError, ApiResult};

/// Number of random bytes in an attempt.
const SEED: usize = 32;

/// A visitor's attempt to sign in at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenIdAttempt {
    seed: [u8; SEED],
    /// Expiry in Unix seconds.
    pub expires: i64,
}

/// Secrets derived from an attempt.
pub struct Secrets {
    /// Returned in the callback's query.
    pub state: String,
    /// Returned in the signed ID token.
    pub nonce: String,
    /// Proves to the provider that the token request and the attempt have the same origin (PKCE). Only the two servers see it.
    pub verifier: String,
}

impl OpenIdAttempt {
    /// Starts a sign-in that is valid until `expires`, in Unix seconds.
    pub fn begin(expires: i64) -> ApiResult<Self> {
        let mut seed = [0; SEED];
        OsRng.try_fill_bytes(&mut seed).map_err(ApiError::internal)?;
        Ok(Self { seed, expires })
    }

    /// Parses the cookie.
    pub fn parse(cookie: &str) -> Option<Self> {
        let (seed, expires) = cookie.split_once('.')?;
        Some(Self { seed: BASE64_URL_SAFE_NO_PAD.decode(seed).ok()?.try_into().ok()?, expires: expires.parse().ok()? })
    }

    /// Returns the value of the cookie.
    pub fn to_cookie(&self) -> String {
        format!("{}.{}", BASE64_URL_SAFE_NO_PAD.encode(self.seed), self.expires)
    }

    /// Returns the name of the cookie.
    pub fn cookie_name(config: &Config) -> &'static str {
        if config.secure_cookies() { "__Host-openid" } else { "openid" }
    }

    /// Derives the secrets.
    pub fn secrets(&self, key: &[u8; 32]) -> Secrets {
        let text = |label| BASE64_URL_SAFE_NO_PAD.encode(self.derive(key, label).finalize().into_bytes());
        Secrets { state: text("state"), nonce: text("nonce"), verifier: text("verifier") }
    }

    /// Returns whether the state belongs to this attempt, in constant time.
    pub fn is_state(&self, key: &[u8; 32], state: &str) -> bool {
        BASE64_URL_SAFE_NO_PAD.decode(state).is_ok_and(|state| self.derive(key, "state").verify_slice(&state).is_ok())
    }

    /// Derives a secret, which also covers the expiry: changing the expiry changes the state.
    fn derive(&self, key: &[u8; 32], label: &str) -> Hmac<Sha256> {
        let mut mac = <Hmac<Sha256> as Mac>::new_from_slice(key)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        mac.update(label.as_bytes());
        mac.update(&self.expires.to_be_bytes());
        mac.update(&self.seed);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_the_original_attempt() {
        let key = [7; 32];
        let attempt = OpenIdAttempt::begin(1000).unwrap();
        assert_eq!(OpenIdAttempt::parse(&attempt.to_cookie()).as_ref(), Some(&attempt));
        let state = attempt.secrets(&key).state;
        assert!(attempt.is_state(&key, &state));
        let later = OpenIdAttempt { expires: 2000, ..attempt };
        assert!(!later.is_state(&key, &state) && !attempt.is_state(&[8; 32], &state));
        assert!(!attempt.is_state(&key, "") && !attempt.is_state(&key, &attempt.secrets(&key).nonce));
        assert!(!OpenIdAttempt::begin(1000).unwrap().is_state(&key, &state));
        for cookie in [
            "",
            ".",
            "x.1",
            &format!("{}.", BASE64_URL_SAFE_NO_PAD.encode([0; 32])),
            &format!("{}.1", BASE64_URL_SAFE_NO_PAD.encode([0; 31])),
        ] {
            assert_eq!(OpenIdAttempt::parse(cookie), None, "{cookie}");
        }
    }

    /// RFC 7636 requires 43 to 128 characters.
    #[test]
    fn verifier_has_valid_length() {
        assert_eq!(OpenIdAttempt::begin(0).unwrap().secrets(&[0; 32]).verifier.len(), 43);
    }
}
