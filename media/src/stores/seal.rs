//! Length and digest of a file as it was read, to verify a copy before the original is removed.

use std::{collections::BTreeMap, io};

use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Number of bytes read at once.
const BLOCK: usize = 1 << 16;

/// Length and SHA-256 of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seal {
    pub length: u64,
    pub sha256: [u8; 32],
}

impl Seal {
    /// Returns whether the file has this length and SHA-256.
    pub fn is_of(&self, length: i64, sha256: &[u8]) -> bool {
        self.length == length.unsigned_abs() && self.sha256 == sha256
    }
}

/// Seals of a folder's files, by name.
pub(crate) type Seals = BTreeMap<String, Seal>;

/// Copies a stream and returns its seal.
pub(crate) async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> io::Result<Seal> {
    let (mut block, mut digest, mut length) = (vec![0; BLOCK], Sha256::new(), 0);
    loop {
        match from.read(&mut block).await? {
            0 => return Ok(Seal { length, sha256: digest.finalize().into() }),
            read => {
                digest.update(&block[..read]);
                to.write_all(&block[..read]).await?;
                length += read as u64;
            }
        }
    }
}

/// Reads a stream and returns its seal.
pub(super) async fn seal(from: impl AsyncRead + Unpin) -> io::Result<Seal> {
    copy(from, tokio::io::sink()).await
}
