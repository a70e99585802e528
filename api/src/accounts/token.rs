//! Secrets handed to people: in the session cookie and in links of mails. Only their hashes are stored.

use rand::{TryRngCore, rngs::OsRng};
use sha2::{Digest, Sha256};

use crate::error::{ApiError, ApiResult};

/// Bytes of a token: 256 bits.
const BYTES: usize = 32;
/// Characters of a token.
const LENGTH: usize = (BYTES * 8).div_ceil(6);
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A secret of 256 random bits, in base64url.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one from the system's randomness.
    ///
    /// # Errors
    /// When the system has none.
    pub fn random() -> ApiResult<Self> {
        let mut bytes = [0; BYTES];
        OsRng.try_fill_bytes(&mut bytes).map_err(ApiError::internal)?;
        Ok(Self(base64url(&bytes)))
    }

    /// One that a client sent; `None` for what can't be one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))).then(|| Self(text.to_owned()))
    }

    /// What is stored of it.
    #[must_use]
    pub fn hash(&self) -> [u8; 32] {
        Sha256::digest(&self.0).into()
    }

    /// As it is handed out.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Base64 for addresses, without padding (RFC 4648, section 5).
fn base64url(bytes: &[u8]) -> String {
    bytes
        .chunks(3)
        .flat_map(|chunk| {
            let group = chunk.iter().fold(0u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
            (0..=chunk.len()).map(move |at| char::from(ALPHABET[(group >> (18 - 6 * at)) as usize & 63]))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64url_is_that_of_the_standard() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg"),
            (b"fo", "Zm8"),
            (b"foo", "Zm9v"),
            (b"foobar", "Zm9vYmFy"),
            (&[0xfb, 0xff, 0xfe], "-__-"),
        ] {
            assert_eq!(base64url(bytes), text);
        }
    }

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
