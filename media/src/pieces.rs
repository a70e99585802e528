//! Uploads in a store. Each piece is a file in the folder of its upload, and the catalog lists the pieces that count.

use lantern_catalog::uploads::UploadPiece;
use rand::{TryRngCore, rngs::OsRng};
use tokio::io::{AsyncRead, AsyncWriteExt};

use crate::{
    Error, Result,
    incoming::Incoming,
    stores::{StoreFailure, Stores, copy},
};

/// Prefix of the folders of uploads in a store.
const UPLOADS: &str = "uploads/";

/// Returns the folder of an upload in a store.
#[must_use]
pub fn folder(token: &str) -> String {
    format!("{UPLOADS}{token}")
}

/// Stores a piece durably, and reads it back to verify it. `first_byte` is the number of bytes before it.
///
/// # Errors
/// Fails if the store is unavailable, and then the piece doesn't count.
pub async fn put(
    stores: &Stores,
    (group, token): (i32, &str),
    first_byte: i64,
    reading: impl AsyncRead + Send + Unpin,
) -> Result<UploadPiece> {
    let store = stores.group(group)?;
    // Two nodes may send a piece for the same bytes at once, of which one counts.
    let random = OsRng.try_next_u64().map_err(|error| Error::at(token.as_ref())(std::io::Error::other(error)))?;
    let file = format!("{first_byte:011}-{random:016x}");
    let seal =
        store.put(&format!("{}/{file}", folder(token)), reading).await.inspect_err(|failed| store.log(failed))?;
    let bytes = i64::try_from(seal.length).unwrap_or(i64::MAX);
    Ok(UploadPiece { first_byte, bytes, file, sha256: seal.sha256.to_vec() })
}

/// Joins the pieces of an upload in its file on this node, and verifies each of them.
///
/// # Errors
/// Fails if the store is unavailable, if a piece isn't what was sent, or if the file can't be written.
pub(crate) async fn join(
    stores: &Stores,
    incoming: &Incoming,
    (group, token): (i32, &str),
    pieces: &[UploadPiece],
) -> Result<()> {
    let store = stores.group(group)?;
    let path = incoming.path(token);
    // A worker that stopped may have left a part of it.
    incoming.remove(token).await?;
    incoming.create(token).await?;
    let mut to = tokio::fs::OpenOptions::new().write(true).open(&path).await.map_err(Error::at(&path))?;
    for piece in pieces {
        let file = format!("{}/{}", folder(token), piece.file);
        let reading = store.read(&file).await.inspect_err(|failed| store.log(failed))?;
        let seal = copy(reading, &mut to).await.map_err(Error::at(&path))?;
        if seal.length != piece.bytes.unsigned_abs() || seal.sha256[..] != piece.sha256[..] {
            let length = piece.bytes.unsigned_abs();
            return Err(StoreFailure::Differs { file, found: seal.length, length }.into());
        }
    }
    to.flush().await.map_err(Error::at(&path))
}
