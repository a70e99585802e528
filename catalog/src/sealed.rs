//! Encryption of sensitive columns, so that a copy of the database reveals nothing.

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use rand::{TryRngCore, rngs::OsRng};

use crate::{Error, Result};

/// Length in bytes of the nonce that precedes the ciphertext.
const NONCE: usize = 24;

/// Encrypts and decrypts values.
#[derive(Clone)]
pub struct Seal(XChaCha20Poly1305);

impl Seal {
    /// Creates a seal from a key that is used for nothing else.
    #[must_use]
    pub fn new(key: [u8; 32]) -> Self {
        Self(XChaCha20Poly1305::new(&key.into()))
    }

    /// Encrypts a value. `place` names the only column and row where the value can be decrypted.
    ///
    /// # Errors
    /// The operating system can't provide random bytes.
    pub fn seal(&self, place: &str, plain: &[u8]) -> Result<Vec<u8>> {
        let mut sealed = vec![0; NONCE];
        OsRng.try_fill_bytes(&mut sealed).map_err(|error| Error::Sealed(error.to_string()))?;
        let nonce =
            XNonce::try_from(sealed.as_slice()).map_err(|_| Error::Sealed("nonce must be 24 bytes".to_owned()))?;
        let text = self.0.encrypt(&nonce, Payload { msg: plain, aad: place.as_bytes() });
        sealed.extend(text.map_err(|_| Error::Sealed(format!("{place} is too long")))?);
        Ok(sealed)
    }

    /// Decrypts a value sealed for `place`.
    ///
    /// # Errors
    /// The value was sealed with another key or for another place, or it was altered.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<Vec<u8>> {
        let wrong = || Error::Sealed(format!("{place} was sealed with another key, or was altered"));
        let (nonce, text) = sealed.split_at_checked(NONCE).ok_or_else(wrong)?;
        let nonce = XNonce::try_from(nonce).map_err(|_| wrong())?;
        self.0.decrypt(&nonce, Payload { msg: text, aad: place.as_bytes() }).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::Seal;

    #[test]
    fn opens_only_with_same_key_and_place_and_unaltered() {
        let seal = Seal::new([7; 32]);
        let sealed = seal.seal("staff 7", b"what it is").unwrap();
        assert_ne!(sealed, seal.seal("staff 7", b"what it is").unwrap());
        assert!(!sealed.windows(10).any(|part| part == b"what it is"));
        assert_eq!(seal.open("staff 7", &sealed).unwrap(), b"what it is");
        assert!(seal.open("staff 8", &sealed).is_err());
        assert!(Seal::new([8; 32]).open("staff 7", &sealed).is_err());
        for at in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[at] ^= 1;
            assert!(seal.open("staff 7", &changed).is_err(), "byte {at}");
        }
        assert!(seal.open("staff 7", &sealed[..20]).is_err());
    }
}
