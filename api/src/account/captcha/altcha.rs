//! A proof of work in ALTCHA's protocol: the browser looks for the number whose digest, after the salt, is the challenge.
//!
//! Nothing is remembered until a proof arrives: the salt holds expiry and purpose, the signature covers the challenge, the
//! challenge covers the salt. Used challenges are in the catalog until they expire, for all nodes.

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
/// Random bytes of a salt: no two challenges share one.
const SALT_BYTES: usize = 12;
/// Longest salt we make, with room for a longer year.
const LONGEST_SALT: usize = 96;

pub struct Altcha {
    pool: PgPool,
    keyed: Hmac<Sha256>,
    max_number: u32,
    lifetime: i64,
}

/// What the browser sends back; other members (`took`) are its own affair.
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

    /// The digest and expiry of a proof that holds, apart from having been used.
    fn check(&self, purpose: Purpose, proof: &str, now: i64) -> Result<([u8; 32], i64), CaptchaError> {
        let bytes = BASE64_STANDARD.decode(proof).map_err(|_| CaptchaError::Wrong("no base64"))?;
        let proof: Proof = serde_json::from_slice(&bytes).map_err(|_| CaptchaError::Wrong("no proof"))?;
        if proof.algorithm != ALGORITHM || proof.salt.len() > LONGEST_SALT {
            return Err(CaptchaError::Wrong("another algorithm or salt"));
        }
        let digest = digest(&proof.salt, proof.number);
        if hex::encode(digest) != proof.challenge {
            return Err(CaptchaError::Wrong("wrong number"));
        }
        let signature = hex::decode(&proof.signature).map_err(|_| CaptchaError::Wrong("no signature"))?;
        self.signed(&proof.challenge).verify_slice(&signature).map_err(|_| CaptchaError::Wrong("forged"))?;
        let (expires, made_for) = terms(&proof.salt).ok_or(CaptchaError::Wrong("not our salt"))?;
        if expires <= now {
            return Err(CaptchaError::Wrong("expired"));
        }
        if made_for != purpose.as_str() {
            return Err(CaptchaError::Wrong("made for another form"));
        }
        Ok((digest, expires))
    }
}

/// Expiry and purpose of a salt. It must end in `&`: a salt that ended in a digit could take digits of the number over, or give
/// some away, with the same digest, and so change what it says.
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
                OffsetDateTime::from_unix_timestamp(seconds).map_err(|_| CaptchaError::Wrong("a time out of range"))
            };
            let fresh = captchas::use_once(&self.pool, &digest, moment(expires)?, moment(now)?).await;
            match fresh {
                Ok(true) => Ok(()),
                Ok(false) => Err(CaptchaError::Wrong("used already")),
                Err(error) => Err(CaptchaError::Away(error.into())),
            }
        })
    }
}
