//! Solves proofs of work as a browser would.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{App, mails::to_base64};

impl App {
    /// Returns the form field `captcha` for this purpose, as the page would send it.
    pub async fn proof(&self, purpose: &str) -> String {
        prove(&self.json(&format!("/api/captcha.php?for={purpose}")).await)
    }
}

/// Finds the number that solves the challenge.
pub fn solve(challenge: &Value) -> u64 {
    let (salt, target) = (challenge["salt"].as_str().unwrap(), challenge["challenge"].as_str().unwrap());
    let salted = Sha256::new().chain_update(salt);
    let digest = |number: &u64| format!("{:x}", salted.clone().chain_update(number.to_string()).finalize());
    (0..=challenge["maxnumber"].as_u64().unwrap()).find(|number| digest(number) == target).unwrap()
}

pub fn prove(challenge: &Value) -> String {
    payload(challenge, solve(challenge))
}

/// Returns the proof for a number, which may be correct or not.
pub fn payload(challenge: &Value, number: u64) -> String {
    let member = |name: &str| challenge[name].clone();
    let proof = json!({ "algorithm": member("algorithm"), "challenge": member("challenge"), "number": number,
        "salt": member("salt"), "signature": member("signature"), "took": 12 });
    to_base64(proof.to_string().as_bytes())
}
