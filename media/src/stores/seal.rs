//! What a file held when it was read: its length and digest, by which a copy is checked before the original may go.

use std::{collections::BTreeMap, io};

use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Bytes that are read at once.
const BLOCK: usize = 1 << 16;

/// Length and SHA-256 of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seal {
    pub length: u64,
    sha256: [u8; 32],
}

/// The seals of a folder's files, by name.
pub(crate) type Seals = BTreeMap<String, Seal>;

/// Copies all that comes; returns what it was.
pub(super) async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> io::Result<Seal> {
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

/// Reads all that comes.
pub(super) async fn seal(from: impl AsyncRead + Unpin) -> io::Result<Seal> {
    copy(from, tokio::io::sink()).await
}
