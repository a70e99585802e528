//! Proof of work with ALTCHA's protocol. The browser finds the number that, appended to the salt, hashes to the challenge.
//!
//! Issuing a challenge stores nothing, because the salt contains the expiry and purpose, the challenge covers the salt, and the signature
//! covers the challenge. Used challenges are stored in the catalog, for all nodes, until they expire.

use std::net::IpAddr;

use base64::prelude::{BASE64_STANDARD, Engine};
use futures_util::future::BoxFuture;
use hmac::{Hmac, Mac};
use lantern_catalog::captchas;
use rand::{Rng, RngCore};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use sqlx::PgPool;
use time::OffsetDateTime;

use super::{CaptchaError, Challenge, Provider, Purpose};

const ALGORITHM: &str = "SHA-256";
/// Number of random bytes per salt, which is enough that no two challenges share a salt.
const SALT_BYTES: usize = 12;
/// Maximum length of our salts, with room for longer timestamps.
const MAX_SALT: usize = 96;

pub struct Altcha {
    pool: PgPool,
    keyed: Hmac<Sha256>,
    max_number: u32,
    lifetime: i64,
}

/// Proof sent by the browser. Other members, such as `took`, are ignored.
#[derive(Deserialize)]
struct Proof {
    algorithm: String,
    challenge: String,
    number: u64,
    salt: String,
    signature: String,
}

impl Altcha {
    pub fn new(settings: &lantern_config::Captcha, pool: PgPool, key: [u8; 32]) -> Self {
        let keyed = <Hmac<Sha256> as Mac>::new_from_slice(&key)
            .unwrap_or_else(|_| unreachable!("HMAC takes keys of any length"));
        Self { pool, keyed, max_number: settings.max_number, lifetime: settings.lifetime }
    }

    fn signed(&self, challenge: &str) -> Hmac<Sha256> {
        let mut mac = self.keyed.clone();
        mac.update(challenge.as_bytes());
        mac
    }

    /// Verifies a proof, except for reuse, and returns its digest and expiry.
    fn check(&self, purpose: Purpose, proof: &str, now: i64) -> Result<([u8; 32], i64), CaptchaError> {
        let bytes = BASE64_STANDARD.decode(proof).map_err(|_| CaptchaError::Wrong("not base64"))?;
        let proof: Proof = serde_json::from_slice(&bytes).map_err(|_| CaptchaError::Wrong("not a proof"))?;
        if proof.algorithm != ALGORITHM || proof.salt.len() > MAX_SALT {
            return Err(CaptchaError::Wrong("unknown algorithm or salt too long"));
        }
        let digest = digest(&proof.salt, proof.number);
        if hex::encode(digest) != proof.challenge {
            return Err(CaptchaError::Wrong("wrong number"));
        }
        let signature = hex::decode(&proof.signature).map_err(|_| CaptchaError::Wrong("malformed signature"))?;
        self.signed(&proof.challenge).verify_slice(&signature).map_err(|_| CaptchaError::Wrong("forged"))?;
        let (expires, made_for) = terms(&proof.salt).ok_or(CaptchaError::Wrong("not our salt"))?;
        if expires <= now {
            return Err(CaptchaError::Wrong("expired"));
        }
        if made_for != purpose.as_str() {
            return Err(CaptchaError::Wrong("issued for another form"));
        }
        Ok((digest, expires))
    }
}

/// Parses the expiry and purpose in a salt. The salt must end in `&`; otherwise digits could be moved between salt and number without
/// changing the digest, and the expiry would change.
fn terms(salt: &str) -> Option<(i64, &str)> {
    let (_, terms) = salt.split_once('?')?;
    let (expires, purpose) = terms.strip_prefix("expires=")?.strip_suffix('&')?.split_once("&for=")?;
    Some((expires.parse().ok()?, purpose))
}

fn digest(salt: &str, number: u64) -> [u8; 32] {
    Sha256::new().chain_update(salt).chain_update(number.to_string()).finalize().into()
}

impl Provider for Altcha {
    fn challenge(&self, purpose: Purpose, now: i64) -> Challenge {
        let mut random = rand::rng();
        let mut bytes = [0; SALT_BYTES];
        random.fill_bytes(&mut bytes);
        let expires = now.saturating_add(self.lifetime);
        let salt = format!("{}?expires={expires}&for={}&", hex::encode(bytes), purpose.as_str());
        let challenge = hex::encode(digest(&salt, random.random_range(0..=u64::from(self.max_number))));
        let signature = hex::encode(self.signed(&challenge).finalize().into_bytes());
        Challenge {
            provider: "altcha",
            algorithm: Some(ALGORITHM),
            challenge: Some(challenge),
            maxnumber: Some(self.max_number),
            salt: Some(salt),
            signature: Some(signature),
            site_key: None,
        }
    }

    fn verify<'a>(
        &'a self,
        purpose: Purpose,
        proof: &'a str,
        _: IpAddr,
        now: i64,
    ) -> BoxFuture<'a, Result<(), CaptchaError>> {
        Box::pin(async move {
            let (digest, expires) = self.check(purpose, proof, now)?;
            let moment = |seconds| {
                OffsetDateTime::from_unix_timestamp(seconds).map_err(|_| CaptchaError::Wrong("time out of range"))
            };
            let fresh = captchas::use_once(&self.pool, &digest, moment(expires)?, moment(now)?).await;
            match fresh {
                Ok(true) => Ok(()),
                Ok(false) => Err(CaptchaError::Wrong("already used")),
                Err(error) => Err(CaptchaError::Unavailable(error.into())),
            }
        })
    }
}
