//! Secrets handed to people: in the session cookie and in links of mails. Only their hashes are stored.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use lantern_catalog::mail_tokens::MailToken;
use rand::{TryRngCore, rngs::OsRng};
use sha2::{Digest, Sha256};

use lantern_errors::{ApiError, ApiResult};

/// Bytes of a token: 256 bits.
const BYTES: usize = 32;
const LENGTH: usize = (BYTES * 8).div_ceil(6);

/// A secret of 256 random bits, in base64url.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// What it looks like, as a regular expression.
    pub const PATTERN: &str = "^[A-Za-z0-9_-]{43}$";

    /// A new one from the system's randomness.
    pub fn random() -> ApiResult<Self> {
        let mut bytes = [0; BYTES];
        OsRng.try_fill_bytes(&mut bytes).map_err(ApiError::internal)?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// One that a client sent; `None` for what can't be one.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)))
            .then(|| Self(text.to_owned()))
    }

    /// What is stored of it.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// As it is handed out.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// What is stored of the token in a form or address. Fails with 422 `token_invalid` for what can't be one.
pub fn sent(text: &str) -> ApiResult<[u8; 32]> {
    Token::parse(text).map(|token| token.hash()).ok_or_else(invalid)
}

/// A link that works. Fails with 422 `token_invalid` when there is none, `token_used` for one that was followed before.
pub fn unused(found: Option<MailToken>) -> ApiResult<MailToken> {
    let link = found.ok_or_else(invalid)?;
    if link.is_used { Err(refusal("token_used")) } else { Ok(link) }
}

/// The refusal of a link that doesn't work (any more).
pub fn invalid() -> ApiError {
    refusal("token_invalid")
}

const fn refusal(code: &'static str) -> ApiError {
    ApiError::Field { field: "token", code, bound: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_read_as_it_was_handed_out_and_nothing_else_is() {
        let token = Token::random().unwrap();
        assert_eq!(token.as_str().len(), LENGTH);
        assert!(Token::parse(token.as_str()).is_some_and(|read| read == token && read.hash() == token.hash()));
        assert_ne!(token.as_str(), Token::random().unwrap().as_str());
        let long = "A".repeat(LENGTH + 1);
        for wrong in ["", "short", &long, &"=".repeat(LENGTH), &"é".repeat(LENGTH / 2)] {
            assert!(Token::parse(wrong).is_none(), "{wrong}");
        }
    }
}
