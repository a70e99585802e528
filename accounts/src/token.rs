//! Secret tokens in cookies and mailed links. Only their hashes are stored.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use lantern_catalog::mail_tokens::MailToken;
use rand::{TryRngCore, rngs::OsRng};
use sha2::{Digest, Sha256};

use lantern_errors::{ApiError, ApiResult};

/// Length of a token in bytes: 256 bits.
const BYTES: usize = 32;
const LENGTH: usize = (BYTES * 8).div_ceil(6);

/// Documents the refusal that [`invalid`] returns.
pub const DEAD_LINK: (&str, &str) = ("token_invalid", "the link is invalid or expired");
/// Documents the refusal that [`unused`] returns for a link that was already used.
pub const USED_LINK: (&str, &str) = ("token_used", "the link was already used");

/// A secret of 256 random bits, in base64url.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Regular expression that tokens match.
    pub const PATTERN: &str = "^[A-Za-z0-9_-]{43}$";

    /// Generates a token from the operating system's random source.
    pub fn random() -> ApiResult<Self> {
        let mut bytes = [0; BYTES];
        OsRng.try_fill_bytes(&mut bytes).map_err(ApiError::internal)?;
        Ok(Self(BASE64_URL_SAFE_NO_PAD.encode(bytes)))
    }

    /// Parses a token sent by a client. Returns `None` if it is malformed.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == LENGTH && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)))
            .then(|| Self(text.to_owned()))
    }

    /// Returns the hash that is stored.
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// Returns the token as sent to the client.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns the stored hash of a token sent in a form or query. Fails with 422 `token_invalid` if it is malformed.
pub fn sent(text: &str) -> ApiResult<[u8; 32]> {
    Token::parse(text).map(|token| token.hash()).ok_or_else(invalid)
}

/// Returns the link if it still works. Fails with 422 `token_invalid` if none was found, `token_used` if it was already used.
pub fn unused(found: Option<MailToken>) -> ApiResult<MailToken> {
    let link = found.ok_or_else(invalid)?;
    if link.is_used { Err(refusal(USED_LINK.0)) } else { Ok(link) }
}

/// Returns the refusal of an invalid or expired link.
pub fn invalid() -> ApiError {
    refusal(DEAD_LINK.0)
}

const fn refusal(code: &'static str) -> ApiError {
    ApiError::Field { field: "token", code, bound: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_generated_tokens_only() {
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
