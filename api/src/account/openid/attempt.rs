//! What a browser stores between leaving for the provider and coming back: a random number and a time. Everything that must be
//! secret or unguessable is made of them and of our key, so the cookie can be read and changed but not made use of.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use hmac::{Hmac, Mac};
use lantern_config::Config;
use rand::{TryRngCore, rngs::OsRng};
use sha2::Sha256;

use lantern_errors::{ApiError, ApiResult};

/// Random bytes of an attempt.
const SEED: usize = 32;

/// One visitor's way to the provider and back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenIdAttempt {
    seed: [u8; SEED],
    /// Unix seconds until which it counts.
    pub expires: i64,
}

/// What is made of an attempt.
pub struct Secrets {
    /// Comes back in the address.
    pub state: String,
    /// Comes back inside the provider's signature.
    pub nonce: String,
    /// Proves to the provider that whoever asks for the token also began (PKCE); it never leaves the two servers.
    pub verifier: String,
}

impl OpenIdAttempt {
    pub fn begin(expires: i64) -> ApiResult<Self> {
        let mut seed = [0; SEED];
        OsRng.try_fill_bytes(&mut seed).map_err(ApiError::internal)?;
        Ok(Self { seed, expires })
    }

    /// From the cookie.
    pub fn parse(cookie: &str) -> Option<Self> {
        let (seed, expires) = cookie.split_once('.')?;
        Some(Self { seed: BASE64_URL_SAFE_NO_PAD.decode(seed).ok()?.try_into().ok()?, expires: expires.parse().ok()? })
    }

    pub fn to_cookie(&self) -> String {
        format!("{}.{}", BASE64_URL_SAFE_NO_PAD.encode(self.seed), self.expires)
    }

    pub fn cookie_name(config: &Config) -> &'static str {
        if config.secure_cookies() { "__Host-openid" } else { "openid" }
    }

    /// What is made of it.
    pub fn secrets(&self, key: &[u8; 32]) -> Secrets {
        let text = |label| BASE64_URL_SAFE_NO_PAD.encode(self.made(key, label).finalize().into_bytes());
        Secrets { state: text("state"), nonce: text("nonce"), verifier: text("verifier") }
    }

    /// Whether the state is this attempt's; takes the same time however wrong it is.
    pub fn is_state(&self, key: &[u8; 32], state: &str) -> bool {
        BASE64_URL_SAFE_NO_PAD.decode(state).is_ok_and(|state| self.made(key, "state").verify_slice(&state).is_ok())
    }

    /// The time is part of it: a later one makes another state.
    fn made(&self, key: &[u8; 32], label: &str) -> Hmac<Sha256> {
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
    fn an_attempt_comes_back_as_it_left_and_no_other_way() {
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

    /// RFC 7636 wants 43 to 128 characters.
    #[test]
    fn the_verifier_is_as_long_as_it_must_be() {
        assert_eq!(OpenIdAttempt::begin(0).unwrap().secrets(&[0; 32]).verifier.len(), 43);
    }
}
